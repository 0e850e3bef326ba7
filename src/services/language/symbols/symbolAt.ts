/** Which symbol of an outline is meant by the place that a server gives for a declaration. */
import type * as vscode from 'vscode';
import { bareName, namesIn } from '../../../core/symbolPaths.ts';
import type { Candidate } from './candidates.ts';
import type { FileSymbol, Outline } from './outline.ts';

/** Where a declaration without a name has its place: `constructor() { }`, `export default function () { }`. */
const KEYWORD = /^(constructor|default|export|function|class|async|new)\b/;

/**
 * The symbol that is declared at a place; undefined if a name is declared there that is no symbol, such as a parameter: never the
 * symbol around it.
 *
 * @param name of what was asked for; it may have another one where it is declared
 */
export function symbolAt(outline: Outline, range: vscode.Range, name: string): Candidate | undefined {
  const { start } = range;
  const line = start.line + 1;
  const around = outline.all.filter(({ symbol }) => covers(symbol, line));
  const isNamed = ({ symbol }: { symbol: FileSymbol }) => lastOf(symbol) === name;
  const isStartOfFile = range.isEmpty && start.line === 0 && start.character === 0; // of a module
  const found =
    around.find((one) => isNameIn(one.symbol, range) && (!isStartOfFile || isNamed(one))) ??
    around.findLast((one) => isNamed(one) && !hasItsName(one.symbol, outline)) ??
    (KEYWORD.test(textAt(outline, start)) && !isStartOfFile
      ? around.findLast(({ symbol: { startLine, line: named } }) => (startLine ?? named) === line)
      : undefined);
  return found && { ...found, outline };
}

const covers = ({ line, startLine = line, endLine }: FileSymbol, wanted: number): boolean =>
  startLine <= wanted && wanted <= endLine;

const lastOf = ({ name }: FileSymbol): string => bareName(namesIn(name).at(-1) ?? name);

/** The places of its name in its declaration. 1-based. */
export const namePlaces = ({ line, column, tag }: FileSymbol): { line: number; column: number }[] => [
  { line, column },
  ...(tag ? [tag] : []),
];

/** Whether a range, which may be that of the whole symbol, has a place of the name. */
const isNameIn = (symbol: FileSymbol, { start, end }: vscode.Range): boolean =>
  namePlaces(symbol).some(({ line, column }) => {
    const [at, character] = [line - 1, column - 1];
    const isAfter = at > start.line || (at === start.line && character >= start.character);
    return isAfter && (at < end.line || (at === end.line && character <= end.character));
  });

/** Whether the server knows the place of its name. */
const hasItsName = (symbol: FileSymbol, outline: Outline): boolean =>
  textAt(outline, { line: symbol.line - 1, character: symbol.column - 1 }).startsWith(lastOf(symbol));

const textAt = (
  { document }: Outline,
  { line, character }: Pick<vscode.Position, 'line' | 'character'>,
): string => (line < document.lineCount ? document.lineAt(line).text.slice(character) : '');

/** The end of the last line of a body in braces, with the name of a `typedef`. */
const BODY = /\}\s*\w*\s*[;,]?\s*((\/\/|\/\*).*)?$/;

interface Declaration {
  symbol: FileSymbol;
  outline: Pick<Outline, 'document'>;
}

/** How much a declaration says, to tell the definition: the most has one with a body, the least `extern`. */
function weightOf({ symbol, outline: { document } }: Declaration): number {
  const textOf = (line: number) => (line <= document.lineCount ? document.lineAt(line - 1).text : '');
  const last = textOf(symbol.endLine);
  if (BODY.test(last)) return 3;
  if (symbol.endLine > symbol.line && !/;\s*$/.test(last)) return 2;
  return /\bextern\b/.test(textOf(symbol.line)) ? 0 : 1;
}

/** The definition among declarations of one symbol: the one that says most, else the first. */
export const definitionAmong = <T extends Declaration>(found: readonly T[]): T | undefined =>
  found.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
