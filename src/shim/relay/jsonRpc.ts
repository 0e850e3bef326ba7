/**
 * What the shim has to know of JSON-RPC: which lines ask, and which answer. Lines are bytes, so that they go
 * on as they came, without a copy on the heap.
 */
import type { ErrorReply, RequestId } from '../../core/errorReply.ts';
import { type Fields, fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import {
  idOfPart,
  isAnswer,
  isId,
  MAX_LINE,
  parseLine,
  refusalOf,
  tooLongReply,
} from '../../core/jsonRpc.ts';

/** Names a subscription in the `_meta` of what is sent for it (MCP 2026-07-28). */
export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

export interface Request {
  /** Null where the message can only be refused, as one of a batch, and has none. */
  id: RequestId | null;
  method: unknown;
  params: Fields;
}

/** A request that the agent has sent. */
export interface Open extends Request {
  line: AgentLine;
  /** How far it was when it last told. */
  progress?: number;
  /** Whether the shim is about to answer it, so that no window is asked. */
  isOwn?: boolean;
  /** Whether the agent has been told that this stream has begun. */
  isAcknowledged?: boolean;
}

/** One line of the agent. */
export interface AgentLine {
  /** As it came. */
  bytes: Buffer;
  isBatch: boolean;
  /** All that it asks, answered or not: it can only be sent again as a whole. */
  requests: Open[];
  /** Methods of its notifications. */
  notifications: string[];
  /** Requests of the window that the agent answers. */
  answers: RequestId[];
  /** Requests that the agent cancels: nothing is answered for them any more. */
  cancelled: RequestId[];
  /** How often it was sent to a window that went. */
  lost: number;
}

/** A line that the agent has sent, or what is answered where it is none. Undefined where it is empty. */
export function readAgentLine(bytes: Buffer): AgentLine | ErrorReply | undefined {
  const text = bytes.toString();
  if (text.trim() === '') return undefined;
  if (text.length > MAX_LINE) return tooLongReply(idOfPart(text, text.slice(-512)));
  const parsed = parseLine(text);
  if ('reply' in parsed) return parsed.reply;
  const isBatch = Array.isArray(parsed.value);
  const messages: unknown[] = [parsed.value].flat();
  const refusal = isBatch ? undefined : refusalOf(parsed.value);
  if (refusal) return refusal;
  const line: AgentLine = {
    ...{ bytes, isBatch, requests: [], lost: 0 },
    notifications: messages.filter(isNotification).map(({ method }) => method),
    answers: messages
      .filter(isAnswer)
      .map(({ id }) => id)
      .filter(isId),
    cancelled: messages.map(cancelledId).filter(isId),
  };
  for (const message of messages) {
    const { id, method, params } = fieldsOf(message);
    const refusal = refusalOf(message);
    if (refusal || (isId(id) && !isAnswer(message)))
      line.requests.push({
        id: refusal ? refusal.id : (id as RequestId),
        ...{ method, params: fieldsOf(params), line },
      });
  }
  return line;
}

/** A message of the window. */
export interface WindowMessage {
  id?: RequestId | null;
  kind: 'result' | 'error' | 'method';
  /** Reads it: an answer may be megabytes long. */
  fields(): Fields;
}

/**
 * The start of every answer, request and notification of the window: it writes `jsonrpc` and `id` first, so that an
 * answer of megabytes is recognised by its head.
 */
const HEAD = /^\{"jsonrpc":"2\.0",(?:"id":(null|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"),)?"(result|error|method)"/;
const HEAD_LENGTH = 512;

/** What a line of the window says; a batch of answers several. */
export function readWindowLine(line: Buffer): WindowMessage[] {
  const [head, id, kind] = HEAD.exec(line.toString('utf8', 0, HEAD_LENGTH)) ?? [];
  if (head !== undefined) {
    const fields = (): Fields => fieldsOf(parsedJson(line.toString()));
    return [{ ...(id && { id: JSON.parse(id) }), kind: kind as WindowMessage['kind'], fields }];
  }
  return [parsedJson(line.toString())]
    .flat()
    .filter(isObject)
    .map((fields) => ({
      ...('id' in fields && { id: fields.id as RequestId }),
      kind: 'method' in fields ? 'method' : 'result' in fields ? 'result' : 'error',
      fields: () => fields,
    }));
}

/** A message as a line of text. */
export const lineOf = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const isNotification = (value: unknown): value is { method: string } =>
  isObject(value) && value.jsonrpc === '2.0' && typeof value.method === 'string' && !('id' in value);

function cancelledId(value: unknown): unknown {
  const { method, params } = fieldsOf(value);
  return method === 'notifications/cancelled' ? fieldsOf(params).requestId : undefined;
}
