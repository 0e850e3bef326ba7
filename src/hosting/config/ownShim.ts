import type { L10n } from './problems.ts';

/** Our own shim as a server would start itself without end. */
export const ownShimText = (l10n: L10n): string =>
  l10n.t('this is Workspace MCP itself, which cannot be one of its own servers. Remove it.');
