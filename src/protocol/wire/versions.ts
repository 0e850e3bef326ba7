import {
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolEra,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';

/** The stateless versions, 2026-07-28 and later, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** The versions that open with `initialize`, newest first. The SDK's own list has a draft of 2024 besides. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** The SDK checks only the version of the first request. @throws UnsupportedProtocolVersionError −32022 */
export function requireVersion({ params }: JSONRPCRequest, era: ProtocolEra | undefined): void {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (era !== 'modern' || typeof requested !== 'string' || MODERN_VERSIONS.includes(requested)) return;
  throw new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}
