import { ifUserError } from '../../core/errors.ts';
import { counted } from '../../core/text/counted.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import type { CheckState } from '../../services/language/diagnostics.ts';
import { timeout } from '../../util/clock.ts';
import { inParallel } from '../../util/inParallel.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';
import { AT_ONCE, check, type FileProblems, problemsIn } from './fileProblems.ts';
import { noteOn } from './problemReport.ts';
import { type Problem, problemLine } from './problems.ts';

/** Most problems listed of a kind, and most files that are checked. */
const MOST_LISTED = 20;
const MOST_CHECKED = 100;

/** The problems of some files at one time, by path. Files that cannot be checked are missing. */
export type Checks = ReadonlyMap<string, { state: CheckState; problems: readonly Problem[] }>;

/** Checks the first files; there is no report of the others. @throws CancelledError */
export async function checkAll(
  locations: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Checks> {
  const first = locations.slice(0, MOST_CHECKED);
  const checked = await inParallel(first, AT_ONCE, (one) =>
    check(one, ctx, signal).catch(ifUserError(undefined)),
  );
  const found = checked.filter((one) => one !== undefined);
  const problems = await problemsIn(found, 'information', ctx);
  const unknown = locations.slice(MOST_CHECKED);
  return new Map<string, { state: CheckState; problems: readonly Problem[] }>([
    ...problems.map((one, index) => [one.path, { ...one, state: found[index]?.state ?? 'pending' }] as const),
    ...unknown.map(({ path }) => [path, { state: 'pending', problems: [] }] as const),
  ]);
}

/** The same within `ms` milliseconds; files that take longer are missing. Never rejects. */
export async function checksWithin(
  ms: number,
  locations: readonly Location[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Checks> {
  const limit = AbortSignal.any([signal, timeout(ms)]);
  const each = await inParallel(locations.slice(0, MOST_CHECKED), AT_ONCE, (one) =>
    checkAll([one], ctx, limit).catch((): Checks => new Map()),
  );
  return new Map(each.flatMap((checks) => [...checks]));
}

export interface ProblemChanges {
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

export function changesOf(before: Checks, after: Checks): ProblemChanges {
  const all = [...after];
  const pathsOf = (wanted: CheckState) =>
    all.filter(([, { state }]) => state === wanted).map(([path]) => path);
  const [clear, others] = [true, false].map((isClear) =>
    all.filter(
      ([path, { state }]) => (state === 'checked' && before.get(path)?.state === 'checked') === isClear,
    ),
  ) as [typeof all, typeof all];
  const compared = (from: Checks, to: Checks) =>
    nonEmpty(
      clear.map(([path]) => ({
        path,
        problems: without(to.get(path)?.problems ?? [], from.get(path)?.problems ?? []),
      })),
    );
  const fresh = compared(before, after);
  const count = clear.reduce((sum, [, { problems }]) => sum + problems.length, 0);
  return {
    fresh,
    gone: compared(after, before),
    unclear: nonEmpty(others.map(([path, { problems }]) => ({ path, problems: [...problems] }))),
    kept: count - countOf(fresh),
    unchecked: pathsOf('unchecked'),
    pending: pathsOf('pending'),
  };
}

/** The problems of one list that the other lacks, wherever in the text they are. */
function without(problems: readonly Problem[], others: readonly Problem[]): Problem[] {
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

const nonEmpty = (files: FileProblems[]): FileProblems[] =>
  files.filter(({ problems }) => problems.length > 0);

const countOf = (files: readonly FileProblems[]): number =>
  files.reduce((sum, { problems }) => sum + problems.length, 0);

/** As lines of text. */
export function changesInWords({ fresh, gone, unclear, kept, unchecked, pending }: ProblemChanges): string[] {
  const isAll = unchecked.length + pending.length === 0;
  const none = kept > 0 ? `No new problems; ${kept} from before.` : 'No problems.';
  const note = noteOn(unchecked, pending);
  return [
    ...newProblems('New problems', fresh),
    ...newProblems('Problems, new or from before', unclear),
    ...(isAll && fresh.length + unclear.length === 0 ? [none] : []),
    ...(countOf(gone) > 0 ? [`${counted(countOf(gone), 'problem is', 'problems are')} gone.`] : []),
    ...(note ? [note] : []),
  ];
}

/** A list as lines of text; none without problems. */
export function newProblems(title: string, files: readonly FileProblems[]): string[] {
  const lines = files.flatMap(({ path, problems }) =>
    problems.map((one, index) => `${index === 0 ? `${visible(path)}\n` : ''}${problemLine(one)}`),
  );
  const more = lines.length - MOST_LISTED;
  if (lines.length === 0) return [];
  return [
    `${title}:`,
    ...lines.slice(0, MOST_LISTED),
    ...(more > 0 ? [`  and ${more} more. Call get_diagnostics.`] : []),
  ];
}
