import {
  INVALID_REQUEST,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  ProtocolError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';

/** The stateless versions, 2026-07-28 and later, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The versions that open with `initialize`, newest first. The SDK's list also has a draft of 2024. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/**
 * Checks that the SDK lacks: the version of each request after the first, and that `initialize` is not in a batch.
 *
 * @throws ProtocolError −32022 or −32600
 */
export function requireServed(
  { method, params }: JSONRPCRequest,
  era: ProtocolEra | undefined,
  isInBatch: boolean,
): void {
  if (isInBatch && method === 'initialize')
    throw new ProtocolError(INVALID_REQUEST, 'Invalid request: initialize is not allowed in a batch.');
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (era !== 'modern' || typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return;
  throw new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}
