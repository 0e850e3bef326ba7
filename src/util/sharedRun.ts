import { CancelledError, throwIfCancelled } from '../core/errors.ts';

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
      return await (signal ? orCancelled(this.result, signal) : this.result);
    } finally {
      if (--this.#waiting === 0 && !this.#isOver) this.#stop.abort();
    }
  }
}

/** What the promise gives. @throws CancelledError as soon as the signal is aborted */
async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfCancelled(signal);
  const { promise: cancelled, reject } = Promise.withResolvers<never>();
  const end = () => reject(new CancelledError('The request was cancelled.'));
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([promise, cancelled]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
