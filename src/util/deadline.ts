import { UserError } from '../core/errors.ts';
import { clock } from './clock.ts';

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
export async function within<T, U>(promise: PromiseLike<T>, ms: number, otherwise: U): Promise<T | U> {
  let cancel = () => {}; // not Promise.withResolvers, which the shim's oldest Node lacks
  const late = new Promise<U>((resolve) => {
    cancel = clock.after(ms, () => resolve(otherwise));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** Resolves as the promise does, or to undefined once the signal is aborted. */
export async function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
