import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { Answers } from './batch.ts';
import type { Reply } from './replies.ts';

/** While an agent leaves more bytes unread, no more of its messages are taken, and changes wait. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** Notifications that must not be lost. Old progress and log messages are useless. */
const TELLS_OF_CHANGES = /(list_changed|updated|acknowledged|cancelled)$/;

/** What a message has to do with requests of the agent: a batch answers several; null stands for a message without an id. */
export type Place = { answers: readonly (RequestId | null)[] } | { belongsTo: RequestId };

/** Sends texts to the agent as its transport requires: as lines, frames or events. */
export interface Outlet {
  /** Sends the JSON text of one message; does nothing once it has ended. */
  send(text: string, place?: Place): void;
  /** Bytes that were sent and that the agent has not read. */
  unread(): number;
  /** Nothing more is sent. */
  end(): void;
}

/** The sending half of the pipeline. */
export class Outbox implements Answers {
  isClosed = false;
  readonly #outlet: Outlet;
  /** Changes that wait until the agent reads again; one text waits only once. */
  readonly #waiting = new Set<string>();
  #backlog: Promise<void> | undefined;
  #onDrained = (): void => {};

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  settle(reply?: Reply): number {
    return reply ? this.send(reply) : 0;
  }

  /** Sends a message. Returns its size in UTF-16 units. */
  send(message: JSONRPCMessage | Reply | readonly Reply[], place = placeOf(message)): number {
    if (this.isClosed) return 0;
    const text = JSON.stringify(message);
    const isNotification = 'method' in message && !('id' in message);
    if (!isNotification || !this.#isFull()) this.#outlet.send(text, place);
    else if (TELLS_OF_CHANGES.test(message.method)) this.#waiting.add(text);
    return text.length;
  }

  /** Resolves once the agent has read what was sent; undefined while it keeps up. */
  backlog(): Promise<void> | undefined {
    if (this.#isFull())
      this.#backlog ??= new Promise((resolve) => {
        this.#onDrained = resolve;
      });
    return this.#backlog;
  }

  /** The agent has read what was sent, or some of it. */
  drained(): void {
    if (this.#isFull() && !this.isClosed) return;
    this.#onDrained();
    this.#backlog = undefined;
    for (const text of this.#waiting) this.#outlet.send(text);
    this.#waiting.clear();
  }

  /** Bytes that were sent and that the agent has not read. */
  unread(): number {
    return this.#outlet.unread();
  }

  close(): void {
    this.isClosed = true;
    this.#onDrained(); // nobody waits for an agent that has gone
    this.#outlet.end();
  }

  #isFull(): boolean {
    return this.unread() > MAX_UNREAD;
  }
}

function placeOf(message: JSONRPCMessage | Reply | readonly Reply[]): Place | undefined {
  if ('method' in message) return undefined;
  return { answers: 'length' in message ? message.map(({ id }) => id) : [message.id ?? null] };
}
