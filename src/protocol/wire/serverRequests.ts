import { randomBytes } from 'node:crypto';
import type { JSONRPCMessage, JSONRPCNotification, RequestId } from '@modelcontextprotocol/server';

/**
 * The requests that the server sends to its client, by ids that no other connection has: `<8 hex digits>:<n>`. The SDK counts
 * from 0 on each, and a shim lays several connections, one after the other, before the same client: a late answer to a
 * request of one that is gone would be taken for the answer to another question.
 */
export class ServerRequests {
  readonly #connection = randomBytes(4).toString('hex');
  /** Ids on the wire, by the SDK's. */
  readonly #open = new Map<RequestId, string>();
  #count = 0;

  /** A message of the server as it goes out: a request, and what takes one back, with the id of the wire. */
  outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message)) return message;
    if ('id' in message) {
      const id = `${this.#connection}:${this.#count++}`;
      this.#open.set(message.id, id);
      return { ...message, id };
    }
    return message.method === 'notifications/cancelled' ? this.#takenBack(message) : message;
  }

  /** An answer as the SDK knows it; undefined where it is to nothing that waits for one. */
  incoming<T extends { id?: RequestId | undefined }>(answer: T): T | undefined {
    for (const [id, wired] of this.#open) {
      if (wired !== answer.id) continue;
      this.#open.delete(id);
      return { ...answer, id };
    }
    return undefined;
  }

  /** Where the server ends a request of the client by this notification, it is the client's id and stays. */
  #takenBack(message: JSONRPCNotification): JSONRPCNotification {
    const id = message.params?.requestId as RequestId;
    const requestId = this.#open.get(id);
    if (requestId === undefined) return message;
    this.#open.delete(id);
    return { ...message, params: { ...message.params, requestId } };
  }
}
