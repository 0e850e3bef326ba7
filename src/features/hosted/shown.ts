import { type LoggingLevel, ProtocolError } from '@modelcontextprotocol/server';
import { ifUserError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject, itemsOf } from '../../core/json.ts';
import { pictureKind } from '../../core/picture.ts';
import { type Hosted, hostedUri, type ServerMessage } from '../../hosting/index.ts';
import { inParallel } from '../../util/queues.ts';
import type { Call, Context } from '../context.ts';
import { pictureBlock, type TextBlock, type Tool } from '../tool.ts';
import { appUriOf, asTextPage, letPageCall, withAppUri } from './apps.ts';

/** A request of an agent to a hosted server. */
export interface HostedRequest {
  server: Hosted;
  method: string;
  params: Fields;
  ctx: Context;
  call: Call;
  /** It changes nothing, so it is repeated once if the server ends meanwhile. */
  readOnly: boolean;
  /** `execution.taskSupport` of a tool (MCP 2025-11-25): whether it can or must be called as a task. */
  taskSupport?: unknown;
  /** Called once the server runs, directly before the request is sent. @throws UserError to send nothing */
  check(ctx: Context): void;
}

/** Levels of objects and arrays in an answer: the stack does not hold many thousands. */
const MOST_LEVELS = 1_000;

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
      throw new UserError(
        `It nests more than ${MOST_LEVELS} levels deep, so secrets in it cannot be redacted.`,
      );
    if (Array.isArray(value)) return value.map((one) => change(one, left - 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, isBinary(value, key) ? one : change(one, left - 1)]),
    );
  };
  return change(answer, MOST_LEVELS) as T;
}

