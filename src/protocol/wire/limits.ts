import { ProtocolError } from '@modelcontextprotocol/server';
import { LIMIT_REACHED } from '../../core/jsonRpc.ts';

/** Most requests that one agent may have open. */
export const MAX_OPEN = 1024;
/** Most UTF-16 units of all of them together. */
export const MAX_OPEN_SIZE = 64 * 1024 * 1024;
/** Most UTF-16 units of all answers to a batch. */
export const MAX_BATCH_ANSWER = 64 * 1024 * 1024;
/** Most resources that one agent may have subscribed to: each change is compared with all of them. */
const MAX_SUBSCRIBED = 1_000;
/** Most UTF-16 units of their URIs. */
const MAX_SUBSCRIBED_SIZE = 1024 * 1024;
/** Most requests per second of one agent. Only an agent in a loop sends more. */
export const MAX_RATE = 100_000;

const limitReached = (message: string, limit: number, unit: string, more: object = {}): ProtocolError =>
  new ProtocolError(LIMIT_REACHED, message, { limit, unit, ...more });

export const tooMany = (): ProtocolError =>
  limitReached(`${MAX_OPEN} requests are open already. Wait for answers first.`, MAX_OPEN, 'open requests');

export const tooMuch = (): ProtocolError => {
  const message = `The open requests are ${MAX_OPEN_SIZE} characters long already. Wait for answers first.`;
  return limitReached(message, MAX_OPEN_SIZE, 'characters of open requests');
};

export const tooFast = (): ProtocolError => {
  const message = `More than ${MAX_RATE} requests came in a second. Wait a second, then send less.`;
  return limitReached(message, MAX_RATE, 'requests a second', { retryAfterMs: 1000 });
};

/** @param limit of a batch; left out if a single answer is longer than a JavaScript string can be */
export const tooLarge = (limit: object = {}): ProtocolError =>
  new ProtocolError(LIMIT_REACHED, 'The answer is too large to be sent. Ask for less at once.', limit);

/** @param uris that the agent would be subscribed to. @throws ProtocolError −32000 */
export function requireRoom(uris: ReadonlySet<string>): void {
  const instead = 'Unsubscribe from some first, or subscribe to their folder.';
  if (uris.size > MAX_SUBSCRIBED) {
    const message = `At most ${MAX_SUBSCRIBED} resources can be subscribed to. ${instead}`;
    throw limitReached(message, MAX_SUBSCRIBED, 'subscribed resources');
  }
  if ([...uris].reduce((sum, { length }) => sum + length, 0) > MAX_SUBSCRIBED_SIZE) {
    const message = `The URIs of subscribed resources may have ${MAX_SUBSCRIBED_SIZE} characters together. ${instead}`;
    throw limitReached(message, MAX_SUBSCRIBED_SIZE, 'characters of subscribed URIs');
  }
}
