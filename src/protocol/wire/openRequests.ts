/** The requests of one connection that wait for their answers: those of the agent, and those of the server. */
import { randomBytes } from 'node:crypto';
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  type JSONRPCNotification,
  ProtocolError,
  type RequestId,
} from '@modelcontextprotocol/server';
import { cutMiddle } from '../../core/text/cutText.ts';
import { clock } from '../../util/clock.ts';
import { limitError } from '../errors.ts';
import type { Batch } from './replies.ts';

/** Most requests that one agent may have open. */
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

/** The requests of the agent, by id. */
export class AgentRequests extends Map<RequestId, TakenRequest> {
  #size = 0;
  /** The current second, and the number of its requests. */
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
