import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { type Addressed, bareName, matching, nearest } from '../../../core/symbolPaths.ts';
import { cutText } from '../../../core/text/cutText.ts';
import { visible } from '../../../core/text/escapeInvisible.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';
import { isOne } from './oneSymbol.ts';
import type { FileSymbol, Outline } from './outline.ts';

export interface Target {
  location: Location;
  document: vscode.TextDocument;
  position: vscode.Position;
  /** Its name path, or what the agent called it. */
  name: string;
  /** If it is declared at this position. */
  symbol?: FileSymbol;
  /** All its declarations in text order, if it has several: the signatures of an overloaded function, or a pair of accessors. */
  parts?: readonly Candidate[];
}

export interface Candidate extends Addressed<FileSymbol> {
  outline: Outline;
}

/** Matches listed in an error, and UTF-16 units of the line of each. */
const MOST_LISTED = 20;
const LONGEST_LINE = 120;

export const candidatesIn = (outline: Outline): Candidate[] =>
  outline.all.map((one) => ({ ...one, outline }));

/** @throws UserError if there is none, or several */
export async function theOne(
  wanted: string,
  outlines: readonly Outline[],
  where: string,
  scope: LanguageScope,
): Promise<Target> {
  // In each file by itself: a symbol at the top level of one file is not the one that is meant in another.
  const found = outlines.flatMap((outline) =>
    matching(outline.all, wanted).map((one) => ({ ...one, outline })),
  );
  const [first] = found;
  if (first && found.length === 1) return targetOf(first, scope);
  if (first && (await isOne(found, scope.files))) {
    const name = first.path.replace(/[^/]*$/, bareName(first.symbol.name));
    return { ...targetOf(first, scope), name, parts: found };
  }
  if (first) throw await several(wanted, found, scope);
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
    found.slice(0, MOST_LISTED).map(async ({ symbol, outline }) => {
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
  const rows = candidates.slice(0, MOST_LISTED).map(({ path, symbol, outline }, index) => {
    const code = lines[index] ? `  ${visible(cutText(lines[index], LONGEST_LINE))}` : '';
    return `  ${visible(path)}  ${symbol.kind}  ${visible(outline.location.path)}:${symbol.line}${code}`;
  });
  const more = candidates.length - rows.length;
  return [...rows, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

export function targetOf(
  { symbol, path, outline }: Candidate,
  { vscode: { Position } }: LanguageScope,
): Target {
  const { location, document } = outline;
  return {
    location,
    document,
    position: new Position(symbol.line - 1, symbol.column - 1),
    name: path,
    symbol,
  };
}
