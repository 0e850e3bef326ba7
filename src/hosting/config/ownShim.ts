import type { L10n } from './problems.ts';

/** Our own shim as a server would start itself without end. */
export const ownShimText = (l10n: L10n): string =>
  l10n.t('this is Workspace MCP itself, which cannot be one of its own servers. Remove it.');

/** Whether the words of a command, also with variables, start a shim at one of its usual paths, or the given one. */
export const startsShim = (words: readonly string[], installed?: string): boolean =>
  words.some((word) => word === installed || /workspace-mcp[^\\/]*([\\/]dist)?[\\/]shim\.js\b/i.test(word));
