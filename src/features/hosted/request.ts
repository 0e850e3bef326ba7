import { LOG_LEVEL_META_KEY, type LoggingLevel } from '@modelcontextprotocol/server';
import { UserError } from '../../core/errors.ts';
import { type Fields, fieldsOf, isObject } from '../../core/json.ts';
import type { Caller, HostedClient } from '../../hosting/connection/client.ts';
import { InputRequired } from '../../hosting/connection/inputRounds.ts';
import type { RequestOptions } from '../../hosting/connection/peer.ts';
import { toHosted } from '../../hosting/names/rewriteUris.ts';
import type { Hosted } from '../../hosting/servers/hosted.ts';
import type { Call } from '../call.ts';
import type { Context } from '../context.ts';
import { requireServer } from './gone.ts';
import { withShownPictures } from './pictures.ts';
import { redacted, redactedError, redactedIfPossible } from './redacted.ts';
import { workspaceLinks } from './workspaceLinks.ts';

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
  { readOnly, caller, signal = call.signal, check }: SendOptions,
): Promise<unknown> {
  const all = { ...params, ...sentMeta(call) };
  const messages = passMessages(server, ctx, call);
  try {
    const request = async (client: HostedClient) => {
      requireServer(server, ctx);
      check?.();
      return await client.request(method, client.era === 'modern' ? withLogLevel(all, call) : all, {
        ...progressOf(call, ctx),
        signal,
        caller,
      });
    };
    const result = await ctx.hosted.use(server, request, { readOnly, signal }).catch((error) => {
      throw redactedError(error, ctx);
    });
    if (result instanceof InputRequired) return result.with(redacted(result.requests, ctx));
    return await shown(requireResult(result, server, method), server, method, ctx);
  } finally {
    messages.dispose();
  }
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

/** As the agent gets it. @throws UserError if it cannot be redacted */
async function shown(result: Fields, server: Hosted, method: string, ctx: Context): Promise<Fields> {
  const { name, slug } = server;
  try {
    const kept = await workspaceLinks(method, result, server, ctx);
    return withShownPictures(method, fieldsOf(redacted(toHosted(method, slug, result, kept), ctx)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `The answer of the server ${name} to ${method} cannot be shown. ${error.message}${effectOf(method)}`,
    );
  }
}

const effectOf = (method: string): string =>
  method === 'tools/call' ? ' It is unknown whether the call took effect.' : '';

/** What the agent sent along with its request, without what belongs to its own connection. */
function sentMeta({ meta }: Call): { _meta?: Fields } {
  const passed = Object.entries(meta ?? {}).filter(
    ([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/'),
  );
  return passed.length > 0 ? { _meta: Object.fromEntries(passed) } : {};
}

/** Since 2026-07-28 each request has it. */
const withLogLevel = (params: Fields, { logLevel }: Call): Fields =>
  logLevel ? { ...params, _meta: { ...fieldsOf(params._meta), [LOG_LEVEL_META_KEY]: logLevel } } : params;

/** A server is asked for progress only if the agent wants it. */
const progressOf = ({ meta, progress }: Call, ctx: Context): RequestOptions =>
  meta?.progressToken === undefined
    ? {}
    : {
        onProgress: (params) => {
          const { total, message } = params;
          if (typeof params.progress !== 'number') return;
          progress(
            params.progress,
            typeof total === 'number' ? total : undefined,
            typeof message === 'string' ? redactedIfPossible(message, ctx) : undefined,
          );
        },
      };

/** The server does not say which request its log messages belong to: all that wait for it get them. */
const passMessages = (server: Hosted, ctx: Context, call: Call): { dispose(): void } =>
  ctx.hosted.onNotification(server, (method, params) => {
    if (method !== 'notifications/message') return;
    const { level, logger, data } = params;
    const name = typeof logger === 'string' ? `${server.slug}/${logger}` : server.slug;
    const all = redactedIfPossible({ data, name }, ctx);
    if (all) call.log(level as LoggingLevel, all.data, all.name);
  });
