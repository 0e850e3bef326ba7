import { clock, withLimit } from '../../../util/clock.ts';
import { KeyedQueue } from '../../../util/queues.ts';

/** The time for loading files, of several questions together: the servers' answers do not use it up. */
export class LoadingTime {
  readonly #turns = new KeyedQueue();
  #left: number;

  /** @param ms milliseconds */
  constructor(ms: number) {
    this.#left = ms;
  }

  /** Loads at its turn, if there is time left. */
  take(signal: AbortSignal, load: (limit: AbortSignal) => Promise<void>): Promise<void> {
    return this.#turns.take(this, async () => {
      const start = clock.now();
      if (this.#left > 0) await withLimit(this.#left, signal, load);
      this.#left -= clock.now() - start;
    });
  }
}
