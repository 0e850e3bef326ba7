import {
  INVALID_PARAMS,
  type JSONRPCErrorResponse,
  type JSONRPCResultResponse,
  METHOD_NOT_FOUND,
  type ProtocolEra,
} from '@modelcontextprotocol/server';
import { withDetails } from '../../core/errorReply.ts';
import { cutMiddle } from '../../core/text/cutText.ts';

export type Reply = JSONRPCResultResponse | JSONRPCErrorResponse;

/** The stateless versions, 2026-07-28 and later, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The versions that open with `initialize`, newest first. The SDK's own list has a draft of 2024 besides. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The code of a missing resource up to 2025-11-25; from 2026-07-28 on it is −32602, which the SDK sends in both. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * The reply with its id first, and an error as the era has it that it is sent in: with the code of that era, with the
 * method that was not found by its name, and with `data.details`.
 */
export function asInEra(reply: Reply, method: string, era: ProtocolEra | undefined): Reply {
  if ('result' in reply) return { jsonrpc: '2.0', id: reply.id, result: reply.result };
  const code = isMissingResource(reply, method, era) ? RESOURCE_NOT_FOUND : reply.error.code;
  const message =
    code === METHOD_NOT_FOUND ? `Method not found: ${cutMiddle(method, 200)}` : reply.error.message;
  // An undefined id would be left out by JSON: an error reply always carries one, null where none is known.
  return {
    jsonrpc: '2.0',
    id: reply.id as never,
    error: { code, message, data: withDetails(reply.error.data, message) },
  };
}

/** The SDK's ResourceNotFoundError, known by its `data.uri`, has another code in the older versions. */
const isMissingResource = (
  { error }: JSONRPCErrorResponse,
  method: string,
  era: ProtocolEra | undefined,
): boolean =>
  era === 'legacy' &&
  (method === 'resources/read' || method === 'resources/subscribe') &&
  error.code === INVALID_PARAMS &&
  typeof (error.data as { uri?: unknown } | undefined)?.uri === 'string';
