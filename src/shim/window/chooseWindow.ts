import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { holding, isBelow, type Tier, type WindowQuery } from './windowQuery.ts';

/** Why a window matches, in the order of {@link chooseWindow}. */
export type MatchRule =
  | ('window' | 'workspace' | 'before' | 'directory')
  | ('terminal' | 'root' | 'below' | 'only');

export interface RankedTier {
  rule: MatchRule;
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
export function chooseWindow(records: readonly WindowRecord[], query: WindowQuery): RankedTier[] {
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
export function chooseFitting(records: readonly WindowRecord[], query: WindowQuery): RankedTier[] {
  const { roots = [], cwd, terminalWindowId } = query;
  const terminal = records.find(({ id }) => id === terminalWindowId);
  return [
    ...by('directory', holding(records, cwd, query)),
    ...by('terminal', terminal ? [withTwins(records, terminal)] : []),
    ...roots.flatMap((root) => by('root', holding(records, root, query))),
    ...by('below', [records.filter((record) => isBelow(record, query))]),
  ];
}

/** Window ids that win among equal matches: the agent's previous window, then its terminal's. */
export const favourites = ({ before, terminalWindowId }: WindowQuery): string[] =>
  [before?.id, terminalWindowId].filter((id) => id !== undefined);

export interface AnsweringWindow {
  record: WindowRecord;
  /** Whether its workbench responds. */
  responsive: boolean;
}

/** What answers in the first tier in which any window does. The agent gets one window; if several are left, none of them. */
export interface WindowChoice<T> {
  rule: MatchRule;
  /** How many windows the tier has besides one. */
  equals: number;
  windows: readonly T[];
}

/**
 * The choice among all records, else among those that answer: without records of crashed windows and of other machines, a
 * single window may be left.
 *
 * @param ask gives the windows of a tier that answer
 * @param askAll gives the records that answer
 */
export async function chooseAnswering<T extends AnsweringWindow>(
  records: readonly WindowRecord[],
  query: WindowQuery,
  ask: (tier: Tier) => Promise<readonly T[]>,
  askAll: () => Promise<readonly WindowRecord[]>,
): Promise<WindowChoice<T> | undefined> {
  const choice = await firstAnswering(chooseWindow(records, query), query, ask);
  if (choice) return choice;
  const open = await askAll();
  return open.length < records.length ? firstAnswering(chooseWindow(open, query), query, ask) : undefined;
}

/** The choice in the first of these tiers in which a window answers. */
export async function firstAnswering<T extends AnsweringWindow>(
  tiers: readonly RankedTier[],
  query: WindowQuery,
  ask: (tier: Tier) => Promise<readonly T[]>,
): Promise<WindowChoice<T> | undefined> {
  for (const { rule, windows: tier } of tiers) {
    const windows = preferred(await ask(tier), favourites(query));
    if (windows.length > 0) return { rule, equals: tier.length - 1, windows };
  }
  return undefined;
}

/** Windows with a responsive workbench, or all if there is none; only the best favourite, if one is among them. */
function preferred<T extends AnsweringWindow>(answering: readonly T[], ids: readonly string[]): readonly T[] {
  const alive = answering.filter(({ responsive }) => responsive);
  const left = alive.length > 0 ? alive : answering;
  const [best] = ids.flatMap((id) => left.filter(({ record }) => record.id === id));
  return best ? [best] : left;
}

const by = (rule: MatchRule, tiers: readonly Tier[]): RankedTier[] =>
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
