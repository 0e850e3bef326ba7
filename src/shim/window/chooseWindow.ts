import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { holding, isBelow } from './containment.ts';
import type { Tier, WindowQuery } from './windowQuery.ts';

/** Why a window matches, in the order of {@link chooseWindow}. */
export type Rule = 'window' | 'workspace' | 'before' | 'directory' | 'terminal' | 'root' | 'below' | 'only';

export interface Ranked {
  rule: Rule;
  windows: Tier;
}

/**
 * The windows for an agent, best first:
 *
 * 1. only the window named by `--window`;
 * 2. only windows with a folder that is or contains the directory of `--workspace`;
 * 3. the window that the agent had before, and windows with the same folders;
 * 4. windows with a folder that is or contains the working directory, deepest folder first;
 * 5. the window in whose terminal the agent runs, and windows with the same folders;
 * 6. windows with a folder that is or contains a client root: in the order of the roots, deepest folder first;
 * 7. windows with a folder below the working directory: the agent was started in a parent;
 * 8. the only window, unless the agent had another one: work begun in one project must not continue in another.
 *
 * Among equal matches, windows that answer come first, then the {@link favourites}. Only `file:` folders match. A remote
 * folder has a `file:` URI too, because the server runs on the remote machine.
 */
export function chooseWindow(records: readonly WindowRecord[], query: WindowQuery): Ranked[] {
  const { windowId, workspace, before } = query;
  const byId = (id: string): Tier => records.filter((record) => record.id === id);
  if (windowId !== undefined) return by('window', [byId(windowId)]);
  if (workspace !== undefined) return by('workspace', holding(records, workspace, query));
  if (before?.isSelected) return by('before', [byId(before.id)]);
  const had = by('before', before ? [withTwins(records, before)] : []);
  const only = !before && records.length === 1 ? [records] : [];
  return [...had, ...chooseFitting(records, query), ...by('only', only)];
}

/** Rules 4 to 7: windows that match the agent's directory, terminal or roots. */
export function chooseFitting(records: readonly WindowRecord[], query: WindowQuery): Ranked[] {
  const { roots = [], cwd, terminalWindowId } = query;
  const terminal = records.find(({ id }) => id === terminalWindowId);
  return [
    ...by('directory', holding(records, cwd, query)),
    ...by('terminal', terminal ? [withTwins(records, terminal)] : []),
    ...by(
      'root',
      roots.flatMap((root) => holding(records, root, query)),
    ),
    ...by('below', [records.filter((record) => isBelow(record, query))]),
  ];
}

/** Window ids that win among equal matches: the agent's previous window, then its terminal's. */
export const favourites = ({ before, terminalWindowId }: WindowQuery): string[] =>
  [before?.id, terminalWindowId].filter((id) => id !== undefined);

const by = (rule: Rule, tiers: readonly Tier[]): Ranked[] =>
  tiers.filter((tier) => tier.length > 0).map((windows) => ({ rule, windows }));

/** Identifies a window or its successor, which has the same folders under another id. */
type Identity = Pick<WindowRecord, 'id' | 'workspaceFolders'>;

/** The window, and windows with the same folders. */
export const withTwins = (records: readonly WindowRecord[], window: Identity): Tier =>
  records.filter((record) => record.id === window.id || sameFolders(record, window));

const sameFolders = (a: Identity, b: Identity): boolean =>
  a.workspaceFolders.length > 0 && urisOf(a) === urisOf(b);

const urisOf = ({ workspaceFolders }: Identity): string =>
  workspaceFolders
    .map(({ uri }) => uri)
    .sort()
    .join('\n');
