import type { RequestId } from '../../core/errorReply.ts';
import { clock } from '../../util/clock.ts';
import type { AgentLine, Open } from './jsonRpc.ts';

/** Answered only when the subscription ends, so never waited for (MCP 2026-07-28). */
const STREAM = 'subscriptions/listen';

/** The agent's unanswered requests, oldest first. An id may occur more than once. */
export class InFlight {
  readonly #open = new Set<Open>();
  readonly #onSettled: (open: Open) => void;
  #onDrained: () => void = () => {};

  /** @param onSettled called when a request is answered or no longer needs an answer */
  constructor(onSettled: (open: Open) => void = () => {}) {
    this.#onSettled = onSettled;
  }

  /** All open requests, streams included, in order of arrival. */
  get all(): Open[] {
    return [...this.#open];
  }

  /** Requests that stay open. */
  get streams(): Open[] {
    return this.all.filter(({ method }) => method === STREAM);
  }

  /** Requests that are waited for after stdin has ended. */
  get awaited(): Open[] {
    return this.all.filter(({ method }) => method !== STREAM);
  }

  /** Whether any request is waited for. */
  get isAwaited(): boolean {
    return this.#some(({ method }) => method !== STREAM) !== undefined;
  }

  /** Whether `initialize` is not answered yet. */
  get isOpening(): boolean {
    return this.#some(({ method }) => method === 'initialize') !== undefined;
  }

  has(open: Open): boolean {
    return this.#open.has(open);
  }

  /** The request that an answer is for. @param isRefused picks the newest: the id was used again while in use */
  get(id: RequestId | null, isRefused = false): Open | undefined {
    return isRefused ? this.all.findLast((open) => open.id === id) : this.#some((open) => open.id === id);
  }

  /** Whether a line still has to be sent: not if all its requests were cancelled or answered. */
  isOwed({ requests }: AgentLine): boolean {
    return requests.length === 0 || requests.some((open) => this.has(open));
  }

  /** Records a line of the agent. */
  sent({ requests, cancelled }: AgentLine): void {
    for (const request of requests) this.#open.add(request);
    for (const id of cancelled) {
      const open = this.get(id);
      if (open && open.method !== 'initialize') this.settle(open);
    }
  }

  /** A request is answered or no longer needs an answer. */
  settle(open: Open): void {
    this.#open.delete(open);
    this.#onSettled(open);
    this.#onDrained();
  }

  /** Resolves to true when everything is answered, or to false after `timeout` milliseconds. */
  drained(timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const inTime = clock.after(timeout, () => resolve(false));
      this.#onDrained = () => {
        if (this.isAwaited) return;
        inTime();
        resolve(true);
      };
      this.#onDrained();
    });
  }

  #some(fits: (open: Open) => boolean): Open | undefined {
    for (const open of this.#open) if (fits(open)) return open;
    return undefined;
  }
}
