import {
  INVALID_REQUEST,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { type ErrorReply, errorReply } from './replies.ts';

/** The stateless versions, 2026-07-28 and later, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The versions that open with `initialize`, newest first. The SDK's own list has a draft of 2024 besides. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/**
 * Batches came with JSON-RPC, were required by 2025-03-26 and removed by 2025-06-18.
 *
 * @param version agreed on by `initialize`, if it came already
 */
export function refusalOfBatch(
  version: string | undefined,
  era: ProtocolEra | undefined,
): ErrorReply | undefined {
  if (era !== 'modern' && (version === undefined || version <= '2025-03-26')) return undefined;
  const spoken = version ?? MODERN_VERSIONS[0];
  return errorReply(null, INVALID_REQUEST, `Invalid request: protocol version ${spoken} has no batches.`);
}

/** The SDK checks only the version of the first request. @throws UnsupportedProtocolVersionError −32022 */
export function requireVersion({ params }: JSONRPCRequest, era: ProtocolEra | undefined): void {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (era !== 'modern' || typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return;
  throw new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}
