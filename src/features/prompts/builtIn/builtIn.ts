import { ifUserError } from '../../../core/errors.ts';
import { lastName } from '../../../core/symbolPaths.ts';
import { branchNames } from '../../../services/git/fileDiff.ts';
import { outlineOf } from '../../../services/language/symbols/outline.ts';
import { outlinesNaming } from '../../../services/language/symbols/symbolFiles.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { Context } from '../../context.ts';
import { readActive } from '../../editor/readEditorState.ts';
import { matchingPaths } from '../../files/completePath.ts';
import type { PromptEntry } from '../promptSource.ts';

/** A prompt of ours, in the user's language. */
export type BuiltIn = (ctx: Context) => PromptEntry;

/** Lines of a file as the resource `file:///{+path}` names them; 1-based, inclusive. */
export const linesUri = ({ uri }: Location, first: number, last: number): string =>
  `${uri}#L${first}${last > first ? `-L${last}` : ''}`;

/** The resource of a file in `editor-state:///name/{+path}`. */
export const stateUri = (name: string, path: string): string =>
  `editor-state:///${name}/${encodeURI(path).replace(/[#?]/g, encodeURIComponent)}`;

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

/** The symbols of a file, by default the active one; with some letters typed, of other files too. Nothing to suggest is no error. */
export async function symbols(
  typed: string,
  path: string | undefined,
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  const file = path ?? (await readActive(ctx)).active?.path;
  const outline = async (of: string) => [await outlineOf(await ctx.files.locate(of), ctx, signal)];
  const named = file === undefined ? [] : await outline(file).catch(ifUserError([]));
  const isSearch = path === undefined && typed.length >= LEAST;
  const naming = async () => (await outlinesNaming(lastName(typed), true, ctx, signal)).outlines;
  const others = isSearch ? await naming().catch(ifUserError([])) : [];
  return [...new Set([...named, ...others].flatMap(({ all }) => all.map((symbol) => symbol.path)))];
}

export const branches = (ctx: Context): Promise<string[]> => branchNames(ctx).catch(ifUserError([]));
