import type { Clock } from './clock.ts';

/** Failures in a row after which a server is only started by the user. */
const TRIES = 5;
/** The first pause after a failure, the longest one, and how each grows, in milliseconds: 1, 4, 16 and 60 s. */
const FIRST = 1_000;
const LONGEST = 60_000;
const GROWTH = 4;

/** When a server that failed may be started again. */
export class BackOff {
  readonly #clock: Clock;
  #failures = 0;
  #next = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether all tries are used up. */
  get isOver(): boolean {
    return this.#failures >= TRIES;
  }

  failed(): void {
    const pause = Math.min(FIRST * GROWTH ** this.#failures, LONGEST);
    this.#failures++;
    this.#next = this.#clock.now() + pause;
  }

  reset(): void {
    this.#failures = 0;
    this.#next = 0;
  }

  /** Resolves once the next try may start, or the signal is aborted. */
  async pause(signal: AbortSignal): Promise<void> {
    const ms = this.#failures === 0 ? 0 : this.#next - this.#clock.now();
    if (ms <= 0 || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.after(ms, resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    cancel();
  }
}
