/** The time by which limits and waits of the product go. Times of day are not its business: they are `Date`'s. */
export interface Clock {
  /** Milliseconds since the process began. */
  now(): number;
  /**
   * Calls back once after so many milliseconds.
   *
   * @param isIdle does not keep the process running for it
   * @returns a function that prevents it
   */
  after(ms: number, run: () => void, isIdle?: boolean): () => void;
}

const systemClock: Clock = {
  now: performance.now.bind(performance),
  after(ms, run, isIdle = false) {
    const timer = setTimeout(run, ms);
    if (isIdle) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A binding that tests replace: a call to it is not passed on. */
export let clock: Clock = systemClock;

/** For tests, which cannot wait for minutes. @param other the system's by default */
export function setClock(other: Clock = systemClock): void {
  clock = other;
}

/** Calls back again and again, each time after so many milliseconds. @returns a function that ends it */
export function every(ms: number, run: () => void, isIdle = false): () => void {
  const next = (): (() => void) =>
    clock.after(
      ms,
      () => {
        cancel = next();
        run();
      },
      isIdle,
    );
  let cancel = next();
  return () => cancel();
}

/** Waits so many milliseconds. @throws the signal's reason once it is aborted */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Aborted after so many milliseconds, with the reason of `AbortSignal.timeout`, and as that keeps no process running. */
export function timeout(ms: number): AbortSignal {
  const late = new AbortController();
  clock.after(ms, () => late.abort(new DOMException('The operation timed out.', 'TimeoutError')), true);
  return late.signal;
}
