import { ProtocolError } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { pictureKind } from '../../core/picture.ts';
import type { Context } from '../context.ts';
import { pictureBlock, type TextBlock } from '../tool.ts';

/** Levels of objects and arrays in an answer: the stack does not hold many thousands. */
const DEEPEST = 1_000;

/**
 * The answer of a hosted server with secrets redacted in all of its texts, but not in names of fields, if the user has set
 * `access.redact`.
 *
 * @throws UserError if it nests too deep, or a pattern cannot be used
 */
export function redacted<T>(answer: T, { files: { redactor } }: Context): T {
  if (!redactor.isOn) return answer;
  const change = (value: unknown, left: number): unknown => {
    if (typeof value === 'string') return redactor.text(value);
    if (left === 0)
      throw new UserError(`It nests more than ${DEEPEST} levels deep, so secrets in it cannot be redacted.`);
    if (Array.isArray(value)) return value.map((one) => change(one, left - 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isBinary(value, key) ? one : change(one, left - 1)]),
    );
  };
  return change(answer, DEEPEST) as T;
}

/** The same for what is left out if it cannot be redacted: undefined then. */
export function redactedIfPossible<T>(answer: T, ctx: Context): T | undefined {
  try {
    return redacted(answer, ctx);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/**
 * The same for items of lists, with the field that agents call them by as it is. An error would cost the agent the whole list, so
 * what cannot be redacted is left out: all of a server as long as a pattern of the user is wrong.
 */
export const redactedItems = <T extends object, K extends keyof T>(
  items: readonly T[],
  id: K | undefined,
  ctx: Context,
): readonly T[] =>
  items.flatMap((item) => {
    const shown = redactedIfPossible(item, ctx);
    return shown ? [{ ...shown, ...(id !== undefined && { [id]: item[id] }) }] : [];
  });

/** Errors quote what a server wrote to stderr. */
export function redactedError(error: unknown, ctx: Context): unknown {
  if (error instanceof UserError) return new UserError(redacted(error.message, ctx), { lines: true });
  if (!(error instanceof ProtocolError)) return error;
  return new ProtocolError(error.code, redacted(error.message, ctx), redacted(error.data, ctx));
}

/** Base64 of an image, a sound or a resource: a pattern would only find something in it by accident, and break it. */
const isBinary = (value: Fields, key: string): boolean =>
  key === 'data' ? value.type === 'image' || value.type === 'audio' : key === 'blob' && 'uri' in value;

/** The pictures of a server's answer as what they are; a text in place of one that models do not take. */
export function withShownPictures(method: string, result: Fields): Fields {
  if (method === 'tools/call' && 'content' in result)
    return { ...result, content: itemsOf(result.content).map(shownBlock) };
  if (method !== 'prompts/get') return result;
  const messages = itemsOf(result.messages).map((message) =>
    isObject(message) ? { ...message, content: shownBlock(message.content) } : message,
  );
  return { ...result, messages };
}

function shownBlock(block: unknown): unknown {
  const { type, data } = fieldsOf(block);
  if (type !== 'image' || typeof data !== 'string') return block;
  const shown = shownPicture(Buffer.from(data, 'base64'));
  return shown.type === 'text' ? shown : { ...fieldsOf(block), ...shown }; // base64 without line breaks too
}

/** A picture, or a text that says why it is left out. */
export function shownPicture(bytes: Uint8Array): ReturnType<typeof pictureBlock> | TextBlock {
  const kind = pictureKind(bytes) ?? { problem: 'it is of no kind that models take (PNG, JPEG, GIF, WebP)' };
  if ('mimeType' in kind) return pictureBlock(bytes, kind.mimeType);
  return { type: 'text', text: `[A picture is left out: ${kind.problem}.]` };
}

/**
 * The resources in a server's result, each with its `uri`: in contents, resource links and embedded resources. Structured content, `_meta`,
 * icons and text name none. Lists are made from the catalogue; a result of any other method has no resource.
 *
 * @param method of the request that was answered
 */
export function resourcesIn(method: string, result: Fields): (Fields & { uri: string })[] {
  if (method === 'resources/read') return itemsOf(result.contents).filter(hasUri);
  const holders =
    method === 'prompts/get' ? itemsOf(result.messages) : method === 'tools/call' ? [result] : [];
  const found = [];
  for (const holder of holders)
    for (const block of [fieldsOf(holder).content].flat()) {
      const { type, resource } = fieldsOf(block);
      const named = type === 'resource_link' ? block : type === 'resource' ? resource : undefined;
      if (hasUri(named)) found.push(named);
    }
  return found;
}

const hasUri = (value: unknown): value is Fields & { uri: string } =>
  isObject(value) && typeof value.uri === 'string';
