/** Messages as they are posted and answered. */
import type { RequestId } from '../../core/errorReply.ts';
import { fieldsOf, isObject } from '../../core/json.ts';
import { INVALID_REQUEST } from '../../core/jsonRpc.ts';
import { Refusal } from './refusal.ts';

export const CANCELLED = 'notifications/cancelled';

export const isRequest = (message: unknown): message is { id: RequestId; method: unknown } =>
  isObject(message) &&
  'method' in message &&
  (typeof message.id === 'string' || typeof message.id === 'number');

/** Calls may take long. */
export const isCall = (message: unknown): boolean => fieldsOf(message).method === 'tools/call';

/** The request that a message cancels. */
export function cancelledBy(message: unknown): RequestId | undefined {
  const { method, params } = fieldsOf(message);
  return method === CANCELLED ? (fieldsOf(params).requestId as RequestId | undefined) : undefined;
}

/** @throws Refusal of a message that can be parsed but not written, because it is nested too deeply */
export function textOf(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch {
    throw new Refusal(400, 'The message is nested too deeply.', { code: INVALID_REQUEST });
  }
}

/** A text with the ids that the client gave. Ours are random: they are nowhere else in it. */
export function withIds(text: string, given: ReadonlyMap<string, RequestId>): string {
  let changed = text;
  for (const [ours, theirs] of given) changed = changed.replaceAll(`"${ours}"`, () => JSON.stringify(theirs));
  return changed;
}
