import { existsSync } from 'node:fs';
import { allVisible } from '../../core/text/escapeInvisible.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { chooseWindow, favourites, type Rule } from '../window/chooseWindow.ts';
import { preferred } from '../window/connect.ts';
import { foldersOf, noWindowMessage, severalMessage } from '../window/noWindowMessage.ts';
import type { WindowQuery } from '../window/windowQuery.ts';
import type { Seen } from './probe.ts';
import { type Finding, ok, type Section, warn } from './report.ts';

/** One of these: the window, several that fit equally well, or neither. */
interface Choice {
  window?: WindowRecord;
  several?: readonly WindowRecord[];
  /** Why. */
  rule?: Rule;
  /** How many others fit by the same rule, equally well. */
  equals?: number;
}

/** Which window an agent would get, and why. `hasWindow` is false where it would get none. */
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

/** As the finder does it: among all records, and then without the windows that do not answer. */
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
    window.id === query.terminalWindowId ? 'this is its terminal' : 'it is the only one that answers';
  const among = equals > 0 && rule !== 'window' ? ` Of ${equals + 1} that do, ${tie}.` : '';
  return ok(
    `Window ${window.id} (${window.ideName}: ${foldersOf(window)}), because ${allVisible(REASONS[rule](query))}.${among}`,
  );
}

const REASONS: Record<Rule, (query: WindowQuery) => string> = {
  window: () => '--window names it',
  workspace: ({ workspace }) =>
    `a folder of it is or holds ${workspace}, which --workspace names; no other has a deeper one`,
  before: () => 'the agent had it before',
  directory: ({ cwd }) => `a folder of it is or holds ${cwd}; no other has a deeper one`,
  terminal: ({ cwd }) => `this is its terminal, and no window has a folder that holds ${cwd}`,
  root: () => 'a folder of it is or holds a root that the agent declares',
  below: ({ cwd }) => `a folder of it lies below ${cwd}, and no window has one that holds it`,
  only: () =>
    'it is the only one that is open. The agent goes on with one that has the directory once there is one; a root that it declares may choose as well',
};
