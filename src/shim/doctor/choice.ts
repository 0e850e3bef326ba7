import { existsSync } from 'node:fs';
import { allVisible } from '../../core/text/escapeInvisible.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { chooseWindow, favourites, type Rule } from '../window/chooseWindow.ts';
import { preferred } from '../window/connect.ts';
import { foldersOf, noWindowMessage, severalMessage } from '../window/noWindowMessage.ts';
import type { WindowQuery } from '../window/windowQuery.ts';
import type { Seen } from './probe.ts';
import { type Finding, ok, type Section, warn } from './report.ts';

/** One window, several that match equally well, or neither. */
interface Choice {
  window?: WindowRecord;
  several?: readonly WindowRecord[];
  /** Why. */
  rule?: Rule;
  /** How many other windows match equally well by the same rule. */
  equals?: number;
}

/** Which window an agent would get, and why. `hasWindow` is false if it would get none. */
export function choiceSection(
  seen: readonly Seen[],
  query: WindowQuery,
): { section: Section; hasWindow: boolean } {
  const choice = choose(seen, query);
  const directory = query.workspace ?? query.cwd;
  const named = allVisible(directory);
  const findings = [
    ...(existsSync(directory) ? [] : [warn(`${named} does not exist.`)]),
    choiceFinding(choice, seen, query),
  ];
  return {
    section: { title: `The window for an agent in ${named}`, findings },
    hasWindow: choice.window !== undefined,
  };
}

/** Same order as the finder: first all records, then only windows that answer. */
export function choose(seen: readonly Seen[], query: WindowQuery): Choice {
  const open = seen.filter(({ answers }) => answers);
  for (const { rule, windows } of [
    ...chooseWindow(recordsOf(seen), query),
    ...chooseWindow(recordsOf(open), query),
  ]) {
    const [window, ...others] = preferred(
      open.filter(({ record }) => windows.includes(record)),
      favourites(query),
    );
    if (window && others.length > 0) return { several: recordsOf([window, ...others]) };
    if (window) return { window: window.record, rule, equals: windows.length - 1 };
  }
  return {};
}

const recordsOf = (seen: readonly Seen[]): WindowRecord[] => seen.map(({ record }) => record);

function choiceFinding(choice: Choice, seen: readonly Seen[], query: WindowQuery): Finding {
  const { window, several, rule = 'only', equals = 0 } = choice;
  const open = recordsOf(seen.filter(({ answers }) => answers));
  if (several) return warn(severalMessage(several, open));
  if (!window) return warn(noWindowMessage(query, open, []));
  const tie =
    window.id === query.terminalWindowId ? 'it owns this terminal' : 'it is the only one that answers';
  const among = equals > 0 && rule !== 'window' ? ` Of ${equals + 1} matching windows, ${tie}.` : '';
  return ok(
    `Window ${window.id} (${window.ideName}: ${foldersOf(window)}), because ${allVisible(REASONS[rule](query))}.${among}`,
  );
}

const REASONS: Record<Rule, (query: WindowQuery) => string> = {
  window: () => '--window names it',
  workspace: ({ workspace }) =>
    `its folder is or contains ${workspace} (--workspace); no other window has a deeper one`,
  before: () => 'the agent used it before',
  directory: ({ cwd }) => `its folder is or contains ${cwd}; no other window has a deeper one`,
  terminal: ({ cwd }) => `it owns this terminal, and no window has a folder that contains ${cwd}`,
  root: () => 'its folder is or contains a root that the agent declares',
  below: ({ cwd }) => `its folder is below ${cwd}, and no window has a folder that contains ${cwd}`,
  only: () =>
    'it is the only open window. If a window opens with this directory or with a root of the agent, the agent moves to it',
};
