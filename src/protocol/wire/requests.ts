/** The requests of one connection that wait for their answers, those of the agent and those of the server, and the replies. */
import { randomBytes } from 'node:crypto';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  METHOD_NOT_FOUND,
  type ProtocolEra,
  ProtocolError,
  type RequestId,
} from '@modelcontextprotocol/server';
import { CANCELLED_BY_USER } from '../../core/cancelled.ts';
import { type ErrorReply, errorReply, LIMIT_REACHED, withDetails } from '../../core/jsonRpc.ts';
import { cutMiddle } from '../../core/text/cut.ts';
import { clock } from '../../util/clock.ts';
import { limitError } from '../errors.ts';

const MAX_OPEN = 1024;
/** Most UTF-16 units of all of them together. */
export const MAX_OPEN_SIZE = 64 * 1024 * 1024;
/** Most requests per second of one agent. Only an agent in a loop sends more. */
const MAX_RATE = 100_000;

export interface TakenRequest {
  method: string;
  /** UTF-16 units of its message, or of its whole batch. */
  size: number;
  batch?: Batch | undefined;
}

export class AgentRequests extends Map<RequestId, TakenRequest> {
  #size = 0;
  #second = { start: 0, count: 0 };

  /** @throws ProtocolError if it cannot be taken */
  begin(id: RequestId, request: TakenRequest): void {
    const now = clock.now();
    if (now - this.#second.start >= 1000) this.#second = { start: now, count: 0 };
    if (++this.#second.count > MAX_RATE) {
      const message = `More than ${MAX_RATE} requests came in a second. Wait a second, then send less.`;
      throw limitError(message, MAX_RATE, 'requests a second', { retryAfterMs: 1000 });
    }
    if (this.has(id)) {
      const shown = cutMiddle(JSON.stringify(id), 200);
      throw new ProtocolError(INVALID_REQUEST, `Invalid request: the id ${shown} is still in use.`);
    }
    if (this.size >= MAX_OPEN) {
      const message = `${MAX_OPEN} requests are open already. Wait for answers first.`;
      throw limitError(message, MAX_OPEN, 'open requests');
    }
    if (this.size > 0 && this.#size + request.size > MAX_OPEN_SIZE) {
      const message = `The open requests are ${MAX_OPEN_SIZE} characters long already. Wait for answers first.`;
      throw limitError(message, MAX_OPEN_SIZE, 'characters of open requests');
    }
    this.set(id, request);
    if (!request.batch) this.#size += request.size;
  }

  /** Does nothing if that id belongs to another request. */
  end(id: RequestId, request: TakenRequest): void {
    if (this.get(id) !== request) return;
    if (!request.batch) this.#size -= request.size;
    this.delete(id);
  }
}

/**
 * Gives the server's requests ids that are unique over all connections: `<8 hex digits>:<n>`. The SDK counts from 0 on each
 * connection, and a shim gives its client one connection after another. A late answer could otherwise match a request of the
 * next connection.
 */
export class ServerRequests {
  readonly #connection = randomBytes(4).toString('hex');
  /** Ids on the wire by the SDK's ids. */
  readonly #open = new Map<RequestId, string>();
  #count = 0;

  /** The message to send: a request and its cancellation get the id of the wire. */
  outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message)) return message;
    if ('id' in message) {
      const id = `${this.#connection}:${this.#count++}`;
      this.#open.set(message.id, id);
      return { ...message, id };
    }
    return message.method === 'notifications/cancelled' ? this.#takenBack(message) : message;
  }

  /** The answer with the SDK's id; undefined if no request waits for it. */
  incoming<T extends { id?: RequestId | undefined }>(answer: T): T | undefined {
    for (const [id, wired] of this.#open) {
      if (wired !== answer.id) continue;
      this.#open.delete(id);
      return { ...answer, id };
    }
    return undefined;
  }

  /** The id stays if it is the client's: the server can also end a request of the client with this notification. */
  #takenBack(message: JSONRPCNotification): JSONRPCNotification {
    const id = message.params?.requestId as RequestId;
    const requestId = this.#open.get(id);
    if (requestId === undefined) return message;
    this.#open.delete(id);
    return { ...message, params: { ...message.params, requestId } };
  }
}

