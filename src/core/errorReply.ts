import { cutMiddle } from './text/cutText.ts';

export type RequestId = string | number;

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

/** Errors may quote what came, such as a method's name, and that may be megabytes: the most of one, in UTF-16 units. */
const LONGEST = 8_000;

export function errorReply(id: RequestId | null, code: number, whole: string, data?: object): ErrorReply {
  const message = cutMiddle(whole, LONGEST);
  return { jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } };
}

/**
 * The `data` of an error as clients look for it: `details` holds the sentence for those that show no more of `message`
 * than the name of its code. What an error has of its own stands beside it.
 */
export const withDetails = (data: unknown, details: string): object =>
  typeof data === 'object' && data !== null ? { details, ...data } : { details };
