import type { RequestId } from '../../core/errorReply.ts';
import type { AgentLine, Open } from './jsonRpc.ts';

/** Answered only when the agent or the window ends the subscription, so never waited for (MCP 2026-07-28). */
const STREAM = 'subscriptions/listen';

/** The requests that the agent has sent and nobody has answered yet, the oldest first. An id may be there more than once. */
export class InFlight {
  readonly #open = new Set<Open>();
  readonly #onSettled: (open: Open) => void;
  #onDrained: () => void = () => {};

  /** @param onSettled called when a request is answered, or owed no answer any more */
  constructor(onSettled: (open: Open) => void = () => {}) {
    this.#onSettled = onSettled;
  }

  /** Requests that are owed an answer, streams included, in the order in which they came. */
  get all(): Open[] {
    return [...this.#open];
  }

  /** The streams: requests that stay open. */
  get streams(): Open[] {
    return this.all.filter(({ method }) => method === STREAM);
  }

  /** The requests that are waited for when the agent has sent its last. */
  get awaited(): Open[] {
    return this.all.filter(({ method }) => method !== STREAM);
  }

  /** Whether any request is. */
  get isAwaited(): boolean {
    return this.#some(({ method }) => method !== STREAM) !== undefined;
  }

  /** Whether the handshake has begun and is not answered. */
  get isOpening(): boolean {
    return this.#some(({ method }) => method === 'initialize') !== undefined;
  }

  has(open: Open): boolean {
    return this.#open.has(open);
  }

  /** The request that an answer is for. @param isRefused then the newest: an id that is in use was used again */
  get(id: RequestId | null, isRefused = false): Open | undefined {
    return isRefused ? this.all.findLast((open) => open.id === id) : this.#some((open) => open.id === id);
  }

  /** Whether a line still has to be sent: not where all that it asked was cancelled, or answered. */
  isOwed({ requests }: AgentLine): boolean {
    return requests.length === 0 || requests.some((open) => this.has(open));
  }

  /** Takes note of a line of the agent. */
  sent({ requests, cancelled }: AgentLine): void {
    for (const request of requests) this.#open.add(request);
    for (const id of cancelled) {
      const open = this.get(id);
      if (open && open.method !== 'initialize') this.settle(open);
    }
  }

  /** A request is answered, or owed no answer any more. */
  settle(open: Open): void {
    this.#open.delete(open);
    this.#onSettled(open);
    this.#onDrained();
  }

  /** Resolves to true once everything is answered, or to false after `timeout` milliseconds. */
  drained(timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeout, false);
      this.#onDrained = () => {
        if (this.isAwaited) return;
        clearTimeout(timer);
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
