import { ifUserError } from '../../core/errors.ts';
import { counted } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import type { CheckState } from '../../services/language/reports.ts';
import { timeout } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import {
  AT_ONCE,
  check,
  type FileProblems,
  noteOn,
  type Problem,
  problemLine,
  problemsOfFile,
  SEVERITIES,
} from './fileProblems.ts';

/** Most problems listed that are new, and that may be from before; and most files that are checked. */
const MOST_NEW = 20;
const MOST_UNCLEAR = 8;
/** Files that a call for the others names. */
const MOST_NAMED = 3;
const MOST_CHECKED = 100;

export type Checks = ReadonlyMap<string, FileCheck>;

export type FileCheck = { state: CheckState; problems: readonly Problem[] };

/** Unchecked if it cannot be loaded. @throws CancelledError */
export async function checkOne(location: Location, ctx: Context, signal: AbortSignal): Promise<FileCheck> {
  const found = await check(location, ctx, signal).catch(ifUserError(undefined));
  const problems = found ? await problemsOfFile(found, 'information', ctx) : [];
  return { state: found?.state ?? 'unchecked', problems };
}

/** Checks the first files; the others are pending. @throws CancelledError */
export async function checkAll(
  locations: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Checks> {
  const checks = new Map<string, FileCheck>();
  for (const { path } of locations) checks.set(path, { state: 'pending', problems: [] });
  await inParallel(locations.slice(0, MOST_CHECKED), AT_ONCE, async (one) => {
    checks.set(one.path, await checkOne(one, ctx, signal));
  });
  return checks;
}

/** Checks files for `ms` milliseconds; files that take longer are missing. Never rejects. */
export async function checksWithin(
  ms: number,
  locations: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Checks> {
  if (locations.length === 0) return new Map();
  const limit = AbortSignal.any([signal, timeout(ms)]);
  const each = await inParallel(locations.slice(0, MOST_CHECKED), AT_ONCE, async (one) => {
    const checked = await checkOne(one, ctx, limit).catch(() => undefined);
    return checked ? [[one.path, checked] as const] : [];
  });
  return new Map(each.flat());
}

interface ProblemChanges {
  /** New problems of files that were checked before and after. */
  fresh: FileProblems[];
  gone: FileProblems[];
  /** The problems now of the other files, new or not. */
  unclear: FileProblems[];
  /** Problems that were there before. */
  kept: number;
  unchecked: string[];
  pending: string[];
}

/** @param isUndo whether the text is that of an earlier time: then a problem that was not there before may be from that time */
export function problemChangesOf(before: Checks, after: Checks, isUndo = false): ProblemChanges {
  const changes: ProblemChanges = { fresh: [], gone: [], unclear: [], kept: 0, unchecked: [], pending: [] };
  for (const [path, { state, problems }] of after) {
    const old = before.get(path);
    if (state === 'checked' && old?.state === 'checked') {
      const fresh = without(problems, old.problems);
      changes.kept += problems.length - fresh.length;
      addTo(isUndo ? changes.unclear : changes.fresh, path, fresh);
      addTo(changes.gone, path, without(old.problems, problems));
    } else addTo(changes.unclear, path, problems);
    if (state !== 'checked') changes[state].push(path);
  }
  return changes;
}

function addTo(files: FileProblems[], path: string, problems: readonly Problem[]): void {
  if (problems.length > 0) files.push({ path, problems: [...problems] });
}

/** The problems of one list that the other lacks, wherever in the text they are. */
export function without(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  if (problems.length === 0 || others.length === 0) return problems;
  const counts = new Map<string, number>();
  for (const one of others) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return problems.filter((one) => {
    const count = counts.get(keyOf(one)) ?? 0;
    counts.set(keyOf(one), count - 1);
    return count <= 0;
  });
}

const keyOf = ({ cell, severity, message, source, code }: Problem): string =>
  JSON.stringify([cell, severity, message, source, code]);

function changesInWords({ fresh, gone, unclear, kept, unchecked, pending }: ProblemChanges): string[] {
  const isAll = unchecked.length + pending.length === 0;
  const none = kept > 0 ? `No new problems; ${kept} from before.` : 'No problems.';
  const note = isAll ? undefined : noteOn(unchecked, pending);
  const goneCount = gone.reduce((sum, { problems }) => sum + problems.length, 0);
  return [
    ...newProblems('New problems', fresh),
    ...unclearProblems('Problems', unclear),
    ...(isAll && fresh.length + unclear.length === 0 ? [none] : []),
    ...(goneCount > 0 ? [`${counted(goneCount, 'problem is', 'problems are')} gone.`] : []),
    ...(note ? [note] : []),
  ];
}

/** New problems as lines of text; none without any. */
export const newProblems = (title: string, files: readonly FileProblems[], most = MOST_NEW): string[] =>
  listed(title, files, most);

/** Problems that may be from before, as lines of text: fewer, because they may not concern the edit. */
export const unclearProblems = (title: string, files: readonly FileProblems[]): string[] =>
  listed(`${title}, new or from before`, files, MOST_UNCLEAR);

/** The first problems, of each file the errors first, and the call that has the others. */
function listed(title: string, files: readonly FileProblems[], most: number): string[] {
  if (files.length === 0) return [];
  const worst = ({ severity }: Problem) => SEVERITIES.indexOf(severity);
  const all = files.flatMap(({ path, problems }) =>
    problems.toSorted((a, b) => worst(a) - worst(b)).map((one) => ({ path, one })),
  );
  const lines = all.slice(0, most).map(({ path, one }, index) => {
    const lead = path === all[index - 1]?.path ? '' : `${visible(path)}\n`;
    return `${lead}${problemLine(one)}`;
  });
  const others = all.slice(most);
  const named = [...new Set(others.map(({ path }) => visible(path)))];
  const paths = JSON.stringify(named.length > MOST_NAMED ? ['.'] : named);
  const more = `  and ${others.length} more: get_diagnostics {"paths":${paths}}`;
  return [`${title}:`, ...lines, ...(others.length > 0 ? [more] : [])];
}

/**
 * @param takenBack what became of the edit
 * @throws UserError with the new errors, or the reason why it is not known whether there are any
 */
export function newErrors(before: Checks, after: Checks): string[] {
  const { pending, fresh, unclear, ...others } = problemChangesOf(before, after);
  const errorsOf = (files: typeof fresh) =>
    files
      .map(({ path, problems }) => ({
        path,
        problems: problems.filter(({ severity }) => severity === 'error'),
      }))
      .filter(({ problems }) => problems.length > 0);
  const errors = { ...others, pending, fresh: errorsOf(fresh), unclear: errorsOf(unclear), gone: [] };
  const isNone = errors.fresh.length + errors.unclear.length + pending.length === 0;
  return isNone ? [] : changesInWords(errors);
}

/** A failure here does not fail the edit, which is already done. */
export async function problemsAfter(
  before: Checks,
  changed: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
  isUndo = false,
): Promise<string[]> {
  try {
    const after = await checkAll(changed, ctx, signal);
    return changesInWords(problemChangesOf(before, after, isUndo));
  } catch (error) {
    ctx.log.warn(`the problems after an edit are unknown: ${(error as Error).message}`);
    return ['The problems after the edit are unknown. Call get_diagnostics.'];
  }
}
