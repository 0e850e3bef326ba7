import { cutMessage } from './text/cut.ts';
import { visible, visibleText } from './text/visible.ts';

/**
 * An error that the agent reads: what was wrong, with which value, and what to do. Anything else that is thrown is a
 * bug: the agent gets a generic message, the log gets the details.
 */
export class UserError extends Error {
  override name = 'UserError';

  /** @param lines whether newlines in the message are line breaks; otherwise they are escaped as parts of a name */
  constructor(message: string, { lines = false } = {}) {
    super(safeMessage(message, lines));
  }
}

/** The file, resource or window does not exist: a JSON-RPC error for a resource, a tool error in a tool. */
export class NotFoundError extends UserError {
  override name = 'NotFoundError';
}

/** Thrown by a cancelled request; no response is sent. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** For `catch`: a UserError becomes a value; any other error is rethrown. */
export const ifUserError =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof UserError) return value;
    throw error;
  };

/** For `catch`: a UserError or a cancellation is rethrown; any other error becomes the result of `otherwise`. */
export const unlessUserError =
  <T>(otherwise: () => T) =>
  (error: unknown): T => {
    if (error instanceof UserError || error instanceof CancelledError) throw error;
    return otherwise();
  };

/** @throws CancelledError once the signal is aborted */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError('The request was cancelled.');
}

/** Escapes invisible characters: names of agents and files can forge lines or change the writing direction. */
export function safeMessage(message: string, lines = false): string {
  const shown = lines ? visibleText : visible;
  return cutMessage(shown(cutMessage(message)));
}

/** The system's reason without the path, because our own sentence already has it. */
export const reasonOf = ({ message }: Error): string => message.replace(/, \w+ '.*$/s, '');

/** What a function returns; undefined if it throws. For calls of which the failure is an answer. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
