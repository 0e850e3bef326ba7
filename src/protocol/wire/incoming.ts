/**
 * What one line from an agent is, before the SDK sees it. The SDK's own stdio transport is silent where JSON-RPC 2.0
 * owes an answer (a batch, a line that is not JSON, a message that is no request), and the older ways to write a
 * message that agents still use are unknown to it.
 */
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type RequestId,
} from '@modelcontextprotocol/server';
import { cutMiddle } from '../../core/text/cutText.ts';
import { type ErrorReply, errorReply } from './errorReply.ts';
import { inTodaysSpelling, type Spelled } from './legacySpelling.ts';
import { isObject, isStateless, problemOfParams } from './validateParams.ts';

/** Most messages of one batch: each can cost an answer many times its size. */
export const MAX_BATCH = 1024;

export type Incoming =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'reply'; reply: ErrorReply }
  /** A response that is none: it is never answered, or two peers could answer each other for ever. */
  | { kind: 'nothing' }
  | { kind: 'batch'; items: Exclude<Incoming, { kind: 'batch' }>[] };

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

function readCall(call: Spelled, id: RequestId | null): Exclude<Incoming, { kind: 'batch' }> {
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

const refuse = (
  id: RequestId | null,
  code: number,
  message: string,
): { kind: 'reply'; reply: ErrorReply } => ({
  kind: 'reply',
  reply: errorReply(id, code, message),
});

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id);

const isResponse = (value: Record<string, unknown>): boolean =>
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  ('result' in value ? isObject(value.result) : isObject(value.error));
