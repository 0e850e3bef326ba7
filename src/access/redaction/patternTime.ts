import { clock } from '../../util/clock.ts';
import { bounded } from '../../util/runBounded.ts';

/** How long the patterns may take for one text, in milliseconds: they block the extension host. */
export const TIME = 1_000;
/** Extra time for all slow texts together, in milliseconds, and how much of it is restored per second. */
const TIME_FOR_ALL = 2_000;
const COMES_BACK = 50;

/** The patterns took too long for a text. */
export class PatternsTooSlow extends Error {
  /** Milliseconds after which they were stopped; less than {@link TIME} if other texts were slow before. */
  readonly limit: number;

  constructor(limit: number) {
    super('The patterns took too long.');
    this.limit = limit;
  }
}

/** Limits how long patterns block the extension host, for one text and for many slow ones. One instance per window. */
export class PatternTime {
  #left = TIME_FOR_ALL;
  #at = 0;

  /** @param length of the text, in UTF-16 units. @throws PatternsTooSlow */
  run<T>(length: number, find: () => T): T {
    const start = clock.now();
    const usual = 30 + length / 5_000;
    this.#left = Math.min(TIME_FOR_ALL, this.#left + ((start - this.#at) / 1_000) * COMES_BACK);
    const limit = Math.round(Math.min(TIME, usual + this.#left));
    try {
      return bounded(find, limit);
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw isLate ? new PatternsTooSlow(limit) : error;
    } finally {
      this.#at = clock.now();
      this.#left = Math.max(0, this.#left - Math.max(0, this.#at - start - usual));
    }
  }
}
