import { randomBytes } from 'node:crypto';
import type { JSONRPCMessage, JSONRPCNotification, RequestId } from '@modelcontextprotocol/server';

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
