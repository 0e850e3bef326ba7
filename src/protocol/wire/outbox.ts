import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { CancelledError, throwIfCancelled } from '../../core/errors.ts';
import type { WireReply } from './requests.ts';

/** While an agent leaves more bytes unread, no more of its messages are taken, and changes wait. */
const MAX_UNREAD = 16 * 1024 * 1024;

/** Most bytes of one agent's answers that are in progress or unread. A single answer may be larger. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Notifications that must not be lost. Old progress and log messages are useless. */
const CHANGES = /(list_changed|updated|acknowledged|cancelled)$/;

/** What a message has to do with requests of the agent: a batch answers several; null stands for a message without an id. */
export type RelatedRequests = { answers: readonly (RequestId | null)[] } | { belongsTo: RequestId };

/** Sends texts to the agent as its transport requires: as lines, frames or events. */
export interface Outlet {
  /** Sends the JSON text of one message; does nothing once it has ended. */
  send(text: string, related?: RelatedRequests): void;
  /** Bytes that were sent and that the agent has not read. */
  unread(): number;
  /** Nothing more is sent. */
  end(): void;
}

/**
 * The sending half of the wire. It limits the memory of what the agent does not read: an agent may ask for a thousand files at
 * once and not read the answers.
 */
export class Outbox {
  isClosed = false;
  readonly #outlet: Outlet;
  /** Changes that wait until the agent reads again; one text waits only once. */
  readonly #changes = new Set<string>();
  #backlog: Promise<void> | undefined;
  #onDrained = (): void => {};
  /** Bytes of the answers in progress. */
  readonly #held = new Map<RequestId, number>();
  /** Answers that start when there is room for them. */
  #waiting: { id: RequestId; bytes: number; begin(): void }[] = [];

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Sends a message. Returns its size in UTF-16 units. */
  send(message: JSONRPCMessage | WireReply | readonly WireReply[], related?: RelatedRequests): number {
    if (this.isClosed) return 0;
    const text = JSON.stringify(message);
    const isNotification = 'method' in message && !('id' in message);
    if (!isNotification || this.#outlet.unread() <= MAX_UNREAD) this.#outlet.send(text, related);
    else if (CHANGES.test(message.method)) this.#changes.add(text);
    return text.length;
  }

  /** Resolves once the agent has read what was sent; undefined while it keeps up. */
  backlog(): Promise<void> | undefined {
    if (this.#outlet.unread() > MAX_UNREAD)
      this.#backlog ??= new Promise((resolve) => {
        this.#onDrained = resolve;
      });
    return this.#backlog;
  }

  /** The agent has read what was sent, or some of it. */
  drained(): void {
    if (this.isClosed || this.#outlet.unread() <= MAX_UNREAD) {
      this.#onDrained();
      this.#backlog = undefined;
      for (const text of this.#changes) this.#outlet.send(text);
      this.#changes.clear();
    }
    this.#startWaiting();
  }

  close(): void {
    this.isClosed = true;
    this.#onDrained(); // nobody waits for an agent that has gone
    this.#outlet.end();
  }

  /** Waits until an answer may take that many bytes, in order of requests. Held until {@link free}. @throws CancelledError */
  async makeRoom(id: RequestId, bytes: number, signal: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    if (this.#waiting.length === 0 && this.#hold(id, bytes)) return;
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(new CancelledError('The request was cancelled.'));
      };
      const begin = () => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      const waiting = { id, bytes, begin };
      signal.addEventListener('abort', end);
      this.#waiting.push(waiting);
    });
  }

  /** A request has ended: its answer is unread, or dropped. */
  free(id: RequestId): void {
    if (this.#held.delete(id)) this.#startWaiting();
  }

  #startWaiting(): void {
    for (let [first] = this.#waiting; first && this.#hold(first.id, first.bytes); [first] = this.#waiting) {
      this.#waiting.shift();
      first.begin();
    }
  }

  /** False if there is no room for so many bytes. */
  #hold(id: RequestId, bytes: number): boolean {
    let total = this.#outlet.unread();
    for (const held of this.#held.values()) total += held;
    if (total > 0 && total + bytes > MAX_BYTES) return false;
    this.#held.set(id, (this.#held.get(id) ?? 0) + bytes);
    return true;
  }
}
