import { LOG_LEVEL_META_KEY, type LoggingLevel } from '@modelcontextprotocol/server';
import { ifUserError, UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import {
  type Caller,
  type Hosted,
  type HostedClient,
  hostedUri,
  InputRequired,
  type ServerMessage,
} from '../../hosting/index.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Call } from '../call.ts';
import type { Context } from '../context.ts';
import { redacted, redactedError, redactedIfPossible, resourcesIn, withShownPictures } from './shown.ts';

export interface SendOptions {
  /** The request changes nothing, so it is repeated once if the server ends meanwhile. */
  readOnly: boolean;
  /** Answers questions of a modern server. */
  caller?: Caller;
  /** Ends the request; that of the call if left out. */
  signal?: AbortSignal;
  /** Called once the server runs, directly before the request is sent. @throws UserError to send nothing */
  check?(): void;
}

/**
 * Sends a request of an agent to a server, and gives the agent its progress and log messages meanwhile. URIs are those that agents
 * see, and everything of the server is redacted.
 *
 * @returns the result; an `InputRequired` if there is a caller
 * @throws UserError; CancelledError; ProtocolError of the server
 */
export async function send(
  server: Hosted,
  [method, params]: readonly [method: string, params: Fields],
  ctx: Context,
  call: Call,
  { readOnly, caller, signal = call.signal, check = () => ctx.hosted.requireUsable(server) }: SendOptions,
): Promise<unknown> {
  const request = (client: HostedClient) => {
    check();
    const options = { onProgress: progressOf(call, ctx), signal, caller };
    return client.request(method, withMeta(params, call, client.era === 'modern'), options);
  };
  const onMessage = (message: ServerMessage) => passOn(message, server, ctx, call);
  const result = await ctx.hosted.use(server, request, { readOnly, signal, onMessage }).catch((error) => {
    throw redactedError(error, ctx);
  });
  if (result instanceof InputRequired) return result.with(redacted(result.requests, ctx));
  return await shown(requireResult(result, server, method), server, method, ctx);
}

/** @throws UserError if it does not start in time; CancelledError */
export async function waitForStart(server: Hosted, ctx: Context, { signal }: Call): Promise<void> {
  await ctx.hosted
    .use(server, async () => {}, { signal })
    .catch((error) => {
      throw redactedError(error, ctx);
    });
}

/** The list in each result: without it agents drop the answer, and wait without end or end the session. */
const LISTS = new Map([
  ['tools/call', 'content'],
  ['prompts/get', 'messages'],
  ['resources/read', 'contents'],
]);

/**
 * Agents drop an answer whose result is not valid. A server of the older versions that asks for input in its result would make the
 * agent answer us, who asked nothing. A tool may leave out its content, and anything may be in the lists.
 */
function requireResult(result: unknown, { name }: Hosted, method: string): Fields {
  const { [LISTS.get(method) ?? '']: list = method === 'tools/call' ? [] : undefined } = fieldsOf(result);
  const isValid = !LISTS.has(method) || (Array.isArray(list) && list.every(isObject));
  if (isObject(result) && isValid && result.resultType !== 'input_required') return result;
  throw new UserError(
    `The server ${name} sent an invalid answer to ${method}.${effectOf(method)} Tell the user.`,
  );
}

/** As the agent gets it; changes the result. @throws UserError if it cannot be redacted */
async function shown(result: Fields, server: Hosted, method: string, ctx: Context): Promise<Fields> {
  try {
    const resources = resourcesIn(method, result);
    const kept = resources.length > 0 ? await workspaceLinks(method, resources, server, ctx) : undefined;
    for (const resource of resources)
      if (!kept?.has(resource.uri)) resource.uri = hostedUri(server.slug, resource.uri);
    return withShownPictures(method, redacted(result, ctx));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `The answer of the server ${server.name} to ${method} cannot be shown. ${error.message}${effectOf(method)}`,
    );
  }
}

const effectOf = (method: string): string =>
  method === 'tools/call' ? ' It is unknown whether the call took effect.' : '';

const LOOKS_AT_ONCE = 16;

/**
 * The URIs of files in workspace folders which the agent may read itself. Many servers link to files, but do not serve them as
 * resources. What a server lists it serves.
 */
async function workspaceLinks(
  method: string,
  resources: readonly { uri: string }[],
  { catalogue }: Hosted,
  { files }: Context,
): Promise<ReadonlySet<string>> {
  const named = new Set(resources.map(({ uri }) => uri).filter((uri) => /^file:/i.test(uri)));
  if (named.size === 0 || method === 'resources/read') return new Set(); // that has the URI which was asked for
  for (const { uri } of catalogue?.resources ?? []) named.delete(`${uri}`);
  const found = await inParallel([...named], LOOKS_AT_ONCE, async (uri) => {
    const location = await files.locateUri(uri).catch(ifUserError(undefined));
    return location?.folder ? [uri] : [];
  });
  return new Set(found.flat());
}

/** With what the agent sent along with its request, without what belongs to its own connection. Since 2026-07-28 each has the log level. */
function withMeta(params: Fields, { meta = {}, logLevel }: Call, isModern: boolean): Fields {
  const passed = Object.entries(meta).filter(
    ([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'),
  );
  if (isModern && logLevel) passed.push([LOG_LEVEL_META_KEY, logLevel]);
  if (passed.length === 0) return params;
  return { ...params, _meta: { ...fieldsOf(params._meta), ...Object.fromEntries(passed) } };
}

/** A server is asked for progress only if the agent wants it. */
const progressOf = ({ meta, progress }: Call, ctx: Context): ((params: Fields) => void) | undefined =>
  meta?.progressToken === undefined
    ? undefined
    : (params) => {
        const { total, message } = params;
        if (typeof params.progress !== 'number') return;
        progress(
          params.progress,
          typeof total === 'number' ? total : undefined,
          typeof message === 'string' ? redactedIfPossible(message, ctx) : undefined,
        );
      };

/** The server does not say which request its log messages belong to: all that wait for it get them. */
function passOn({ method, params }: ServerMessage, { slug }: Hosted, ctx: Context, call: Call): void {
  if (method !== 'notifications/message') return;
  const { level, logger, data } = params;
  const name = typeof logger === 'string' ? `${slug}/${logger}` : slug;
  const all = redactedIfPossible({ data, name }, ctx);
  if (all) call.log(level as LoggingLevel, all.data, all.name);
}
