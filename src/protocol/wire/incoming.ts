/**
 * Reads the text of a message before the SDK sees it. The SDK's own stdio transport is silent where JSON-RPC 2.0
 * requires an answer (a batch, a text that is not JSON, a message that is no request), and does not know the older
 * spellings that agents still use.
 */
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type RequestId,
} from '@modelcontextprotocol/server';
import { MAX_BATCH } from '../../core/jsonRpc.ts';
import { cutMiddle } from '../../core/text/cutText.ts';
import { inTodaysSpelling, type Spelled } from './legacySpelling.ts';
import { type ErrorReply, errorReply } from './replies.ts';
import { isObject, isStateless, problemOfParams } from './validateParams.ts';

/** One message, or what is read of it. */
export type Item =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'reply'; reply: ErrorReply }
  /** An invalid response: it is never answered, or two peers could answer each other for ever. */
  | { kind: 'nothing' };

export type Incoming = Item | { kind: 'batch'; items: Item[] };

export function readText(text: string): Incoming {
  let value: unknown;
  try {
    // Pipes of Windows PowerShell begin with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse(null, PARSE_ERROR, `Parse error: the message is not JSON (${(error as Error).message}).`);
  }
  if (!Array.isArray(value)) return readMessage(value);
  if (value.length === 0) return refuse(null, INVALID_REQUEST, 'Invalid request: the batch is empty.');
  if (value.length > MAX_BATCH) {
    const message = `Invalid request: a batch may hold ${MAX_BATCH} messages; this one has ${value.length}.`;
    return refuse(null, INVALID_REQUEST, message);
  }
  return { kind: 'batch', items: value.map(readMessage) };
}

function readMessage(value: unknown): Item {
  if (!isObject(value)) return refuse(null, INVALID_REQUEST, 'Invalid request: a message is a JSON object.');
  const isAnswer = 'result' in value || 'error' in value;
  if (isAnswer && !('method' in value))
    return isResponse(value) ? { kind: 'message', message: value as unknown as JSONRPCMessage } : NOTHING;
  const id = isId(value.id) ? value.id : null;
  const problem = problemOfRequest(value, isAnswer);
  if (problem) return refuse(id, INVALID_REQUEST, `Invalid request: ${problem}`);
  return readCall(value as unknown as Spelled, id);
}

/** Why a message with a method is no request and no notification, by JSON-RPC 2.0 (section 4). */
function problemOfRequest(value: Record<string, unknown>, isAnswer: boolean): string | undefined {
  if (value.jsonrpc !== '2.0') return '"jsonrpc" has to be "2.0".';
  if ('id' in value && !isId(value.id)) return '"id" has to be a string or a whole number, not null.';
  if (typeof value.method !== 'string') return '"method" has to be a string.';
  // What has no id is answered by nothing, so it cannot be refused either.
  if ('id' in value && isAnswer) return 'it has a "method" and an answer; a message is one of both.';
  return undefined;
}

function readCall(call: Spelled, id: RequestId | null): Item {
  const { method } = call;
  const problem = problemOfParams(method, call.params);
  if (problem && id !== null && method === 'initialize' && isStateless(call.params))
    return refuse(id, METHOD_NOT_FOUND, `Method not found: ${method}. The version that it names has none.`);
  if (problem && id !== null)
    return refuse(id, INVALID_PARAMS, `Invalid params for ${cutMiddle(method, 200)}: ${problem}`);
  const message = inTodaysSpelling(problem ? { jsonrpc: '2.0', method } : call);
  return { kind: 'message', message: message as JSONRPCMessage };
}

const NOTHING = { kind: 'nothing' } as const;

const refuse = (id: RequestId | null, code: number, message: string): Item => ({
  kind: 'reply',
  reply: errorReply(id, code, message),
});

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const isResponse = (value: Record<string, unknown>): boolean =>
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  ('result' in value ? isObject(value.result) : isObject(value.error));

const ID = '"id"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|-?\\d{1,15})';
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"';
/** At the top level only: as the first members of the message, or as its last. */
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}\\s*,`);
const LAST = new RegExp(`,\\s*${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`);

/** The id of a message of which only the beginning and the ending were kept; null if neither has it. */
export function idOfPart(beginning: string, ending: string): RequestId | null {
  const found = FIRST.exec(beginning)?.[1] ?? LAST.exec(ending)?.[1];
  try {
    return found === undefined ? null : (JSON.parse(found) as RequestId);
  } catch {
    return null; // a text with an escape that JSON does not know
  }
}
