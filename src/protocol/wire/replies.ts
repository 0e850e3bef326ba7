/** The one place that shapes answers: results, and errors as the agent's version of MCP has them. */
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type JSONRPCErrorResponse,
  type JSONRPCResponse,
  type JSONRPCResultResponse,
  METHOD_NOT_FOUND,
  type ProtocolEra,
  type ProtocolError,
  type RequestId,
} from '@modelcontextprotocol/server';
import { cutMiddle } from '../../core/text/cutText.ts';

export interface ErrorReply {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: object };
}

export type Reply = JSONRPCResultResponse | ErrorReply;

/** Longest message, in UTF-16 units: errors may quote megabytes. A UserError is cut already and passes unchanged. */
const LONGEST = 9_000;

/** The code of a missing resource up to 2025-11-25; from 2026-07-28 on it is −32602, which the SDK sends in both. */
const RESOURCE_NOT_FOUND = -32002;

/** What an agent reads of a request that the user has cancelled. */
export const CANCELLED = 'The person cancelled this call.';

/** `data.details` repeats the message for clients that show only the name of the code. */
export function errorReply(id: RequestId | null, code: number, whole: string, data?: unknown): ErrorReply {
  const message = cutMiddle(whole, LONGEST);
  const details = { details: message, ...(typeof data === 'object' && data) };
  return { jsonrpc: '2.0', id, error: { code, message, data: details } };
}

export const errorReplyOf = (id: RequestId | null, { code, message, data }: ProtocolError): ErrorReply =>
  errorReply(id, code, message, data);

/**
 * The SDK's reply with its id first (`{"jsonrpc":"2.0","id":…`), so that the shim finds it without parsing the text, and
 * with the error code of the era that it is sent in.
 */
export function asInEra(reply: JSONRPCResponse, method: string, era: ProtocolEra | undefined): Reply {
  const id = reply.id as RequestId;
  if ('result' in reply) return { jsonrpc: '2.0', id, result: reply.result };
  const { code, message, data } = reply.error;
  if (code === METHOD_NOT_FOUND)
    return errorReply(id, code, `Method not found: ${cutMiddle(method, 200)}`, data);
  return errorReply(id, isMissingResource(reply, method, era) ? RESOURCE_NOT_FOUND : code, message, data);
}

/** The SDK's ResourceNotFoundError is recognised by its `data.uri`. */
const isMissingResource = (
  { error }: JSONRPCErrorResponse,
  method: string,
  era: ProtocolEra | undefined,
): boolean =>
  era === 'legacy' &&
  (method === 'resources/read' || method === 'resources/subscribe') &&
  error.code === INVALID_PARAMS &&
  typeof (error.data as { uri?: unknown } | undefined)?.uri === 'string';

/** For a request that the user has cancelled: a tool's result, because the model reads it, else an error. */
export function cancelledReply(id: RequestId, method: string, era: ProtocolEra | undefined): Reply {
  if (method !== 'tools/call') return errorReply(id, INTERNAL_ERROR, CANCELLED);
  const result = { content: [{ type: 'text', text: CANCELLED }], isError: true };
  return { jsonrpc: '2.0', id, result: era === 'modern' ? { ...result, resultType: 'complete' } : result };
}
