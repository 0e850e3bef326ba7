import { UserError } from '../core/errors.ts';

/**
 * How long the workbench may take for one answer, in milliseconds, where a caller names no other time. A busy one takes more
 * than ten seconds to open an editor; and an edit that is told to have failed, and then comes, is worse than a late answer.
 */
export const WORKBENCH_DEADLINE = 30_000;

/**
 * Waits for the workbench no longer than the deadline: where a browser or an SSH link has dropped, the extension host
 * lives on and its calls to the workbench are never answered.
 *
 * @param what what is waited for, as in "opening src/a.ts"
 * @throws UserError after the deadline
 */
export async function withDeadline<T>(
  promise: PromiseLike<T>,
  what: string,
  ms = WORKBENCH_DEADLINE,
): Promise<T> {
  const LATE = Symbol();
  const answer = await within(promise, ms, LATE);
  if (answer === LATE) throw new UserError(lateMessage(what, ms));
  return answer as T;
}

/** What the promise gives, or `otherwise` if it takes longer than `ms` milliseconds. */
export async function within<T, U>(promise: PromiseLike<T>, ms: number, otherwise: U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<U>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
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

const lateMessage = (what: string, ms: number): string =>
  `VS Code did not answer within ${ms / 1000} s while ${what}. The window may be busy or have lost its connection; try again, or ask the person to reload the window.`;
