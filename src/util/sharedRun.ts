import { CancelledError } from '../core/errors.ts';
import { unlessAborted } from './deadline.ts';

/** Work that is done once for all callers. It stops when the last of them is cancelled. */
export class SharedRun<T> {
  /** Result of the work, whether or not callers are waiting. */
  readonly result: Promise<T>;
  readonly #stop = new AbortController();
  #waiting = 0;
  #isOver = false;

  /** @param run called at once; must reject when its signal aborts */
  constructor(run: (signal: AbortSignal) => Promise<T>) {
    this.result = run(this.#stop.signal);
    const over = () => {
      this.#isOver = true;
    };
    this.result.then(over, over);
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /**
   * Waits for the result. Without a signal the caller is never cancelled.
   *
   * @throws CancelledError, or the work's error
   */
  async join(signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    try {
      if (!signal) return await this.result;
      const answer = await unlessAborted(
        this.result.then((value) => ({ value })),
        signal,
      );
      if (!answer) throw new CancelledError('The request was cancelled.');
      return answer.value;
    } finally {
      if (--this.#waiting === 0 && !this.#isOver) this.#stop.abort();
    }
  }
}