export type WireReply = JSONRPCResultResponse | ErrorReply;

/** The code of a missing resource up to 2025-11-25. Since 2026-07-28 it is −32602, which the SDK always sends. */
const RESOURCE_NOT_FOUND = -32002;

export const errorReplyOf = (id: RequestId | null, { code, message, data }: ProtocolError): ErrorReply =>
  errorReply(id, code, message, data as object);

/** @param limit of a batch; left out if a single answer is longer than a JavaScript string can be */
export const tooLargeReply = (id: RequestId | null, limit: object = {}): ErrorReply =>
  errorReply(id, LIMIT_REACHED, 'The answer is too large to be sent. Ask for less at once.', limit);

/**
 * The SDK's reply with its id first (`{"jsonrpc":"2.0","id":…`), so that the shim finds it without parsing the text, and
 * with the error code of the era.
 */
export function replyInEra(reply: JSONRPCResponse, method: string, era: ProtocolEra | undefined): WireReply {
  const id = reply.id as RequestId;
  if ('result' in reply) return { jsonrpc: '2.0', id, result: reply.result };
  const { data } = reply.error;
  const code = isMissingResource(reply, method, era) ? RESOURCE_NOT_FOUND : reply.error.code;
  const message =
    code === METHOD_NOT_FOUND ? `Method not found: ${cutMiddle(method, 200)}` : reply.error.message;
  return { jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } };
}

/** The SDK's ResourceNotFoundError is recognised by its `data.uri`. */
const isMissingResource = (
  { error }: JSONRPCErrorResponse,
  method: string,
  era: ProtocolEra | undefined,
): boolean =>
  era === 'legacy' &&
  (method === 'resources/read' || method === 'resources/subscribe') &&
  error.code === INVALID_PARAMS &&
  typeof (error.data as { uri?: unknown } | undefined)?.uri === 'string';

/** The reply to a request that the user has cancelled: of a tool, a result, because the model reads it; else an error. */
export function cancelledReply(id: RequestId, method: string, era: ProtocolEra | undefined): WireReply {
  if (method !== 'tools/call') return errorReply(id, INTERNAL_ERROR, CANCELLED_BY_USER);
  const result = { content: [{ type: 'text', text: CANCELLED_BY_USER }], isError: true };
  return { jsonrpc: '2.0', id, result: era === 'modern' ? { ...result, resultType: 'complete' } : result };
}

/** The reply as it was sent, which may be an error in place of one that is too large, and its size in UTF-16 units. */
export interface SentReply {
  sent: WireReply | undefined;
  size: number;
}

/** Most UTF-16 units of all answers to a batch. */
export const MAX_BATCH_ANSWER = 64 * 1024 * 1024;

const BATCH_LIMIT = { limit: MAX_BATCH_ANSWER, unit: 'characters of the answers to a batch' };

/** A JSON-RPC batch (MCP up to 2025-03-26): answered by one array, when all answers are known. */
export class Batch {
  readonly #replies: WireReply[] = [];
  readonly #send: (replies: readonly WireReply[]) => void;
  #open: number;
  #size = 0;

  /** @param size number of messages, each to be settled once */
  constructor(size: number, send: (replies: readonly WireReply[]) => void) {
    this.#open = size;
    this.#send = send;
  }

  /**
   * A message is answered, or needs no answer. All answers wait for the last one, so those past {@link MAX_BATCH_ANSWER} are
   * replaced by errors.
   */
  settle(reply?: WireReply): SentReply {
    const size = reply ? JSON.stringify(reply).length : 0;
    const fits = this.#size + size <= MAX_BATCH_ANSWER;
    const sent = reply && !fits ? tooLargeReply(reply.id as RequestId, BATCH_LIMIT) : reply;
    if (sent) this.#replies.push(sent);
    if (fits) this.#size += size;
    this.#open--;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(this.#replies);
    return { sent, size: fits ? size : 0 };
  }
}
