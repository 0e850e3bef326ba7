import { UserError } from '../../../core/errors.ts';
import { bareName, lastName, matchingSymbols, nearest } from '../../../core/symbolPaths.ts';
import { cutText } from '../../../core/text/cut.ts';
import { visible } from '../../../core/text/visible.ts';
import type { LanguageScope } from '../providers.ts';
import { type Candidate, candidatesIn, type Target, targetOf } from './candidates.ts';
import type { Outline } from './outline.ts';
import { areParts, groupsOf, withoutLocals, withoutNamesakes } from './sameSymbol.ts';

/** Matches listed in an error, and UTF-16 units of the line of each. */
const MOST_CANDIDATES_LISTED = 20;
const LONGEST_LINE = 120;

/**
 * @param isForChange whether the caller changes code: then a member is no less meant than a symbol at the top level
 * @throws UserError if there is none, or several; CancelledError
 */
export async function theOne(
  wanted: string,
  isForChange: boolean,
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
  const isBare = lastName(wanted) === wanted;
  const seen = isBare ? withoutLocals(found) : found;
  const top = isBare && !isForChange ? seen.filter(({ levels }) => levels.length === 1) : [];
  const chosen = (target: Target, own: readonly Candidate[]) => {
    const namesakes = found.filter((one) => !own.includes(one));
    return { ...target, ...(namesakes.length > 0 && { namesakes }) };
  };
  for (const parts of [seen, top]) {
    const [first] = parts;
    if (!first || parts.length === 1 || !(await areParts(parts, scope.files))) continue;
    const name = first.path.replace(/[^/]*$/, bareName(first.symbol.name));
    return chosen({ ...targetOf(first, scope), name, parts }, parts);
  }
  const groups = await groupsOf(seen, scope, signal);
  const isTop = ([main]: readonly Candidate[]) => main !== undefined && top.includes(main);
  const [group = [], ...more] = groups.length === 1 ? groups : groups.filter(isTop);
  const [main] = group;
  if (main && more.length === 0) return chosen(targetOf(main, scope), group);
  const mains = groups.flatMap(([one]) => one ?? []);
  if (mains.length > 0)
    throw await several(wanted, [...mains, ...found.filter((one) => !seen.includes(one))], scope);
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
