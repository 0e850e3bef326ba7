import { counted, ifUserError, UserError, visible } from '../../core/messages.ts';
import type { CheckState } from '../../services/language/reports.ts';
import { timeout } from '../../util/clock.ts';
import { inParallel } from '../../util/turns.ts';
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
} from './fileProblems.ts';

/** Most problems listed of a kind, and most files that are checked. */
const MOST_PROBLEMS_LISTED = 20;
const MOST_CHECKED = 100;

export type Checks = ReadonlyMap<string, FileCheck>;

type FileCheck = { state: CheckState; problems: readonly Problem[] };

/** Unchecked if it cannot be loaded. @throws CancelledError */
async function checkOne(location: Location, ctx: Context, signal: AbortSignal): Promise<FileCheck> {
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

/** The same within `ms` milliseconds; files that take longer are missing. Never rejects. */
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
  /** Of files that were checked before and after. */
  fresh: FileProblems[];
  gone: FileProblems[];
  /** The problems now of the other files, new or not. */
  unclear: FileProblems[];
  /** Problems that were there before. */
  kept: number;
  unchecked: string[];
  pending: string[];
}

export function problemChangesOf(before: Checks, after: Checks): ProblemChanges {
  const changes: ProblemChanges = { fresh: [], gone: [], unclear: [], kept: 0, unchecked: [], pending: [] };
  for (const [path, { state, problems }] of after) {
    const old = before.get(path);
    if (state === 'checked' && old?.state === 'checked') {
      const fresh = without(problems, old.problems);
      changes.kept += problems.length - fresh.length;
      addTo(changes.fresh, path, fresh);
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
function without(problems: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
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
    ...newProblems('Problems, new or from before', unclear),
    ...(isAll && fresh.length + unclear.length === 0 ? [none] : []),
    ...(goneCount > 0 ? [`${counted(goneCount, 'problem is', 'problems are')} gone.`] : []),
    ...(note ? [note] : []),
  ];
}

/** A list as lines of text; none without problems. */
export function newProblems(title: string, files: readonly FileProblems[]): string[] {
  if (files.length === 0) return [];
  const lines = files.flatMap(({ path, problems }) =>
    problems.map((one, index) => `${index === 0 ? `${visible(path)}\n` : ''}${problemLine(one)}`),
  );
  const more = lines.length - MOST_PROBLEMS_LISTED;
  return [
    `${title}:`,
    ...lines.slice(0, MOST_PROBLEMS_LISTED),
    ...(more > 0 ? [`  and ${more} more. Call get_diagnostics.`] : []),
  ];
}

/**
 * @param takenBack what became of the edit
 * @throws UserError with the new errors, or the reason why it is not known whether there are any
 */
export function requireNoNewErrors(before: Checks, after: Checks, takenBack: string): void {
  const { pending, fresh, unclear, ...others } = problemChangesOf(before, after);
  const errorsOf = (files: typeof fresh) =>
    files
      .map(({ path, problems }) => ({
        path,
        problems: problems.filter(({ severity }) => severity === 'error'),
      }))
      .filter(({ problems }) => problems.length > 0);
  const errors = { ...others, pending, fresh: errorsOf(fresh), unclear: errorsOf(unclear), gone: [] };
  if (errors.fresh.length + errors.unclear.length + pending.length === 0) return;
  const lines = [takenBack, ...changesInWords(errors)];
  throw new UserError(lines.join('\n'), { lines: true });
}

/** A failure here does not fail the edit, which is already done. */
export async function problemsAfter(
  before: Checks,
  changed: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const after = await checkAll(changed, ctx, signal);
    return changesInWords(problemChangesOf(before, after));
  } catch (error) {
    ctx.log.warn(`the problems after an edit are unknown: ${(error as Error).message}`);
    return ['The problems after the edit are unknown. Call get_diagnostics.'];
  }
}
