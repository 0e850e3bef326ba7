import {
  INVALID_PARAMS,
  type JSONRPCErrorResponse,
  type JSONRPCResultResponse,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';

export type Reply = JSONRPCResultResponse | JSONRPCErrorResponse;

/** The stateless versions, 2026-07-28 and later, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The versions that open with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (version) => version < '2026',
);

/** Batches came with JSON-RPC, were required by 2025-03-26 and removed by 2025-06-18. */
export const takesBatches = (version: string | undefined): boolean =>
  version === undefined || version <= '2025-03-26';

/** The code of a missing resource up to 2025-11-25; from 2026-07-28 on it is −32602, which the SDK sends in both. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * The reply with its id first, and with the error code of the era it is sent in: a missing resource (the SDK's
 * ResourceNotFoundError, known by its `data.uri`) has another one in the older versions.
 */
export function withCodeOfEra(reply: Reply, method: string, era: 'legacy' | 'modern' | undefined): Reply {
  if ('result' in reply) return { jsonrpc: '2.0', id: reply.id, result: reply.result };
  const { error } = reply;
  const missing =
    era === 'legacy' &&
    (method === 'resources/read' || method === 'resources/subscribe') &&
    error.code === INVALID_PARAMS &&
    typeof (error.data as { uri?: unknown } | undefined)?.uri === 'string';
  // An undefined id would be left out by JSON: an error reply always carries one, null where none is known.
  return {
    jsonrpc: '2.0',
    id: reply.id as never,
    error: missing ? { ...error, code: RESOURCE_NOT_FOUND } : error,
  };
}
