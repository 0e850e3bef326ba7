import { UserError } from '../../../core/errors.ts';
import { lastName } from '../../../core/symbolPaths.ts';
import { branchNames } from '../../../services/git/changesSince.ts';
import { type Outline, outlineOf } from '../../../services/language/symbols/outline.ts';
import { outlinesNaming } from '../../../services/language/symbols/symbolFiles.ts';
import type { Context } from '../../context.ts';
import { readActive } from '../../editor/readEditorState.ts';
import { matchingPaths } from '../../files/completePath.ts';

/** Least typed characters for a search in the whole workspace: shorter names are in too many files. */
const LEAST = 2;

/** The next part of every path that begins as typed, then other paths with the typed text. */
export const paths = async (typed: string, { files }: Context, signal: AbortSignal): Promise<string[]> =>
  matchingPaths(await files.list(signal), ({ path }) => path, typed, signal);

/** Files with problems, then all. */
export async function pathsWithProblems(typed: string, ctx: Context, signal: AbortSignal): Promise<string[]> {
  const reported = ctx.language.all().filter(([, problems]) => problems.length > 0);
  const located = await Promise.all(reported.map(([uri]) => ctx.files.permitted(uri)));
  const first = located.flatMap((location) => location?.path ?? []).sort();
  return [...new Set([...first, ...(await paths(typed, ctx, signal))])];
}

/** The symbols of a file, by default the active one; with some letters typed, of other files too. */
export async function symbols(
  typed: string,
  path: string | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  const file = path ?? (await readActive(ctx)).active?.path;
  const named =
    file === undefined
      ? []
      : [await quietly(async () => outlineOf(await ctx.files.locate(file), ctx, signal))];
  const others =
    path === undefined && typed.length >= LEAST
      ? ((await quietly(() => outlinesNaming(lastName(typed), true, ctx, signal)))?.outlines ?? [])
      : [];
  const outlines = [...named, ...others].filter((outline): outline is Outline => outline !== undefined);
  return [...new Set(outlines.flatMap(({ all }) => all.map((symbol) => symbol.path)))];
}

export const branches = async (ctx: Context): Promise<string[]> =>
  (await quietly(() => branchNames(ctx))) ?? [];

/** Nothing to suggest is no error. */
async function quietly<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}
