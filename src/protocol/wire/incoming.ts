/**
 * Checks a message before the SDK sees it. The SDK's own stdio transport is silent where JSON-RPC 2.0 requires an answer (a
 * message that is not a request), answers invalid params with −32603 and a dump of its schema, or not at all, and does not
 * know the older spellings that agents still use.
 */

import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  type JSONRPCRequest,
  METHOD_NOT_FOUND,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  ProtocolError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { type Fields, isObject } from '../../core/json.ts';
import { type ErrorReply, errorReply, isId, type RequestId, refusalOf } from '../../core/jsonRpc.ts';
import { cutMiddle } from '../../core/text/cut.ts';

/**
 * A message, or the reply to an invalid one. Neither for an invalid response: it is never answered, or two peers could answer
 * each other for ever.
 */
export interface Incoming {
  message?: JSONRPCMessage;
  reply?: ErrorReply;
}

/** The members of JSON-RPC; the SDK drops a message that has others. An answer has no method. */
interface Request {
  jsonrpc: '2.0';
  id?: RequestId;
  method?: string;
  params?: Fields | null;
}

/** @param value a parsed message, whose params are changed in place if they are in an older spelling */
export function readMessage(value: unknown): Incoming {
  const reply = refusalOf(value);
  if (reply) return { reply };
  const { id, method } = value as Request;
  const params = withoutEmptyLists((value as Request).params);
  if (method === undefined) return isResponse(value as Fields) ? { message: value as JSONRPCMessage } : {};
  const problem = problemOfParams(method, params ?? {});
  if (problem && id !== undefined) return { reply: invalidParams(id, method, params, problem) };
  const message: Request = { jsonrpc: '2.0', method };
  if (id !== undefined) message.id = id;
  else if (method === 'initialized') message.method = 'notifications/initialized';
  if (!problem && params) message.params = inTodaysSpelling(method, params);
  return { message: message as JSONRPCMessage };
}

/** PHP, Lua and Perl write an empty object as `[]`, unless their program takes care. */
function withoutEmptyLists(params: unknown): Fields | undefined {
  if (Array.isArray(params) && params.length === 0) return undefined;
  if (isObject(params))
    for (const name of ['arguments', '_meta', 'capabilities'])
      if (Array.isArray(params[name]) && params[name].length === 0) params[name] = {};
  return params as Fields;
}

const isResponse = (value: Fields): boolean =>
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  ('result' in value ? isObject(value.result) : isObject(value.error));

const invalidParams = (id: RequestId, method: string, params: unknown, problem: string): ErrorReply =>
  method === 'initialize' && isStateless(params)
    ? errorReply(id, METHOD_NOT_FOUND, `Method not found: ${method}. It does not exist in the named version.`)
    : errorReply(id, INVALID_PARAMS, `Invalid params for ${cutMiddle(method, 200)}: ${problem}`);

/** The problem with the params of a request, as a sentence; undefined if they are valid. */
function problemOfParams(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return 'they have to be an object.';
  const { _meta: meta, name, arguments: args } = params;
  const problem = meta === undefined || meta === null ? undefined : problemOfMeta(meta);
  if (problem) return problem;
  if (method === 'initialize') return problemOfInitialize(params);
  if (method !== 'tools/call') return undefined;
  if (typeof name !== 'string') return '"name" has to be the name of a tool.';
  const isAbsent = args === undefined || args === null;
  return isAbsent || isObject(args) ? undefined : '"arguments" have to be an object.';
}

function problemOfMeta(meta: unknown): string | undefined {
  if (!isObject(meta)) return '"_meta" has to be an object.';
  const { progressToken: token, [RELATED_TASK]: task } = meta;
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token))
    return '"_meta.progressToken" has to be a string or a whole number.';
  if (task !== undefined && !(isObject(task) && typeof task.taskId === 'string'))
    return `"_meta" names a task ("${RELATED_TASK}") without a "taskId".`;
  return undefined;
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

function problemOfInitialize(params: Fields): string | undefined {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string')
    return '"protocolVersion" has to be a string such as "2025-11-25".';
  if (!isObject(capabilities)) return '"capabilities" has to be an object.';
  const isNamed =
    isObject(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string';
  return isNamed ? undefined : '"clientInfo" has to be an object with "name" and "version".';
}

/**
 * Rewrites older spellings that are in use: `cursor: null` for the first page, `_stream: true` in a call (progress carries the
 * stream), `null` for a missing member, `true` as a capability.
 */
function inTodaysSpelling(method: string, params: Fields): Fields {
  for (const name of ['cursor', 'arguments', '_meta']) if (params[name] === null) delete params[name];
  delete params._stream;
  if (method === 'initialize' && isObject(params.capabilities))
    params.capabilities = withObjects(params.capabilities);
  return params;
}

/** Capabilities are objects. Clients write `true` for an empty one, mostly `experimental: {"customFeature": true}`. */
const withObjects = (capabilities: object, isInner = false): object =>
  Object.fromEntries(
    Object.entries(capabilities)
      .map(([name, value]) => [name, value === true ? {} : value] as const)
      .filter(([, value]) => isObject(value))
      .map(([name, value]) => [name, name === 'experimental' && !isInner ? withObjects(value, true) : value]),
  );

/** The stateless versions, 2026-07-28 and later, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The versions that open with `initialize`, newest first. The SDK's list also has a draft of 2024. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Whether a request names a stateless version, which has no `initialize`. */
function isStateless(params: unknown): boolean {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && MODERN_VERSIONS.some((version) => version === meta[PROTOCOL_VERSION_META_KEY]);
}

/**
 * Checks that the SDK lacks: the version of each request after the first, and that `initialize` is not in a batch.
 *
 * @throws ProtocolError −32022 or −32600
 */
export function requireServed(
  { method, params }: JSONRPCRequest,
  era: ProtocolEra | undefined,
  isInBatch: boolean,
): void {
  if (isInBatch && method === 'initialize')
    throw new ProtocolError(INVALID_REQUEST, 'Invalid request: initialize is not allowed in a batch.');
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (era !== 'modern' || typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return;
  throw new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}
