/** What does not compile any more because a changed file does not declare a name that it declared. */
import { ifUserError, throwIfCancelled } from '../../core/errors.ts';
import { wordPattern } from '../../core/symbolPaths.ts';
import { visible } from '../../core/text/visible.ts';
import type { Remark } from '../../services/language/changes/changedSymbols.ts';
import { type GoneNames, linesWithGone } from '../../services/language/changes/goneNames.ts';
import { keyOf, type OpenPlace } from '../../services/language/symbols/places.ts';
import { timeout } from '../../util/clock.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { SearchLine } from '../../workspace/search/ripgrepSearch.ts';
import type { Context } from '../context.ts';
import { testsApart, type Used } from './impactLines.ts';

/** Files with the names that are checked, at most. */
const MOST_CHECKED = 40;
const CHECK_TIMEOUT_MS = 10_000;
const AT_ONCE = 4;

/** Files in which a name that is not there is mostly no error. */
const UNTYPED = /\.[mc]?jsx?$/;

const UNSURE = 'These have a name that is gone, in code or comments, and could not be checked';

/** The lines with names that are gone, as far as they have errors; and the files that could not be checked. @throws CancelledError */
export async function brokenUses(
  gone: readonly GoneNames[],
  ctx: Context,
  signal: AbortSignal,
): Promise<{ found: Used[]; remarks: Remark[] }> {
  const { files, vscode } = ctx;
  const searched = await inParallel(gone, AT_ONCE, async (one) => ({
    one,
    byPath: await linesWithGone(one, ctx, signal),
  }));
  const paths = [...new Set(searched.flatMap(({ byPath }) => [...byPath.keys()]))];
  const located = await inParallel(paths.slice(0, MOST_CHECKED), AT_ONCE, (path) =>
    files.locateShown(path).catch(ifUserError(undefined)),
  );
  const locations = located.filter((one) => one !== undefined);
  const errors = await errorsIn(locations, ctx, signal);
  const brokenBy = (name: string, byPath: ReadonlyMap<string, readonly SearchLine[]>): OpenPlace[] =>
    locations.flatMap((location) =>
      (byPath.get(location.path) ?? []).flatMap(({ line, text }) => {
        if (line === undefined || !errors.get(location.path)?.has(line)) return [];
        const range = new vscode.Range(line - 1, 0, line - 1, 0);
        return wordPattern(name).test(text) ? { uri: location.uri, location, range } : [];
      }),
    );
  const found = searched.flatMap(({ one, byPath }): Used[] => {
    const broken = one.names.map((name) => ({ name, places: brokenBy(name, byPath) }));
    // One import may have several of them.
    const bySame = Map.groupBy(broken, ({ places }) => places.map(keyOf).join());
    return [...bySame.values()].flatMap((same) => {
      const title = `${same.map(({ name }) => visible(name)).join(', ')} (gone from ${visible(one.path)})`;
      const lists = testsApart([{ title: 'Broken uses', places: same[0]?.places ?? [] }]);
      return lists.length > 0 ? { title, lists } : [];
    });
  });
  const isUnsure = (path: string) =>
    !errors.has(path) || (UNTYPED.test(path) && errors.get(path)?.size === 0);
  return { found, remarks: paths.filter(isUnsure).map((name) => ({ about: UNSURE, name })) };
}

/** The lines with errors, 1-based, of the files that are checked in time. @throws CancelledError */
async function errorsIn(
  locations: readonly Location[],
  { files, language, vscode }: Context,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const limit = AbortSignal.any([signal, timeout(CHECK_TIMEOUT_MS)]);
  const checked = await inParallel(locations, AT_ONCE, async (one) => {
    const found = await language.of(one, files, limit).catch(() => undefined);
    if (found?.state !== 'checked') return [];
    const errors = found.diagnostics.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    return [[one.path, new Set(errors.map(({ range }) => range.start.line + 1))] as const];
  });
  throwIfCancelled(signal);
  return new Map(checked.flat());
}
