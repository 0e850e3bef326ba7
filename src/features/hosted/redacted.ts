import { ProtocolError } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { type Fields, isObject } from '../../core/json.ts';
import type { Context } from '../context.ts';

/** The answer of a hosted server with secrets redacted in all of its texts, but not in names of fields, if the user has set `access.redact`. */
export function redacted<T>(answer: T, { files: { redactor } }: Context): T {
  if (!redactor.isOn) return answer;
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') return redactor.text(value);
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isBinary(value, key) ? one : change(one)]),
    );
  };
  return change(answer) as T;
}

/**
 * The same for items of lists, with the field that agents call them by as it is. An error would cost the agent the whole list: there
 * is none of a server as long as a pattern of the user is wrong.
 */
export function redactedItems<T extends object, K extends keyof T>(
  items: readonly T[],
  id: K | undefined,
  ctx: Context,
): readonly T[] {
  try {
    return items.map((item) => ({ ...redacted(item, ctx), ...(id !== undefined && { [id]: item[id] }) }));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

/** Errors quote what a server wrote to stderr. */
export function redactedError(error: unknown, ctx: Context): unknown {
  if (error instanceof UserError) return new UserError(redacted(error.message, ctx), { lines: true });
  if (!(error instanceof ProtocolError)) return error;
  return new ProtocolError(error.code, redacted(error.message, ctx), redacted(error.data, ctx));
}

/** Base64 of an image, a sound or a resource: a pattern would only find something in it by accident, and break it. */
const isBinary = (value: Fields, key: string): boolean =>
  key === 'data' ? value.type === 'image' || value.type === 'audio' : key === 'blob' && 'uri' in value;
