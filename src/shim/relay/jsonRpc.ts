/**
 * The JSON-RPC that the shim needs: which lines are requests, and which are answers. Lines stay bytes, so that they are
 * forwarded unchanged and without a copy on the heap.
 */

import { type Fields, fieldsOf, isObject, parsedJson } from '../../core/json.ts';
import {
  cancelledBy,
  type ErrorReply,
  idOfPart,
  isId,
  MAX_LINE,
  parseLine,
  type RequestId,
  refusalOf,
  tooLongReply,
} from '../../core/jsonRpc.ts';

/** Key in `_meta` that names the subscription of a notification (MCP 2026-07-28). */
export const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

export interface AgentRequest {
  /** Null for an invalid message of a batch that has no id. */
  id: RequestId | null;
  method: unknown;
  params: Fields;
}

export interface OpenRequest extends AgentRequest {
  line: AgentLine;
  /** The last `progress` sent to the agent. */
  progress?: number;
  /** Whether the shim itself answers it. */
  isOwn?: boolean;
  /** Whether this stream has been acknowledged to the agent. */
  isAcknowledged?: boolean;
}

export interface AgentLine {
  bytes: Buffer;
  isBatch: boolean;
  /** All requests, answered or not: a line can only be sent again as a whole. */
  requests: OpenRequest[];
  notifications: string[];
  /** Ids of window requests that it answers. */
  answers: RequestId[];
  /** Ids of requests that it cancels: they get no answer. */
  cancelled: RequestId[];
  /** How often its window closed before it was answered. */
  lost: number;
}

/** Parses a line of the agent. Returns an error reply if it is invalid, undefined if it is empty. */
export function readAgentLine(bytes: Buffer): AgentLine | ErrorReply | undefined {
  const text = bytes.toString();
  if (text.trim() === '') return undefined;
  if (text.length > MAX_LINE) return tooLongReply(idOfPart(text, text.slice(-512)));
  const parsed = parseLine(text);
  if ('reply' in parsed) return parsed.reply;
  const { value } = parsed;
  const isBatch = Array.isArray(value);
  const line: AgentLine = {
    bytes,
    isBatch,
    lost: 0,
    requests: [],
    notifications: [],
    answers: [],
    cancelled: [],
  };
  for (const message of isBatch ? value : [value]) {
    const refusal = refusalOf(message);
    if (refusal && !isBatch) return refusal;
    addTo(line, refusal ? fieldsOf(message) : (message as Fields), refusal);
  }
  return line;
}

/** @param message valid, unless there is a refusal @param refusal of an invalid message, which is answered as a request is */
function addTo(line: AgentLine, message: Fields, refusal: ErrorReply | undefined): void {
  const { id, method } = message;
  const params = fieldsOf(message.params);
  line.cancelled.push(...[cancelledBy(message)].filter(isId));
  if (refusal) line.requests.push({ id: refusal.id, method, params, line });
  else if (method === undefined) line.answers.push(...[id].filter(isId));
  else if (id === undefined) line.notifications.push(method as string);
  else line.requests.push({ id: id as RequestId, method, params, line });
}

/** Whether a request is answered only when the subscription ends, so never waited for (MCP 2026-07-28). */
export const isStream = ({ method }: AgentRequest): boolean => method === 'subscriptions/listen';

/** The version that a request names. Only stateless versions do. */
export function versionIn({ _meta: meta }: Fields): string | undefined {
  const version = fieldsOf(meta)['io.modelcontextprotocol/protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** What the client of a request says of itself. Only stateless versions do that in each. */
export const clientInfoIn = ({ _meta: meta }: Fields): unknown =>
  fieldsOf(meta)['io.modelcontextprotocol/clientInfo'];

export interface WindowMessage {
  id?: RequestId | null;
  kind: 'result' | 'error' | 'method';
  /** Parses the message, on demand: an answer may have megabytes. */
  fields(): Fields;
}

/**
 * The start of every message of a window. Windows write `jsonrpc` and `id` first, so that a large answer is recognised by
 * its head.
 */
const HEAD = /^\{"jsonrpc":"2\.0",(?:"id":(null|-?\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"),)?"(result|error|method)"/;
const HEAD_LENGTH = 512;

/** Parses a line of the window: one message, or several for a batch of answers. */
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

export const lineOf = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
