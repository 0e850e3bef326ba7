import { type Fields, fieldsOf, isObject, parsedJson } from './json.ts';
import { cutMessage } from './text/cut.ts';
import { lazyPattern } from './text/lazyPattern.ts';

/** Checks lines by JSON-RPC 2.0, whatever their method. Used by both the window and the shim. */

export type RequestId = string | number;

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

/** Longest line that is read, in UTF-16 units: 16 MB of ASCII. */
export const MAX_LINE = 16 * 1024 * 1024;
/** Most messages of one batch: each can cause an answer many times its size. */
export const MAX_BATCH = 1024;

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
/** A limit is reached; the data says which. JSON-RPC reserves −32000 to −32099 for servers. */
export const LIMIT_REACHED = -32000;

export function errorReply(id: RequestId | null, code: number, whole: string, data?: object): ErrorReply {
  const message = cutMessage(whole);
  return { jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } };
}

/**
 * The `data` of an error. `details` repeats the message for clients that show only the name of the error code. The error's own data
 * is added to it.
 */
export const withDetails = (data: unknown, details: string): object =>
  typeof data === 'object' && data !== null ? { details, ...data } : { details };

/** @param id undefined if the part of the line that was read has none */
export const tooLongReply = (id: RequestId | undefined): ErrorReply =>
  errorReply(
    id ?? null,
    LIMIT_REACHED,
    `The message is longer than ${MAX_LINE} characters, so it was not read. Send less at once.`,
    { limit: MAX_LINE, unit: 'characters of one message' },
  );

/** MCP 2025-03-26 requires batches, 2025-06-18 removed them. */
export const takesBatches = (version: string | undefined): boolean =>
  version === undefined || version <= '2025-03-26';

export const noBatches = (version: string | undefined): ErrorReply =>
  errorReply(null, INVALID_REQUEST, `Invalid request: protocol version ${version} does not allow batches.`);

export const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

export const isAnswer = (value: unknown): value is Fields =>
  isObject(value) && ('result' in value || 'error' in value) && !('method' in value);

/** The value of a line (a message, or a batch that is not empty), or the reply that refuses the whole line. */
export function parseLine(line: string): { value: unknown } | { reply: ErrorReply } {
  let value: unknown;
  try {
    // Pipes of Windows PowerShell start with a byte order mark.
    value = JSON.parse(line.startsWith('\uFEFF') ? line.slice(1) : line);
  } catch (error) {
    const message = `Parse error: the line is not JSON (${(error as Error).message}).`;
    return { reply: errorReply(null, PARSE_ERROR, message) };
  }
  const count = Array.isArray(value) ? value.length : 1;
  if (count === 0) return { reply: refusal(null, 'the batch is empty.') };
  if (count > MAX_BATCH)
    return { reply: refusal(null, `a batch may contain ${MAX_BATCH} messages; this one has ${count}.`) };
  return { value };
}

/** The reply to a message that is no answer, nor a valid request or notification (JSON-RPC 2.0, section 4). */
export function refusalOf(value: unknown): ErrorReply | undefined {
  if (!isObject(value)) return refusal(null, 'a message must be a JSON object.');
  if (value.method === undefined && isAnswer(value)) return undefined;
  const hasId = 'id' in value;
  const id = isId(value.id) ? value.id : null;
  if (value.jsonrpc !== '2.0') return refusal(id, '"jsonrpc" must be "2.0".');
  if (hasId && id === null) return refusal(id, '"id" must be a string or an integer, not null.');
  if (typeof value.method !== 'string') return refusal(id, '"method" must be a string.');
  // A message without an id gets no answer, so it cannot be refused either.
  if (hasId && ('result' in value || 'error' in value))
    return refusal(id, 'a message has "method", or "result" or "error", not both.');
  return undefined;
}

export const CANCELLED_METHOD = 'notifications/cancelled';

/** The id of the request that a valid notification cancels. With an id it is a request, which is answered and cancels nothing. */
export function cancelledBy(message: unknown): RequestId | undefined {
  const { id, method, params } = fieldsOf(message);
  const { requestId } = fieldsOf(params);
  const cancels = method === CANCELLED_METHOD && id === undefined && !refusalOf(message);
  return cancels && isId(requestId) ? requestId : undefined;
}

const refusal = (id: RequestId | null, problem: string): ErrorReply =>
  errorReply(id, INVALID_REQUEST, `Invalid request: ${problem}`);

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d{1,15})';
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"';
/** The id at the top level only: among the first members of the message, or the last ones. */
const first = /* @__PURE__ */ lazyPattern(() => new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*,`));
const last = /* @__PURE__ */ lazyPattern(() => new RegExp(`,\\s*${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`));

/** The id of a message of which only the start and the end were kept; undefined if neither has it. */
export function idOfPart(beginning: string, ending: string): RequestId | undefined {
  const found = first().exec(beginning)?.[1] ?? last().exec(ending)?.[1];
  return found === undefined ? undefined : (parsedJson(found) as RequestId | undefined); // an escape may be invalid
}
