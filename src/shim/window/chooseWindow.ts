import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { holding, isBelow } from './containment.ts';
import type { Tier, WindowQuery } from './windowQuery.ts';

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
 * 3. where the agent had a window, that one and those with the same folders;
 * 4. those with a folder that is the working directory or holds it, the deepest such folder first;
 * 5. the one in whose terminal the agent runs, and those with the same folders;
 * 6. those with a folder that is a root of the client or holds it: by the order of the roots, the deepest first;
 * 7. those with a folder below the working directory: the agent was started in a parent;
 * 8. the only one, except where the agent had another one: what it began in one project does not go on in the next.
 *
 * Of windows that fit equally well, those that answer go first, and then its {@link favourites}. Only `file:` folders match.
 * The server runs where the files are, so there a remote folder's URI is a `file:` one too.
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

/** Those that fit the agent, without the last one, which is the only window of whatever project. */
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

/** Ids of the windows that an agent belongs to, where several fit equally well: the one that it had, and its terminal's. */
export const favourites = ({ before, terminalWindowId }: WindowQuery): string[] =>
  [before?.id, terminalWindowId].filter((id) => id !== undefined);

const by = (rule: Rule, tiers: readonly Tier[]): Ranked[] =>
  tiers.filter((tier) => tier.length > 0).map((windows) => ({ rule, windows }));

/** What tells two windows on the same folders from others: one may be the other's successor, under another id. */
type Identity = Pick<WindowRecord, 'id' | 'workspaceFolders'>;

/** A window, and those with the same folders. */
export const withTwins = (records: readonly WindowRecord[], window: Identity): Tier =>
  records.filter((record) => record.id === window.id || sameFolders(record, window));

const sameFolders = (a: Identity, b: Identity): boolean =>
  a.workspaceFolders.length > 0 && urisOf(a) === urisOf(b);

const urisOf = ({ workspaceFolders }: Identity): string =>
  workspaceFolders
    .map(({ uri }) => uri)
    .sort()
    .join('\n');
