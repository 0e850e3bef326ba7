import type { RequestId } from '@modelcontextprotocol/server';

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

export const errorReply = (
  id: RequestId | null,
  code: number,
  message: string,
  data?: object,
): ErrorReply => ({ jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } });

/**
 * The `data` of an error as clients look for it: `details` holds the sentence for those that show no more of `message`
 * than the name of its code. What an error has of its own stands beside it.
 */
export const withDetails = (data: unknown, details: string): object =>
  typeof data === 'object' && data !== null ? { details, ...data } : { details };