/** As `redacted`; undefined for what cannot be redacted, which is left out. */
function redactedIfPossible<T>(answer: T, ctx: Context): T | undefined {
  try {
    return redacted(answer, ctx);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/**
 * Items of lists, redacted but for the field that agents call them by. An error would cost the agent the whole list, so
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

/** Tools as lists have them. */
export const redactedTools = (tools: readonly Tool[], ctx: Context): Tool[] =>
  tools.flatMap(({ listed = {}, ...tool }) =>
    redactedItems([listed], 'name', ctx).map((one) => ({
      ...tool,
      listed: withAppUri(one, appUriOf(listed)),
    })),
  );

/** For `catch`: errors quote what a server wrote to stderr. */
export const rethrowRedacted =
  (ctx: Context) =>
  (error: unknown): never => {
    if (error instanceof UserError) throw new UserError(redacted(error.message, ctx), { lines: true });
    if (!(error instanceof ProtocolError)) throw error;
    throw new ProtocolError(error.code, redacted(error.message, ctx), redacted(error.data, ctx));
  };

/** Passes the server's progress on to the agent. */
export const progressOf =
  ({ progress }: Call, ctx: Context) =>
  ({ progress: done, total, message }: Fields): void => {
    if (typeof done !== 'number') return;
    const text = typeof message === 'string' ? redactedIfPossible(message, ctx) : undefined;
    progress(done, typeof total === 'number' ? total : undefined, text);
  };

/**
 * How a call becomes a task of the server, and who learns what the server says about it: the agent's own task, if it takes one, and
 * its progress. A call whose agent answers the server's questions stays a call, because the agent repeats it with each answer.
 */
export function taskOptions({ server, call, ctx, taskSupport }: HostedRequest) {
  const becomeTask = server.questions.forAgents.length === 0 ? call.becomeTask : undefined;
  let count = 0;
  return {
    asTask: taskSupport === 'required' || (taskSupport === 'optional' && becomeTask !== undefined),
    onTask(message: string | undefined): void {
      const text = message === undefined ? undefined : redactedIfPossible(message, ctx);
      becomeTask?.(text || `The server ${server.name} works on it.`);
      if (text) call.progress(++count, undefined, text);
    },
  };
}

/** The server does not say which request its log messages belong to: all that wait for it get them. */
export function passOn({ method, params }: ServerMessage, { server, ctx, call }: HostedRequest): void {
  if (method !== 'notifications/message') return;
  const { level, logger, data } = params;
  const name = typeof logger === 'string' ? `${server.slug}/${logger}` : server.slug;
  const all = redactedIfPossible({ data, name }, ctx);
  if (all) call.log(level as LoggingLevel, all.data, all.name);
}

/** Base64 of an image, a sound or a resource: a pattern would only find something in it by accident, and break it. */
const isBinary = (value: Fields, key: string): boolean =>
  key === 'data' ? value.type === 'image' || value.type === 'audio' : key === 'blob' && 'uri' in value;

/** The pictures of a server's answer as what they are; a text in place of one that models do not take. */
export function withShownPictures(method: string, result: Fields): Fields {
  if (method === 'tools/call' && 'content' in result)
    return { ...result, content: (result.content as unknown[]).map(shownBlock) };
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
  const contents = method === 'tools/call' ? [result.content] : [];
  if (method === 'prompts/get')
    contents.push(...itemsOf(result.messages).map((message) => fieldsOf(message).content));
  const found = [];
  for (const block of contents.flat()) {
    const { type, resource } = fieldsOf(block);
    const named = type === 'resource_link' ? block : type === 'resource' ? resource : undefined;
    if (named !== undefined && hasUri(named)) found.push(named);
  }
  return found;
}

const hasUri = (value: unknown): value is Fields & { uri: string } =>
  isObject(value) && typeof value.uri === 'string';

/** The list in each result: without it agents drop the answer, and wait without end or end the session. */
const RESULT_LISTS = new Map([
  ['tools/call', 'content'],
  ['prompts/get', 'messages'],
  ['resources/read', 'contents'],
]);

/**
 * Agents drop an answer whose result is not valid. A server of the older versions that asks for input in its result would make the
 * agent answer us, who asked nothing. A tool may leave out its content, and anything may be in the lists.
 */
export function requireResult(result: unknown, { server: { name }, method }: HostedRequest): Fields {
  if (isObject(result) && !['input_required', 'task'].includes(`${result.resultType}`)) {
    const { [RESULT_LISTS.get(method) ?? '']: list = method === 'tools/call' ? [] : undefined } = result;
    if (!RESULT_LISTS.has(method) || (Array.isArray(list) && list.every(isObject))) return result;
  }
  throw new UserError(
    `The server ${name} sent an invalid answer to ${method}.${effectOf(method)} Tell the user.`,
  );
}

/** As the agent gets it; changes the result. @throws UserError if it cannot be redacted */
export async function shown(result: Fields, request: HostedRequest): Promise<Fields> {
  const { server, method, ctx } = request;
  try {
    const resources = resourcesIn(method, result);
    const kept = resources.length > 0 ? await workspaceLinks(resources, request) : undefined;
    for (const resource of resources)
      if (!kept?.has(resource.uri)) resource.uri = hostedUri(server.slug, resource.uri);
    resources.forEach(asTextPage);
    const answer = withShownPictures(method, redacted(result, ctx));
    for (const resource of resourcesIn(method, answer)) letPageCall(resource, server);
    return answer;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `The answer of the server ${server.name} to ${method} cannot be shown. ${error.message}${effectOf(method)}`,
    );
  }
}

const effectOf = (method: string): string =>
  method === 'tools/call' ? ' It is unknown whether the call took effect.' : '';

const PARALLEL_LOOKUPS = 16;

/**
 * The URIs of files in workspace folders which the agent may read itself. Many servers link to files, but do not serve them as
 * resources. What a server lists it serves.
 */
async function workspaceLinks(
  resources: readonly { uri: string }[],
  { method, server, ctx }: HostedRequest,
): Promise<ReadonlySet<string>> {
  const named = new Set(resources.map(({ uri }) => uri).filter((uri) => /^file:/i.test(uri)));
  if (named.size === 0 || method === 'resources/read') return new Set(); // that has the URI which was asked for
  for (const { uri } of server.catalogue?.resources ?? []) named.delete(`${uri}`);
  const found = await inParallel([...named], PARALLEL_LOOKUPS, async (uri) => {
    const location = await ctx.files.locateUri(uri).catch(ifUserError(undefined));
    return location?.folder ? [uri] : [];
  });
  return new Set(found.flat());
}
