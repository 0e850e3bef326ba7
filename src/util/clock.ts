import { UserError } from '../core/errors.ts';

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

/** Runs something with a signal that aborts as the other one does, or after so many milliseconds. */
export async function withLimit<T>(
  ms: number,
  signal: AbortSignal,
  run: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const cancel = clock.after(ms, () => late.abort());
  return run(AbortSignal.any([signal, late.signal])).finally(cancel);
}

/**
 * Default deadline for one answer of the workbench, in milliseconds. A busy one takes more than ten seconds to open an editor,
 * and a late answer is better than an edit that is reported as failed and then applied.
 */
const WORKBENCH_DEADLINE = 30_000;

/**
 * Waits for the workbench at most until the deadline: after a browser or SSH connection drops, the extension host keeps
 * running, but its calls to the workbench are never answered.
 *
 * @param what the operation, as in "opening src/a.ts"
 * @throws UserError after the deadline
 */
export async function withDeadline<T>(
  promise: PromiseLike<T>,
  what: string,
  ms = WORKBENCH_DEADLINE,
): Promise<T> {
  const LATE = Symbol();
  const answer = await within(promise, ms, LATE);
  if (answer !== LATE) return answer as T;
  throw new UserError(
    `VS Code did not answer within ${ms / 1000} s while ${what}. The window may be busy or have lost its connection; try again, or ask the user to reload the window.`,
  );
}

/** The promise's value, or `otherwise` if it takes longer than `ms` milliseconds. */
export function within<T, U>(promise: PromiseLike<T>, ms: number, otherwise: U): Promise<T | U> {
  let cancel = () => {}; // not Promise.withResolvers, which the shim's oldest Node lacks
  const late = new Promise<U>((resolve) => {
    cancel = clock.after(ms, () => resolve(otherwise));
  });
  return Promise.race([promise, late]).finally(cancel);
}

/** Resolves as the promise does, or to undefined once the signal is aborted. */
export function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', end));
}
