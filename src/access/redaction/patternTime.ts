import { bounded } from '../../util/runBounded.ts';

/** How long the patterns may take for one text, in milliseconds: the extension host waits meanwhile. */
export const TIME = 1_000;
/** How much longer than usual they may take for all texts together, in milliseconds, and what comes back of that in a second. */
const TIME_FOR_ALL = 2_000;
const COMES_BACK = 50;

/** The patterns took too long for a text. */
export class PatternsTooSlow extends Error {
  /** Milliseconds after which they were stopped; less than {@link TIME} if others had been too slow before. */
  readonly limit: number;

  constructor(limit: number) {
    super('The patterns took too long.');
    this.limit = limit;
  }
}

/** Limits how long patterns keep the extension host busy: for one text, and for many that are slow. One for the window. */
export class PatternTime {
  readonly #bounded: typeof bounded;
  readonly #now: () => number;
  #left = TIME_FOR_ALL;
  #at = 0;

  /** @param now milliseconds */
  constructor(run = bounded, now = () => performance.now()) {
    this.#bounded = run;
    this.#now = now;
  }

  /** @param length of the text, in UTF-16 units. @throws PatternsTooSlow */
  run<T>(length: number, find: () => T): T {
    const start = this.#now();
    const usual = 30 + length / 5_000;
    this.#left = Math.min(TIME_FOR_ALL, this.#left + ((start - this.#at) / 1_000) * COMES_BACK);
    const limit = Math.round(Math.min(TIME, usual + this.#left));
    try {
      return this.#bounded(find, limit);
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw isLate ? new PatternsTooSlow(limit) : error;
    } finally {
      this.#at = this.#now();
      this.#left = Math.max(0, this.#left - Math.max(0, this.#at - start - usual));
    }
  }
}
