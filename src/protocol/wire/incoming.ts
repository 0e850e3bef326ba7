/**
 * Reads the text of a message before the SDK sees it. The SDK's own stdio transport is silent where JSON-RPC 2.0
 * requires an answer (a batch, a text that is not JSON, a message that is not a request), and does not know the older
 * spellings that agents still use.
 */
import { INVALID_PARAMS, type JSONRPCMessage, METHOD_NOT_FOUND } from '@modelcontextprotocol/server';
import { type ErrorReply, errorReply, type RequestId } from '../../core/errorReply.ts';
import { type Fields, isObject } from '../../core/json.ts';
import { isAnswer, isId, parseLine, refusalOf } from '../../core/jsonRpc.ts';
import { cutMiddle } from '../../core/text/cutText.ts';
import { inTodaysSpelling, type Spelled } from './legacySpelling.ts';
import { isStateless, problemOfParams } from './validateParams.ts';

/** One message, or the reply to an invalid one. */
export type Item =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'reply'; reply: ErrorReply }
  /** An invalid response: it is never answered, or two peers could answer each other for ever. */
  | { kind: 'nothing' };

export type Incoming = Item | { kind: 'batch'; items: Item[] };

export function readText(text: string): Incoming {
  const parsed = parseLine(text);
  if ('reply' in parsed) return { kind: 'reply', reply: parsed.reply };
  const { value } = parsed;
  return Array.isArray(value) ? { kind: 'batch', items: value.map(readMessage) } : readMessage(value);
}

function readMessage(value: unknown): Item {
  if (isAnswer(value))
    return isResponse(value) ? { kind: 'message', message: value as unknown as JSONRPCMessage } : NOTHING;
  const reply = refusalOf(value);
  return reply ? { kind: 'reply', reply } : readCall(value as unknown as Spelled);
}

function readCall(call: Spelled): Item {
  const { method } = call;
  const id = isId(call.id) ? call.id : null;
  const problem = problemOfParams(method, call.params);
  if (problem && id !== null && method === 'initialize' && isStateless(call.params))
    return refuse(
      id,
      METHOD_NOT_FOUND,
      `Method not found: ${method}. It does not exist in the named version.`,
    );
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

const isResponse = (value: Fields): boolean =>
  value.jsonrpc === '2.0' &&
  isId(value.id) &&
  ('result' in value ? isObject(value.result) : isObject(value.error));
