import type * as vscode from 'vscode';
import { cutText, UserError, visible } from '../../../core/messages.ts';
import { type Addressed, bareName, matchingSymbols, nearest } from '../../../core/symbolPaths.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isTypeScript } from '../checkers.ts';
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
  /** All its declarations in text order, if it has several: the signatures of an overloaded function, or a pair of accessors. */
  parts?: readonly Candidate[];
}

export interface Candidate extends Addressed<FileSymbol> {
  outline: Outline;
}

/** Matches listed in an error, and UTF-16 units of the line of each. */
const MOST_CANDIDATES_LISTED = 20;
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
    matchingSymbols(outline.all, wanted).map((one) => ({ ...one, outline })),
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

export function targetOf(
  { symbol, path, outline }: Candidate,
  { vscode: { Position } }: LanguageScope,
): Target {
  const { location, document } = outline;
  const position = new Position(symbol.line - 1, symbol.column - 1);
  return { location, document, position, name: path, symbol };
}

const FUNCTIONS = new Set(['function', 'method', 'constructor']);
/** Declarations of one name in one scope are merged (TypeScript handbook, "Declaration Merging"). */
const MERGED = new Set(['interface', 'class', 'namespace', 'module', 'enum']);
const ACCESSOR = /^\(([gs]et)\) /;

const NOTHING = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/;

/** Whether symbols of one name, in text order, are one: overloads, a pair of accessors, merged declarations. Known of TypeScript only. */
async function isOne(found: readonly Candidate[], files: Files): Promise<boolean> {
  const [first] = found;
  if (!first || !isTypeScript(first.outline.document.languageId)) return false;
  const outer = outerOf(first);
  if (found.some((one) => one.outline !== first.outline || outerOf(one) !== outer)) return false;
  const symbols = found.map(({ symbol }) => symbol);
  const kinds = new Set(symbols.map(({ kind }) => kind));
  const classes = symbols.filter(({ kind }) => kind === 'class').length;
  if (symbols.every(({ kind }) => MERGED.has(kind))) return classes < 2;
  const accessors = symbols.map(({ name }) => ACCESSOR.exec(name)?.[1]);
  if (accessors.every(Boolean)) return new Set(accessors).size === symbols.length;
  return kinds.size === 1 && FUNCTIONS.has(first.symbol.kind) && areOverloads(symbols, first.outline, files);
}

const outerOf = ({ levels }: Addressed<FileSymbol>): string =>
  levels
    .slice(0, -1)
    .map(({ name, index }) => `${name}[${index}]`)
    .join('/');

/** One after another, and only the last has a body: a static and another method may have one name. */
async function areOverloads(symbols: readonly FileSymbol[], { location }: Outline, files: Files) {
  const startOf = ({ startLine, line }: FileSymbol) => startLine ?? line;
  const pairs = symbols.slice(1).map((symbol, index) => [symbols[index] ?? symbol, symbol] as const);
  const numbers = pairs.flatMap(([before, symbol]) => range(before.endLine - 1, startOf(symbol) - 1));
  const lines = await files.lines(location, [...new Set(numbers)]);
  const textOf = (from: number, to: number) =>
    range(from, to)
      .map((line) => lines.get(line) ?? '')
      .join('\n');
  return pairs.every(([before, symbol]) => {
    const hasBody = /\}\s*$/.test(textOf(before.endLine - 1, before.endLine));
    return !hasBody && NOTHING.test(textOf(before.endLine, startOf(symbol) - 1));
  });
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
