/** Checks lines by JSON-RPC 2.0, whatever their method. Used by both the window and the shim. */
import { type ErrorReply, errorReply, type RequestId } from './errorReply.ts';
import { type Fields, isObject } from './json.ts';

/** Longest line that is read, in UTF-16 units: 16 MB of ASCII. */
export const MAX_LINE = 16 * 1024 * 1024;
/** Most messages of one batch: each can cause an answer many times its size. */
export const MAX_BATCH = 1024;

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
/** A limit is reached; the data says which. JSON-RPC reserves −32000 to −32099 for servers. */
export const LIMIT_REACHED = -32000;

export const limitReached = (id: RequestId | null, message: string, limit: object): ErrorReply =>
  errorReply(id, LIMIT_REACHED, message, limit);

/** @param id undefined if the part of the line that was read has none */
export const tooLongReply = (id: RequestId | undefined): ErrorReply =>
  limitReached(
    id ?? null,
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
  if (count === 0) return refused('Invalid request: the batch is empty.');
  if (count > MAX_BATCH)
    return refused(`Invalid request: a batch may contain ${MAX_BATCH} messages; this one has ${count}.`);
  return { value };
}

const refused = (message: string) => ({ reply: errorReply(null, INVALID_REQUEST, message) });

/** The reply to a message that is not a valid answer, request or notification (JSON-RPC 2.0, section 4). */
export function refusalOf(value: unknown): ErrorReply | undefined {
  const problem = isAnswer(value) ? undefined : problemOf(value);
  const id = isObject(value) && isId(value.id) ? value.id : null;
  return problem === undefined ? undefined : errorReply(id, INVALID_REQUEST, `Invalid request: ${problem}`);
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'a message must be a JSON object.';
  if (value.jsonrpc !== '2.0') return '"jsonrpc" must be "2.0".';
  if ('id' in value && !isId(value.id)) return '"id" must be a string or an integer, not null.';
  if (typeof value.method !== 'string') return '"method" must be a string.';
  // A message without an id gets no answer, so it cannot be refused either.
  if ('id' in value && ('result' in value || 'error' in value))
    return 'a message has "method", or "result" or "error", not both.';
  return undefined;
}

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d{1,15})';
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"';
/** The id at the top level only: among the first members of the message, or the last ones. */
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*,`);
const LAST = new RegExp(`,\\s*${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`);

/** The id of a message of which only the start and the end were kept; undefined if neither has it. */
export function idOfPart(beginning: string, ending: string): RequestId | undefined {
  const found = FIRST.exec(beginning)?.[1] ?? LAST.exec(ending)?.[1];
  try {
    return found === undefined ? undefined : (JSON.parse(found) as RequestId);
  } catch {
    return undefined; // a string with an escape that is not valid JSON
  }
}
