import { isWithin } from '../core/paths.ts';
import type { WindowRecord } from '../socket/windowRecord.ts';
import { depthOf, pathOfFileUri } from './paths.ts';

export interface WindowQuery {
  /** Working directory of the agent. */
  cwd: string;
  /** Id that the person has named with `--window`. */
  windowId?: string;
  /** Id of the window in whose integrated terminal the agent runs. */
  terminalWindowId?: string;
  platform: NodeJS.Platform;
  /** The working directory is one of the system's, not a project's. */
  isSystemDirectory?: boolean;
  /** Resolves symbolic links; returns the path itself where that is not possible. */
  realpath(path: string): string;
}

export type WindowChoice =
  /** Best first. The windows of one tier match equally well; the one that had the focus last comes first. */
  { kind: 'window'; tiers: WindowRecord[][] } | { kind: 'none'; reason: string };

/**
 * Chooses the window for an agent:
 *
 * 1. the one that the person has named, and no other;
 * 2. the one in whose terminal the agent runs, while it is open: a terminal may outlive its window;
 * 3. those with a workspace folder that is the working directory or holds it, the deepest such folder first;
 * 4. the only one with a workspace folder below the working directory: the agent was started in a parent. Of several,
 *    the one that had the focus last, but only where nobody chose the working directory (5);
 * 5. the only open window, where it has no folder, or where nobody chose the working directory: the system starts
 *    desktop agents in a directory of its own, such as `C:\Windows\System32`.
 *
 * Otherwise none: a guess would hand an agent another project's files.
 *
 * Only `file:` folders match. The server runs where the files are, so there a remote folder's URI is a `file:` one too.
 */
export function chooseWindow(records: WindowRecord[], query: WindowQuery): WindowChoice {
  const byId = (id: string): WindowRecord[] => records.filter((record) => record.id === id);
  if (query.windowId !== undefined) {
    const named = byId(query.windowId);
    const reason = `No open VS Code window has the id "${query.windowId}" that --window names.`;
    return named.length > 0 ? { kind: 'window', tiers: [named] } : { kind: 'none', reason };
  }
  const byDepth = windowsByDepth(records, query);
  const below = byDepth.get(BELOW) ?? [];
  const isGuess = !query.isSystemDirectory && new Set(below.map(foldersOf)).size > 1;
  if (isGuess) byDepth.delete(BELOW);
  const tiers = [...byDepth].sort(([a], [b]) => b - a).map(([, tier]) => tier);
  if (query.terminalWindowId !== undefined) tiers.unshift(byId(query.terminalWindowId));
  const [first] = records;
  if (records.length === 1 && (first?.workspaceFolders.length === 0 || query.isSystemDirectory))
    tiers.push(records);
  const filled = tiers.filter((tier) => tier.length > 0);
  if (filled.length > 0) return { kind: 'window', tiers: filled };
  const reason = isGuess
    ? `Several VS Code windows have a folder below ${query.cwd}: start the agent in the one that is meant.`
    : `No open VS Code window has a folder that holds ${query.cwd}.`;
  return { kind: 'none', reason };
}

/** What tells two windows apart: a window that was opened again has two records for a while. */
const foldersOf = ({ workspaceFolders }: WindowRecord): string =>
  workspaceFolders.map(({ uri }) => uri).join(' ');

/** A window with a folder below the working directory; deeper than any is a folder that holds it. */
const BELOW = -1;
const NO_MATCH = -2;

function windowsByDepth(records: WindowRecord[], query: WindowQuery): Map<number, WindowRecord[]> {
  const tiers = new Map<number, WindowRecord[]>();
  for (const record of records.toSorted((a, b) => b.focusedAt - a.focusedAt)) {
    const depth = matchDepth(record, query);
    if (depth > NO_MATCH) tiers.set(depth, [...(tiers.get(depth) ?? []), record]);
  }
  return tiers;
}

/** How deep the deepest folder lies that holds the working directory (0 for the root), or one of the constants above. */
function matchDepth(record: WindowRecord, { cwd, platform, realpath }: WindowQuery): number {
  const folders = record.workspaceFolders
    .map(({ uri }) => pathOfFileUri(uri, platform))
    .filter((path) => path !== undefined);
  const depths = [
    ...folders.map((folder) => folderDepth(folder, cwd, platform)),
    ...folders.map((folder) => folderDepth(realpath(folder), realpath(cwd), platform)),
  ];
  return Math.max(NO_MATCH, ...depths);
}

function folderDepth(folder: string, cwd: string, platform: NodeJS.Platform): number {
  if (isWithin(cwd, folder, platform)) return depthOf(folder, platform);
  return isWithin(folder, cwd, platform) ? BELOW : NO_MATCH;
}
