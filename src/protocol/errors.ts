import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { cutMiddle } from '../core/text/cutText.ts';
import { visible, visibleText } from '../core/text/escapeInvisible.ts';
import type { Call } from '../features/define.ts';
import type { Log } from '../util/log.ts';

/** Errors say with which value something is wrong, and an agent may send megabytes: the most of one, in UTF-16 units. */
const LONGEST = 8_000;

/**
 * An error that the agent is to read: it says what was wrong, with which value, and what to do. Everything else that
 * is thrown is ours to mend; the agent hears that it happened, the log says what.
 */
export class UserError extends Error {
  override name = 'UserError';

  /** @param lines whether the message has lines of its own; in any other one a newline is part of a name */
  constructor(message: string, { lines = false } = {}) {
    super(shown(message, lines ? visibleText : visible));
  }
}

/** The agent named something that is not there: a JSON-RPC error where a resource was asked for, a tool error in a tool. */
export class NotFoundError extends UserError {
  override name = 'NotFoundError';
}

/** Sent by a request that was cancelled; nothing of it reaches the wire. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}

/** Throws what ends a cancelled call. */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError('The request was cancelled.');
}

export const invalidParams = (message: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, shown(message, visible), data);

/** What agents and files are called may forge lines, or turn the direction of writing. */
const shown = (message: string, spellOut: (text: string) => string): string =>
  cutMiddle(spellOut(cutMiddle(message, LONGEST)), LONGEST);

/** What the system says is wrong, without the path, which our sentence names already. */
export const reasonOf = ({ message }: Error): string => message.replace(/, \w+ '.*$/s, '');

/** What an agent may know of an error: the text of a UserError, and of anything else only that it happened. */
export const messageFor = (error: unknown, what: string): string =>
  error instanceof UserError
    ? error.message
    : `${what} failed inside the extension. The person at the editor can see why with the command "Workspace MCP: Show Log".`;

/** As a JSON-RPC error, for methods that are not tool calls. */
export function toProtocolError(error: unknown, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const code = error instanceof UserError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, messageFor(error, method));
}

/**
 * What is the agent's to mend is noted; what is ours is logged in full, without anything that the agent sent, and the
 * agent hears that it happened.
 */
export function reportError(log: Log, call: Pick<Call, 'log'>, what: string, error: unknown): void {
  if (error instanceof CancelledError) log.debug(`${what} was cancelled`);
  else if (error instanceof UserError || error instanceof ProtocolError)
    log.info(`${what} was refused (${error.name})`);
  else {
    log.error(error instanceof Error ? error : new Error(`${what}: ${error}`));
    call.log('error', messageFor(error, what));
  }
}
