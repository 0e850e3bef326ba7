import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { UserError } from '../../../core/errors.ts';
import { bareName, lastName, matchingSymbols, wordPattern } from '../../../core/symbolPaths.ts';
import { visible } from '../../../core/text/visible.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';
import { candidatesIn, namePlaces, type Target, targetOf } from './candidates.ts';
import { outlineOf } from './outline.ts';
import { placesAsked } from './places.ts';
import { loadNaming } from './projects.ts';
import { outlinesNaming } from './symbolFiles.ts';
import { several, theOne } from './theOne.ts';

/** How tools name a symbol: by name path, in one file or in all, or by its place. */
export interface SymbolArguments {
  symbol?: string | undefined;
  path?: string | undefined;
  /** 1-based, as is the column, which counts UTF-16 units. */
  line?: number | undefined;
  column?: number | undefined;
  /** Whether the caller changes code: then a symbol at the top level is not preferred to members of its name. */
  isForChange?: boolean;
}

/**
 * The one symbol that an agent means, in the text of the editor.
 *
 * @throws UserError if it is none, with the nearest names, or several, with their places; NotFoundError, CancelledError
 */
export async function resolveSymbol(
  wanted: SymbolArguments,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target> {
  const { symbol, path, line, isForChange = false } = wanted;
  if (path === undefined) {
    if (line !== undefined || symbol === undefined)
      throw new UserError('Pass symbol ("Class/method"), or path and line.');
    return inWorkspace(symbol, isForChange, scope, signal);
  }
  const location = await scope.files.locate(path);
  if (line !== undefined) return symbolOnLine(location, line, wanted, scope, signal);
  if (symbol === undefined) throw new UserError('Pass symbol or line as well as path.');
  const outline = await outlineOf(location, scope, signal);
  if (outline.symbols.length === 0)
    throw new UserError(
      `${location.path} has no symbols. ${scope.providers.why('symbols', outline.document)}`,
    );
  return theOne(symbol, isForChange, [outline], `in ${location.path}`, scope, signal);
}

async function inWorkspace(
  symbol: string,
  isForChange: boolean,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target> {
  const name = bareName(lastName(symbol));
  const { left } = await loadNaming(name, scope, signal);
  const { outlines } = await outlinesNaming(name, false, scope, signal);
  const isFound = matchingSymbols(outlines.flatMap(candidatesIn), symbol).length > 0;
  const start = name.slice(0, Math.max(2, Math.ceil(name.length / 2)));
  const others = isFound ? outlines : (await outlinesNaming(start, true, scope, signal)).outlines;
  const where =
    left.length > 0 ? 'in the projects that TypeScript has loaded so far: call again' : 'in the workspace';
  return theOne(symbol, isForChange, others, where, scope, signal);
}

/** Occurrences on one line that are told apart. */
const MOST_OCCURRENCES = 20;

/** @throws UserError, CancelledError */
async function symbolOnLine(
  location: Location,
  line: number,
  place: SymbolArguments,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target> {
  const { files, vscode } = scope;
  const outline = await outlineOf(location, scope, signal);
  const { document } = outline;
  if (line > document.lineCount)
    throw new UserError(`${location.path} has ${document.lineCount} lines; line ${line} is past its end.`);
  const { all } = outline;
  const named = all.filter((one) => one.symbol.line === line).map((one) => ({ ...one, outline }));
  if (place.column === undefined && place.symbol === undefined) {
    const { length } = named;
    if (length > 1) throw await several(`line ${line}`, named, scope);
    const around = all.findLast(
      ({ symbol }) => (symbol.startLine ?? symbol.line) <= line && line <= symbol.endLine,
    );
    const one = named[0] ?? around;
    if (one) return targetOf({ ...one, outline }, scope);
    throw new UserError(`Line ${line} of ${location.path} is in no symbol. Pass symbol or column too.`);
  }
  const shown = (await files.redactor.partsOf(document))(line - 1);
  const column =
    place.column ??
    (await columnOf({ location, line, symbol: place.symbol, shown, document }, scope, signal));
  const isRedacted = shown.includes(REDACTED); // columns are others
  if (column > shown.length + 1 && !isRedacted)
    throw new UserError(
      `Line ${line} of ${location.path} has ${shown.length} characters; column ${column} is past its end.`,
    );
  if (place.column !== undefined && place.symbol !== undefined && !isRedacted)
    requireNameAt(column, place.symbol, shown, `Line ${line} of ${location.path}`);
  const isHere = (place: { line: number; column: number }) => place.line === line && place.column === column;
  const declared = all.find((one) => namePlaces(one.symbol).some(isHere));
  if (declared) return targetOf({ ...declared, outline }, scope);
  const name = place.symbol ?? (isRedacted ? undefined : wordAt(shown, column)) ?? `${line}:${column}`;
  return { location, document, position: new vscode.Position(line - 1, column - 1), name };
}

/** @throws UserError if another name is at a column */
function requireNameAt(column: number, symbol: string, shown: string, where: string): void {
  const name = bareName(lastName(symbol));
  const columns = [...shown.matchAll(wordPattern(name))].map(({ index }) => index + 1);
  if (columns.some((start) => start <= column && column <= start + name.length)) return;
  const at = columns.length > 0 ? `, but at ${columns.join(', ')}` : '';
  throw new UserError(
    `${where} does not contain "${visible(name)}" at column ${column}${at}: ${shown.trim()}`,
  );
}

interface OnLine {
  location: Location;
  line: number;
  symbol: string | undefined;
  document: vscode.TextDocument;
  /** The line as the agent may see it. */
  shown: string;
}

/** Where an identifier is on a line. @throws UserError if it is there several times, for several symbols */
async function columnOf(place: OnLine, scope: LanguageScope, signal: AbortSignal): Promise<number> {
  const { location, line, shown, document } = place;
  const name = bareName(lastName(place.symbol ?? ''));
  const columns = [...shown.matchAll(wordPattern(name))].map(({ index }) => index + 1);
  const [first] = columns;
  if (first === undefined)
    throw new UserError(`Line ${line} of ${location.path} does not contain "${name}": ${shown.trim()}`);
  if (shown.includes(REDACTED))
    throw new UserError(`Line ${line} of ${location.path} has redacted text. Pass column too.`);
  if (columns.length === 1) return first;
  const definitionAt = async (column: number) => {
    const position = new scope.vscode.Position(line - 1, column - 1);
    const [found] = await placesAsked('definitions', { document, position }, scope, signal);
    return found && `${found.uri} ${found.range.start.line}:${found.range.start.character}`;
  };
  const definitions = new Set(await Promise.all(columns.slice(0, MOST_OCCURRENCES).map(definitionAt)));
  if (definitions.size === 1 && !definitions.has(undefined)) return first;
  throw new UserError(
    `Line ${line} of ${location.path} contains "${name}" at columns ${columns.join(', ')}. Pass column too.`,
  );
}

const wordAt = (text: string, column: number): string | undefined =>
  [...text.matchAll(/[\p{L}\p{N}_$]+/gu)].find(
    ({ 0: word, index }) => index <= column - 1 && column - 1 <= index + word.length,
  )?.[0];
