import { CancelledError } from '../core/errors.ts';
import { unlessAborted } from './deadline.ts';

/** Work that is done once for all who ask for it. It is stopped when the last of them has been cancelled. */
export class SharedRun<T> {
  /** Of the work, whoever waits for it. */
  readonly result: Promise<T>;
  readonly #stop = new AbortController();
  #waiting = 0;
  #isOver = false;

  /** @param run called at once; what its signal stops rejects */
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
   * Waits for the result. Who passes no signal is never cancelled.
   *
   * @throws CancelledError, or what the work threw
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
