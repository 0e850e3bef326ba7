/**
 * What one line from an agent is, before the SDK sees it. The SDK's own stdio transport is silent where JSON-RPC 2.0
 * owes an answer (a batch, a line that is not JSON, a message that is no request), and the older ways to write a
 * message that agents still use are unknown to it.
 */
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  isJSONRPCRequest,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import { cutMiddle } from '../core/cutText.ts';
import { MODERN_VERSIONS } from './versions.ts';

/** Most messages of one batch: each can cost an answer many times its size. */
export const MAX_BATCH = 1024;

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

export type Incoming =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'reply'; reply: ErrorReply }
  /** A response that is none: it is never answered, or two peers could answer each other for ever. */
  | { kind: 'nothing' }
  | { kind: 'batch'; items: Exclude<Incoming, { kind: 'batch' }>[] };

/** Errors may quote what came, such as a method's name, and that may be megabytes: the most of one, in UTF-16 units. */
const LONGEST = 8_000;

export function errorReply(id: RequestId | null, code: number, whole: string, data?: unknown): ErrorReply {
  const message = cutMiddle(whole, LONGEST);
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}

export function readLine(line: string): Incoming {
  let value: unknown;
  try {
    // Pipes of Windows PowerShell begin with a byte order mark.
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse(null, PARSE_ERROR, `Parse error: the line is not JSON (${(error as Error).message}).`);
  }
  if (!Array.isArray(value)) return readMessage(value);
  if (value.length === 0) return refuse(null, INVALID_REQUEST, 'Invalid request: the batch is empty.');
  if (value.length > MAX_BATCH) {
    const message = `Invalid request: a batch may hold ${MAX_BATCH} messages; this one has ${value.length}.`;
    return refuse(null, INVALID_REQUEST, message);
  }
  return { kind: 'batch', items: value.map(readMessage) };
}

function readMessage(value: unknown): Exclude<Incoming, { kind: 'batch' }> {
  if (!isObject(value)) return refuse(null, INVALID_REQUEST, 'Invalid request: a message is a JSON object.');
  const id = isId(value.id) ? value.id : null;
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return isResponse(value) ? { kind: 'message', message: value as unknown as JSONRPCMessage } : NOTHING;
  }
  if (value.jsonrpc !== '2.0')
    return refuse(id, INVALID_REQUEST, 'Invalid request: "jsonrpc" has to be "2.0".');
  if ('id' in value && id === null) {
    return refuse(
      null,
      INVALID_REQUEST,
      'Invalid request: "id" has to be a string or a whole number, not null.',
    );
  }
  if (typeof value.method !== 'string')
    return refuse(id, INVALID_REQUEST, 'Invalid request: "method" has to be a string.');
  const problem = problemOfParams(value.method, value.params);
  if (problem && id === null) return { kind: 'message', message: { jsonrpc: '2.0', method: value.method } };
  if (problem && value.method === 'initialize' && isStateless(value.params)) {
    const gone = 'Method not found: the version that the request names has no initialize.';
    return refuse(id, METHOD_NOT_FOUND, gone);
  }
  if (problem) return refuse(id, INVALID_PARAMS, `Invalid params for ${value.method}: ${problem}`);
  const message = inTodaysSpelling(value as unknown as Spelled) as JSONRPCMessage;
  // A request that does not fit its schema is never answered by the SDK.
  if (id !== null && !isJSONRPCRequest(message))
    return refuse(id, INVALID_PARAMS, `Invalid params for ${value.method}: "_meta" is not as MCP has it.`);
  return { kind: 'message', message };
}

const NOTHING = { kind: 'nothing' } as const;

const refuse = (
  id: RequestId | null,
  code: number,
  message: string,
): { kind: 'reply'; reply: ErrorReply } => ({
  kind: 'reply',
  reply: errorReply(id, code, message),
});

function problemOfCall({ name, arguments: given }: Record<string, unknown>): string | undefined {
  if (typeof name !== 'string') return '"name" has to be the name of a tool.';
  const isAbsent = given === undefined || given === null;
  return isAbsent || isObject(given) ? undefined : '"arguments" have to be an object.';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const isResponse = (value: Record<string, unknown>): boolean =>
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  ('result' in value ? isObject(value.result) : isObject(value.error));

/** The SDK answers these with −32603 and a dump of its schema; they are the caller's mistakes, in one sentence. */
function problemOfParams(method: string, params: unknown): string | undefined {
  if (params !== undefined && params !== null && !isObject(params)) return 'they have to be an object.';
  if (method === 'tools/call') return problemOfCall(params ?? {});
  if (method !== 'initialize') return undefined;
  const { protocolVersion, capabilities, clientInfo } = params ?? ({} as Record<string, unknown>);
  if (typeof protocolVersion !== 'string')
    return '"protocolVersion" has to be a string such as "2025-11-25".';
  if (!isObject(capabilities)) return '"capabilities" has to be an object.';
  if (
    !isObject(clientInfo) ||
    typeof clientInfo.name !== 'string' ||
    typeof clientInfo.version !== 'string'
  ) {
    return '"clientInfo" has to be an object with "name" and "version".';
  }
  return undefined;
}

/** Whether a request says by itself that it is of a stateless version: those have no `initialize` that could be wrong. */
function isStateless(params: unknown): boolean {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  return MODERN_VERSIONS.some((version) => version === meta[PROTOCOL_VERSION_META_KEY]);
}

interface Spelled {
  method: string;
  params?: Record<string, unknown> | null;
}

/**
 * Older spellings in use, as one of today: the bare `initialized`, `cursor: null` for the first page, `_stream: true`
 * in a call (progress carries the stream), `params: null` and `arguments: null` for none, `true` as a capability.
 */
function inTodaysSpelling(message: Spelled): Spelled {
  if (message.method === 'initialized') message.method = 'notifications/initialized';
  const { params } = message;
  if (params === null) delete message.params;
  if (!params) return message;
  if (params.cursor === null) delete params.cursor;
  if (params.arguments === null) delete params.arguments;
  if (message.method === 'initialize' && isObject(params.capabilities))
    params.capabilities = withObjects(params.capabilities);
  delete params._stream;
  return message;
}

/** Capabilities are objects; clients write `true` for an empty one, `experimental: {"customFeature": true}` above all. */
const withObjects = (capabilities: object): object =>
  Object.fromEntries(
    Object.entries(capabilities)
      .map(([name, value]) => [name, value === true ? {} : value] as const)
      .filter(([, value]) => isObject(value))
      .map(([name, value]) => [name, name === 'experimental' ? withObjects(value) : value]),
  );
