import { clock, delay } from '../../util/clock.ts';

/** Failures in a row after which a server is only started by the user. */
const TRIES = 5;
/** The first pause after a failure, the longest one, and how each grows, in milliseconds: 1, 4, 16 and 60 s. */
const FIRST = 1_000;
const LONGEST = 60_000;
const GROWTH = 4;

/** When a server that failed may be started again. */
export class BackOff {
  #failures = 0;
  #next = 0;

  /** Whether all tries are used up. */
  get isOver(): boolean {
    return this.#failures >= TRIES;
  }

  failed(): void {
    const pause = Math.min(FIRST * GROWTH ** this.#failures, LONGEST);
    this.#failures++;
    this.#next = clock.now() + pause;
  }

  reset(): void {
    this.#failures = 0;
    this.#next = 0;
  }

  /** Resolves once the next try may start, or the signal is aborted. */
  async pause(signal: AbortSignal): Promise<void> {
    const ms = this.#failures === 0 ? 0 : this.#next - clock.now();
    if (ms > 0) await delay(ms, signal).catch(() => {});
  }
}
