import { cutText, UserError, visible } from '../../../core/messages.ts';
import { bareName, matchingSymbols, nearest } from '../../../core/symbolPaths.ts';
import type { LanguageScope } from '../providers.ts';
import { type Candidate, candidatesIn, type Target, targetOf } from './candidates.ts';
import type { Outline } from './outline.ts';
import { areParts, groupsOf, withoutNamesakes } from './sameSymbol.ts';

/** Matches listed in an error, and UTF-16 units of the line of each. */
const MOST_CANDIDATES_LISTED = 20;
const LONGEST_LINE = 120;

/** @throws UserError if there is none, or several; CancelledError */
export async function theOne(
  wanted: string,
  outlines: readonly Outline[],
  where: string,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target> {
  // In each file by itself: a symbol at the top level of one file is not the one that is meant in another.
  const all = outlines.flatMap((outline) =>
    matchingSymbols(outline.all, wanted).map((one) => ({ ...one, outline })),
  );
  const found = withoutNamesakes(all);
  const [first] = found;
  if (first && found.length > 1 && (await areParts(found, scope.files))) {
    const name = first.path.replace(/[^/]*$/, bareName(first.symbol.name));
    return { ...targetOf(first, scope), name, parts: found };
  }
  const groups = await groupsOf(found, scope, signal);
  const mains = groups.flatMap(([main]) => main ?? []);
  const [main] = mains;
  if (main && mains.length === 1) return targetOf(main, scope);
  if (main) throw await several(wanted, mains, scope);
  const near = nearest(outlines.flatMap(candidatesIn), wanted) as Candidate[];
  const hint = near.length > 0 ? `Nearest:\n${listed(near)}` : 'Use list_symbols, or pass path and line.';
  throw new UserError(`There is no symbol "${visible(wanted)}" ${visible(where)}. ${hint}`, { lines: true });
}

/** @throws UserError that lists them, each with the line that declares it: their names may be the same */
export async function several(
  wanted: string,
  found: readonly Candidate[],
  { files }: LanguageScope,
): Promise<UserError> {
  const lines = await Promise.all(
    found.slice(0, MOST_CANDIDATES_LISTED).map(async ({ symbol, outline }) => {
      const line = symbol.line - 1;
      return (await files.lines(outline.location, [line])).get(line)?.trim() ?? '';
    }),
  );
  return new UserError(
    `"${visible(wanted)}" names ${found.length} symbols. Pass one of these, with its path:\n${listed(found, lines)}`,
    { lines: true },
  );
}

function listed(candidates: readonly Candidate[], lines: readonly string[] = []): string {
  const rows = candidates.slice(0, MOST_CANDIDATES_LISTED).map(({ path, symbol, outline }, index) => {
    const code = lines[index] ? `  ${visible(cutText(lines[index], LONGEST_LINE))}` : '';
    return `  ${visible(path)}  ${symbol.kind}  ${visible(outline.location.path)}:${symbol.line}${code}`;
  });
  const more = candidates.length - rows.length;
  return [...rows, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}
