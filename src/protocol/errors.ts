import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { CancelledError, safeMessage, UserError } from '../core/errors.ts';
import { LIMIT_REACHED } from '../core/jsonRpc.ts';
import type { Call } from '../features/context.ts';
import type { Log } from '../util/log.ts';

export const invalidParams = (message: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, safeMessage(message), data);

export const limitError = (message: string, limit: number, unit: string, more: object = {}): ProtocolError =>
  new ProtocolError(LIMIT_REACHED, message, { limit, unit, ...more });

/** The message for the agent: the text of a UserError, or a generic one, because other errors are bugs. */
export const messageFor = (error: unknown, what: string): string =>
  error instanceof UserError
    ? error.message
    : `${what} failed inside the extension. The user can see why with the command "Workspace MCP: Show Log".`;

/** As a JSON-RPC error, for methods that are not tool calls. */
export function toProtocolError(error: unknown, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const code = error instanceof UserError ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, messageFor(error, method));
}

/**
 * Logs a mistake of the agent in one line. Anything else is a bug: the log gets the details, without the agent's data, and
 * the agent gets a generic message.
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
