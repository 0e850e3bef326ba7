/**
 * What one line from an agent is, before the SDK sees it. The SDK's own stdio transport is silent where JSON-RPC 2.0
 * owes an answer (a batch, a line that is not JSON, a message that is no request), and the older ways to write a
 * message that agents still use are unknown to it.
 */
import { INVALID_PARAMS, type JSONRPCMessage, METHOD_NOT_FOUND } from '@modelcontextprotocol/server';
import { type ErrorReply, errorReply, type RequestId } from '../../core/errorReply.ts';
import { type Fields, isAnswer, isId, isObject, parseLine, refusalOf } from '../../core/jsonRpc.ts';
import { cutMiddle } from '../../core/text/cutText.ts';
import { inTodaysSpelling, type Spelled } from './legacySpelling.ts';
import { isStateless, problemOfParams } from './validateParams.ts';

export type Incoming =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'reply'; reply: ErrorReply }
  /** A response that is none: it is never answered, or two peers could answer each other for ever. */
  | { kind: 'nothing' }
  | { kind: 'batch'; items: Exclude<Incoming, { kind: 'batch' }>[] };

export function readLine(line: string): Incoming {
  const parsed = parseLine(line);
  if ('reply' in parsed) return { kind: 'reply', reply: parsed.reply };
  const { value } = parsed;
  return Array.isArray(value) ? { kind: 'batch', items: value.map(readMessage) } : readMessage(value);
}

function readMessage(value: unknown): Exclude<Incoming, { kind: 'batch' }> {
  if (isAnswer(value))
    return isResponse(value) ? { kind: 'message', message: value as unknown as JSONRPCMessage } : NOTHING;
  const reply = refusalOf(value);
  return reply ? { kind: 'reply', reply } : readCall(value as unknown as Spelled);
}

function readCall(call: Spelled): Exclude<Incoming, { kind: 'batch' }> {
  const { method } = call;
  const id = isId(call.id) ? call.id : null;
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

const isResponse = (value: Fields): boolean =>
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  ('result' in value ? isObject(value.result) : isObject(value.error));
