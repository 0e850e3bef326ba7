import { ProtocolError, type RequestId } from '@modelcontextprotocol/server';
import type { ErrorReply } from '../../core/errorReply.ts';
import { LIMIT_REACHED, limitReached } from '../../core/jsonRpc.ts';

/** Most requests that one agent may have open. */
export const MAX_IN_FLIGHT = 1024;
/** Longest that all of them may be together, in UTF-16 units. */
export const MAX_SIZE = 64 * 1024 * 1024;
/** Longest answer of all requests of a batch, in UTF-16 units. */
export const MAX_BATCH_ANSWER = 64 * 1024 * 1024;
/** Most resources that one agent may have subscribed to. */
const MAX_SUBSCRIBED = 10_000;
/** Most requests that one agent may send: at once, and then in a second. An agent that runs in a circle sends more. */
const MAX_BURST = 100_000;
const MAX_RATE = 50_000;

export const tooManyReply = (id: RequestId): ErrorReply =>
  limitReached(id, `${MAX_IN_FLIGHT} requests are open already. Wait for answers first.`, {
    limit: MAX_IN_FLIGHT,
    unit: 'open requests',
  });

export const tooMuchReply = (id: RequestId): ErrorReply =>
  limitReached(id, `The open requests are ${MAX_SIZE} characters long already. Wait for answers first.`, {
    limit: MAX_SIZE,
    unit: 'characters of open requests',
  });

/** @param limit of a batch; none where one answer alone is too long for the program */
export const tooLargeReply = (id: RequestId, limit?: number): ErrorReply =>
  limitReached(id, 'The answer is too large to be sent. Ask for less at once.', {
    ...(limit !== undefined && { limit, unit: 'characters of the answers to a batch' }),
  });

export const tooFastReply = (id: RequestId): ErrorReply =>
  limitReached(id, `More than ${MAX_RATE} requests came in a second. Wait a second, then send less.`, {
    limit: MAX_RATE,
    unit: 'requests a second',
    retryAfterMs: 1000,
  });

const OVER_SUBSCRIBED = { limit: MAX_SUBSCRIBED, unit: 'subscribed resources' };

/** @throws ProtocolError −32000 where an agent has subscribed to as many resources as it may */
export function requireRoom(subscribed: number): void {
  if (subscribed < MAX_SUBSCRIBED) return;
  const message = `${MAX_SUBSCRIBED} resources are subscribed to already. Unsubscribe from others first.`;
  throw new ProtocolError(LIMIT_REACHED, message, OVER_SUBSCRIBED);
}

export const isOverSubscribed = (subscribed: number): boolean => subscribed > MAX_SUBSCRIBED;

export const overSubscribedReply = (id: RequestId): ErrorReply =>
  limitReached(
    id,
    `No more than ${MAX_SUBSCRIBED} resources can be subscribed to. Name fewer, or the folder that they lie in.`,
    OVER_SUBSCRIBED,
  );

/** Lets so many through at once, and then so many a second. */
export class RateLimit {
  #left = MAX_BURST;
  #at: number;

  /** @param now in milliseconds */
  constructor(now: number) {
    this.#at = now;
  }

  /** Whether one more may pass. */
  take(now: number): boolean {
    this.#left = Math.min(MAX_BURST, this.#left + ((now - this.#at) / 1000) * MAX_RATE);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
