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
import { type ErrorReply, errorReply, withDetails } from '../../core/errorReply.ts';
import { cutMiddle } from '../../core/text/cutText.ts';

export type Reply = JSONRPCResultResponse | ErrorReply;

/** The code of a missing resource up to 2025-11-25. Since 2026-07-28 it is −32602, which the SDK always sends. */
const RESOURCE_NOT_FOUND = -32002;

/** The agent's message for a request that the user has cancelled. */
export const CANCELLED = 'The user cancelled this call.';

export const errorReplyOf = (id: RequestId | null, { code, message, data }: ProtocolError): ErrorReply =>
  errorReply(id, code, message, data as object);

/**
 * The SDK's reply with its id first (`{"jsonrpc":"2.0","id":…`), so that the shim finds it without parsing the text, and
 * with the error code of the era.
 */
export function asInEra(reply: JSONRPCResponse, method: string, era: ProtocolEra | undefined): Reply {
  const id = reply.id as RequestId;
  if ('result' in reply) return { jsonrpc: '2.0', id, result: reply.result };
  const { data } = reply.error;
  const code = isMissingResource(reply, method, era) ? RESOURCE_NOT_FOUND : reply.error.code;
  const message =
    code === METHOD_NOT_FOUND ? `Method not found: ${cutMiddle(method, 200)}` : reply.error.message;
  return { jsonrpc: '2.0', id, error: { code, message, data: withDetails(data, message) } };
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

/** The reply to a request that the user has cancelled: of a tool, a result, because the model reads it; else an error. */
export function cancelledReply(id: RequestId, method: string, era: ProtocolEra | undefined): Reply {
  if (method !== 'tools/call') return errorReply(id, INTERNAL_ERROR, CANCELLED);
  const result = { content: [{ type: 'text', text: CANCELLED }], isError: true };
  return { jsonrpc: '2.0', id, result: era === 'modern' ? { ...result, resultType: 'complete' } : result };
}
