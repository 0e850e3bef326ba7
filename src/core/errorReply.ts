import { cutMiddle } from './text/cutText.ts';

export type RequestId = string | number;

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

/** Longest message, in UTF-16 units: errors may quote input, such as a method name of megabytes. */
const LONGEST = 8_000;

export function errorReply(id: RequestId | null, code: number, whole: string, data?: object): ErrorReply {
  const message = cutMiddle(whole, LONGEST);
  return { jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } };
}

/**
 * The `data` of an error. `details` repeats the message for clients that show only the name of the error code. The error's own data
 * is added to it.
 */
export const withDetails = (data: unknown, details: string): object =>
  typeof data === 'object' && data !== null ? { details, ...data } : { details };
