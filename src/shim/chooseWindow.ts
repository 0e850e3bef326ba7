import type { WindowRecord } from '../socket/windowRecord.ts';
import { holding, isBelow } from './folders.ts';

export interface WindowQuery {
  /** Working directory of the agent. */
  cwd: string;
  /** Id that the person has named with `--window`. */
  windowId?: string;
  /** Directory that the person has named with `--workspace`. */
  workspace?: string;
  /** Id of the window in whose integrated terminal the agent runs. It may be of a window that is gone. */
  terminalWindowId?: string;
  /** Paths of the roots that the client declares, once it has said so. */
  roots?: readonly string[];
  /** The window that the agent had before, where it has gone; no other where the agent has selected it by itself. */
  before?: Pick<WindowRecord, 'id' | 'workspaceFolders'> & { isSelected?: boolean };
  platform: NodeJS.Platform;
  /** Resolves symbolic links; returns the path itself where that is not possible. */
  realpath(path: string): string;
}

/** Windows that fit equally well: one that answers is taken, of several none. */
export type Tier = readonly WindowRecord[];

/** Why windows fit, in the order of {@link chooseWindow}. */
export type Rule = 'window' | 'workspace' | 'before' | 'directory' | 'terminal' | 'root' | 'below' | 'only';

export interface Ranked {
  rule: Rule;
  windows: Tier;
}

/**
 * The windows for an agent, the best first:
 *
 * 1. the one that `--window` names, and no other;
 * 2. those with a folder that is the directory of `--workspace` or holds it, and no other;
 * 3. where the agent had a window, that one, or one with the same folders;
 * 4. those with a folder that is the working directory or holds it, the deepest such folder first;
 * 5. the one in whose terminal the agent runs, also before others of the same depth in 4;
 * 6. those with a folder that is a root of the client or holds it, the deepest first;
 * 7. those with a folder below the working directory: the agent was started in a parent;
 * 8. the only one, except where the agent had another one: what it began in one project does not go on in the next.
 *
 * Only `file:` folders match. The server runs where the files are, so there a remote folder's URI is a `file:` one too.
 */
export const chooseWindow = (records: readonly WindowRecord[], query: WindowQuery): Tier[] =>
  tiersOf(rankWindows(records, query));

/** The same, with the rule that each window fits by. */
export function rankWindows(records: readonly WindowRecord[], query: WindowQuery): Ranked[] {
  const { windowId, workspace, before } = query;
  const byId = (id: string | undefined): Tier => records.filter((record) => record.id === id);
  if (windowId !== undefined) return by('window', [byId(windowId)]);
  if (workspace !== undefined) return by('workspace', broken(holding(records, workspace, query), query));
  const again = before ? [byId(before.id), records.filter((record) => sameFolders(record, before))] : [];
  const had = by('before', broken(again, query));
  if (before?.isSelected) return by('before', [byId(before.id)]);
  const only = !before && records.length === 1 ? [records] : [];
  return [...had, ...rankFitting(records, query), ...by('only', only)];
}

/** Those that fit the agent, without the last one, which is the only window of whatever project. */
export const fitting = (records: readonly WindowRecord[], query: WindowQuery): Tier[] =>
  tiersOf(rankFitting(records, query));

function rankFitting(records: readonly WindowRecord[], query: WindowQuery): Ranked[] {
  const { roots = [], cwd, terminalWindowId } = query;
  return [
    ...by('directory', broken(holding(records, cwd, query), query)),
    ...by('terminal', [records.filter(({ id }) => id === terminalWindowId)]),
    ...by(
      'root',
      roots.flatMap((root) => broken(holding(records, root, query), query)),
    ),
    ...by('below', broken([records.filter((record) => isBelow(record, query))], query)),
  ];
}

const by = (rule: Rule, tiers: readonly Tier[]): Ranked[] =>
  tiers.filter((tier) => tier.length > 0).map((windows) => ({ rule, windows }));

const tiersOf = (ranked: readonly Ranked[]): Tier[] => ranked.map(({ windows }) => windows);

/** Of windows that fit equally well, the one in whose terminal the agent runs comes first. */
const broken = (tiers: readonly Tier[], { terminalWindowId }: WindowQuery): Tier[] =>
  tiers.flatMap((tier) => [tier.filter(({ id }) => id === terminalWindowId), tier]);

/** Whether two windows have the same folders open: one that was opened again, under another id. */
export const sameFolders = (
  a: Pick<WindowRecord, 'workspaceFolders'>,
  b: Pick<WindowRecord, 'workspaceFolders'>,
): boolean => a.workspaceFolders.length > 0 && urisOf(a) === urisOf(b);

const urisOf = ({ workspaceFolders }: Pick<WindowRecord, 'workspaceFolders'>): string =>
  workspaceFolders
    .map(({ uri }) => uri)
    .sort()
    .join('\n');
