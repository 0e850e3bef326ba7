/** Why a file is not taken for the record of a window, in words that say what to do. */
import type { Stats } from 'node:fs';

/**
 * Undefined where the file is the user's own and nobody else's to write: who may write it says where this user's agents go.
 *
 * @param uid the user's, or undefined on Windows, where access is governed by the profile directory
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
 * For a file that holds no record as this program knows them.
 *
 * @param version what it says of its format @param known the format that this program reads
 */
export function formatProblem(path: string, version: unknown, known: number): string {
  if (!Number.isInteger(version) || version === known)
    return `${path} is not the record of a window. Remove it; reload the window if it is open.`;
  return Number(version) > known
    ? `${path} is of a newer Workspace MCP than this program. ${START_ANEW}`
    : `${path} is of an older Workspace MCP than this program. ${UPDATE}`;
}

/** What to do where a shim is older than the window. */
export const START_ANEW =
  'Start the agent anew, so that it runs the shim that the extension has installed; "Workspace MCP: Copy Agent Configuration" tells where that is.';

/** What to do where a window is older than the shim. */
export const UPDATE = 'Update the extension Workspace MCP in that VS Code, then reload its window.';
