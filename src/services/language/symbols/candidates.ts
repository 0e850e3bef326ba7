import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { type Addressed, matching, nearest } from '../../../core/symbolPaths.ts';
import { visible } from '../../../core/text/escapeInvisible.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';
import type { FileSymbol, Outline } from './outline.ts';

export interface Target {
  location: Location;
  document: vscode.TextDocument;
  position: vscode.Position;
  /** Its name path, or what the agent called it. */
  name: string;
  /** If it is declared at this position. */
  symbol?: FileSymbol;
}

export interface Candidate extends Addressed<FileSymbol> {
  outline: Outline;
}

/** Matches listed in an error. */
const MOST_LISTED = 20;

export const candidatesIn = (outline: Outline): Candidate[] =>
  outline.all.map((one) => ({ ...one, outline }));

/** @throws UserError if there is none, or several */
export function theOne(
  wanted: string,
  outlines: readonly Outline[],
  where: string,
  scope: LanguageScope,
): Target {
  // In each file by itself: a symbol at the top level of one file is not the one that is meant in another.
  const found = outlines.flatMap((outline) =>
    matching(outline.all, wanted).map((one) => ({ ...one, outline })),
  );
  if (found.length > 1) throw several(wanted, found);
  if (found[0]) return targetOf(found[0], scope);
  const near = nearest(outlines.flatMap(candidatesIn), wanted) as Candidate[];
  const hint = near.length > 0 ? `Nearest:\n${listed(near)}` : 'Use list_symbols, or pass path and line.';
  throw new UserError(`There is no symbol "${visible(wanted)}" ${visible(where)}. ${hint}`, { lines: true });
}

export const several = (wanted: string, found: readonly Candidate[]): UserError =>
  new UserError(
    `"${visible(wanted)}" names ${found.length} symbols. Pass one of these, with its path:\n${listed(found)}`,
    { lines: true },
  );

function listed(candidates: readonly Candidate[]): string {
  const lines = candidates
    .slice(0, MOST_LISTED)
    .map(
      ({ path, symbol, outline }) =>
        `  ${visible(path)}  ${symbol.kind}  ${visible(outline.location.path)}:${symbol.line}`,
    );
  const more = candidates.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
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
