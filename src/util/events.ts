import { clock, unlessAborted, within } from './clock.ts';

export class Emitter<T = void> {
  readonly #listeners = new Set<{ listener: (event: T) => void }>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** A function that is added twice is called twice. */
  listen(listener: (event: T) => void): { dispose(): void } {
    const own = { listener };
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  fire(event: T): void {
    for (const { listener } of this.#listeners) listener(event);
  }
}

/**
 * Resolves once it is so, now or after a change; at the latest after so many milliseconds, or when the signal is aborted.
 *
 * @param listen to the changes
 */
export async function until(
  isSo: () => boolean,
  listen: (changed: () => void) => { dispose(): void },
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  if (isSo()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = listen(() => isSo() && resolve());
  await unlessAborted(within(promise, ms, undefined), signal);
  listening.dispose();
}

/**
 * Runs `action` once after a burst of calls: `pause` milliseconds after the last, and at most ten times that after the first.
 *
 * @param pause a function is called at each call, if the pause may change during a burst: milliseconds of quiet to wait for, and at
 *   most since the first call
 */
export function debounce(
  action: () => void,
  pause: number | (() => { quiet: number; atMost: number }),
): { (): void; dispose(): void } {
  let cancel: (() => void) | undefined;
  let first = 0;
  let disposed = false;
  const fire = () => {
    cancel = undefined;
    action();
  };
  const call = () => {
    if (disposed) return;
    if (cancel) cancel();
    else first = clock.now();
    const { quiet, atMost } = typeof pause === 'number' ? { quiet: pause, atMost: pause * 10 } : pause();
    cancel = clock.after(Math.max(0, Math.min(quiet, first + atMost - clock.now())), fire);
  };
  call.dispose = () => {
    cancel?.();
    disposed = true;
  };
  return call;
}

/** Returns a function that calls `changed` if the value differs from the last call, or from the start. */
export function whenDifferent(value: () => unknown, changed: () => void): () => void {
  let known = value();
  return () => {
    const before = known;
    known = value();
    if (known !== before) changed();
  };
}

/** How many times longer than the last run the pause after it is, and the least, in milliseconds. */
const REST = 4;
const LEAST = 250;

/**
 * Runs something at once when it is called, but in a fifth of the time at most, however often that is. Calls during a run or the
 * pause after it lead to one more run.
 *
 * @param run must not reject
 */
export function rested(run: () => Promise<void>): { (): void; dispose(): void } {
  let [isBusy, isWanted, isOver] = [false, false, false];
  let cancel = () => {};
  const call = async () => {
    isWanted = true;
    if (isBusy || isOver) return;
    [isBusy, isWanted] = [true, false];
    const start = clock.now();
    await run();
    if (isOver) return;
    cancel = clock.after(Math.max(LEAST, REST * (clock.now() - start)), () => {
      isBusy = false;
      if (isWanted) void call();
    });
  };
  const start = () => void call();
  start.dispose = () => {
    isOver = true;
    cancel();
  };
  return start;
}
