import { visible } from '../../core/text/visible.ts';
import { runRipgrep } from '../../disk/ripgrep.ts';
import type { Locator } from '../read/location.ts';
import { bytesOf } from './openedHits.ts';
import { filesOf, type IsSearched, type Place } from './placeFiles.ts';
import { matching, patternOf, type RipgrepSearch, type Searched, type SearchQuery } from './ripgrepSearch.ts';

/**
 * Ripgrep leaves a file at its first NUL, and does not say so if nothing is found before. Finds the files with hits behind it; if
 * something is redacted, all that have a NUL, because hits may be redacted.
 */
export async function behindNul(
  locator: Locator,
  place: Place,
  { query, ...run }: RipgrepSearch,
  isSearched: IsSearched,
  cut: (searched: Searched) => void,
): Promise<void> {
  const scope = filesOf(locator, place, query, isSearched);
  if (!scope) return;
  const { isOff } = locator.inputs.redaction;
  const what = isOff
    ? [...matching({ ...query, contextLines: 0 }), '--', patternOf(query)]
    : ['--', String.raw`\x00`];
  // Memory maps, because a file without a line end is read whole otherwise.
  const names = ['--files-with-matches', '--null', '--text', '--mmap', '--no-messages'];
  const onPiece = (path: string) => {
    const searched = scope.find(path);
    if (searched) cut(searched);
  };
  await runRipgrep({
    ...run,
    args: [...scope.args, ...names, ...what, scope.top],
    cwd: scope.cwd,
    separator: '\0',
    onPiece,
  });
}

/** Most files with a NUL that a note names, and most that are opened for that. */
const MOST_CUT = 3;
const MOST_LOOKED_AT = 50;

export async function noteOnCut(
  locator: Locator,
  all: readonly Searched[],
  { onNote }: SearchQuery,
): Promise<void> {
  const named: string[] = [];
  for (const searched of all.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_LOOKED_AT))
    if ((await bytesOf(locator, searched.uri))?.includes(0)) named.push(visible(searched.path));
  if (named.length === 0) return;
  const more = all.length > MOST_LOOKED_AT || named.length > MOST_CUT ? ' and others' : '';
  onNote?.(`Not searched behind a NUL character: ${named.slice(0, MOST_CUT).join(', ')}${more}.`);
}
