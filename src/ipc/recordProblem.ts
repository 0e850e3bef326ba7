/** Why a file is rejected as a window record, and what to do. */
import type { Stats } from 'node:fs';

/**
 * Undefined if the user owns the file and nobody else can write it: a writer decides where this user's agents connect.
 *
 * @param uid the user's, or undefined on Windows: there the profile directory governs access
 */
export function ownerProblem(stats: Stats, path: string, uid: number | undefined): string | undefined {
  if (uid === undefined) return undefined;
  const remedy = 'and is not used. Remove it, then reload the window.';
  if (stats.uid !== uid) return `${path} belongs to user ${stats.uid}, not ${uid}, ${remedy}`;
  const mode = stats.mode & 0o777;
  return (mode & 0o022) === 0
    ? undefined
    : `${path} can be written by others (mode 0${mode.toString(8)}), ${remedy}`;
}

/**
 * The problem of a file that this program cannot read as a record.
 *
 * @param version format of the file, if any @param known format that this program reads
 */
export function formatProblem(path: string, version: unknown, known: number): string {
  if (!Number.isInteger(version) || version === known)
    return `${path} is not the record of a window. Remove it; reload the window if it is open.`;
  return Number(version) > known
    ? `${path} was written by a newer Workspace MCP than this program. ${RESTART_AGENT}`
    : `${path} was written by an older Workspace MCP than this program. ${UPDATE}`;
}

/** What to do if a shim is older than the window. */
export const RESTART_AGENT =
  'Restart the agent, so that it runs the installed shim. "Workspace MCP: Copy Agent Configuration" shows the path of that shim.';

/** What to do if a window is older than the shim. */
export const UPDATE = 'Update the extension Workspace MCP in that VS Code, then reload its window.';
