import type * as vscode from 'vscode';
import { counted } from '../../core/text/cut.ts';
import { namedTest } from '../../services/run/testNames.ts';
import type { TestFailure, TestOutcome } from '../../services/run/testRuns.ts';
import type { Context } from '../context.ts';

/** What VS Code tells of a run of tests; each part may be missing in a version. */
export interface TestResults {
  outcomes?: readonly TestOutcome[];
  /** The tests that were chosen. */
  ids: readonly string[] | undefined;
  /** The tests' file. */
  file?: vscode.Uri | undefined;
  failures?: readonly TestFailure[];
}

/** As in "3 passed, 1 failed". */
export function summaryOf({ outcomes, ids, failures }: TestResults): string {
  if (!outcomes) {
    if (!failures)
      return 'no test ran there, or this version of VS Code does not tell what came of them; the Test Explorer shows it';
    const failed = failures.length > 0 ? `${failures.length} failed` : 'none failed';
    return ids ? `${ids.length} chosen, ${failed}` : `${failed}; VS Code does not tell the others`;
  }
  const counts = (['passed', 'failed', 'errored', 'skipped'] as const)
    .map((state) => [outcomes.filter((one) => one.state === state).length, state] as const)
    .filter(([count]) => count > 0);
  return counts.map(([count, state]) => `${count} ${state}`).join(', ') || 'no test ran';
}

export const failureText = ({ name, text }: Pick<TestFailure, 'name' | 'text'>): string =>
  `✗ ${name}\n${text.replaceAll(/^/gm, '  ')}\n`;

const NO_DETAILS =
  'This version of VS Code does not tell what was expected, nor messages; the Test Explorer shows them.\n';

/** The failures first, then each test, those that failed first. */
export function reportOf({ outcomes: all, ids = [], file, failures }: TestResults, ctx: Context): string {
  const outcomes = all?.filter(({ uri }) => !uri || !ctx.files.isClosed(uri));
  // VS Code tells the failures of the newest run, which may be the user's.
  const failed = (failures ?? []).flatMap((one) => {
    const ours = outcomes?.find(({ id, state }) => isBad(state) && id === one.id);
    const isShown = outcomes ? ours : !one.isClosed;
    return isShown ? failureText({ ...one, name: ours?.names.at(-1) ?? one.name }) : [];
  });
  if (!failures && outcomes?.some(({ state }) => isBad(state))) failed.push(NO_DETAILS);
  const badFirst = outcomes?.toSorted((one, other) => Number(isBad(other.state)) - Number(isBad(one.state)));
  const lines =
    badFirst?.map((one) => lineOf(one, ctx)) ??
    ids.map((id) => `ran ${namedTest(ctx.vscode, id, file).name}`);
  const closed = all && outcomes ? all.length - outcomes.length : closedOf(failures);
  return `${[...failed, ...lines, ...closedNote(closed)].join('\n')}\n`;
}

export const closedOf = (failures: readonly TestFailure[] = []): number =>
  failures.filter(({ isClosed }) => isClosed).length;

export const closedNote = (count: number): string[] =>
  count > 0 ? [`[and ${counted(count, 'test')} in files that are closed to you]`] : [];

const isBad = (state: TestOutcome['state']): boolean => state === 'failed' || state === 'errored';

function lineOf({ names, state, duration, uri, line }: TestOutcome, { files }: Context): string {
  const place =
    isBad(state) && uri && files.mayKnow(uri)
      ? [files.displayPath(uri), ...(line ? [line] : [])].join(':')
      : '';
  const time = duration === undefined ? '' : ` (${Math.round(duration)} ms)`;
  return `${state} ${names.join(' > ')}${time}${place && `, ${place}`}`;
}
