import { randomBytes } from 'node:crypto';
import type { JSONRPCMessage, JSONRPCNotification, RequestId } from '@modelcontextprotocol/server';

/**
 * Gives the server's requests ids that no other connection has: `<8 hex digits>:<n>`. The SDK counts from 0 on each
 * connection, and a shim puts one connection after the other before the same client: a late answer on the next one would
 * answer another question.
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

  /** If the server ends a request of the client by this notification, the id is the client's and stays. */
  #takenBack(message: JSONRPCNotification): JSONRPCNotification {
    const id = message.params?.requestId as RequestId;
    const requestId = this.#open.get(id);
    if (requestId === undefined) return message;
    this.#open.delete(id);
    return { ...message, params: { ...message.params, requestId } };
  }
}
