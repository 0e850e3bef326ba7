import { type Fields, isObject, parse } from './messages.ts';
import { pathOfFileUri } from './paths.ts';

/** The shim asks where it has no window; the window, which asks by ids of its own, knows nothing of it. */
export const ROOTS_ID = 'workspace-mcp-shim:roots';

export const ROOTS_CHANGED = 'notifications/roots/list_changed';

/** The request that asks a client which roots it has, as a line. */
export const rootsRequest = (): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id: ROOTS_ID, method: 'roots/list' })}\n`;

/** The paths that a client names in its answer; what is on no disk of this machine is left out. */
export function rootsIn(answer: Buffer): string[] {
  const value = parse(answer.toString('utf8'));
  const result = isObject(value) && isObject(value.result) ? value.result : {};
  const roots: unknown[] = Array.isArray(result.roots) ? result.roots : [];
  return roots
    .map((root) => (isObject(root) ? pathOf(root) : undefined))
    .filter((path) => path !== undefined);
}

const pathOf = ({ uri }: Fields): string | undefined =>
  typeof uri === 'string' ? pathOfFileUri(uri, process.platform) : undefined;
