import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { type Addressed, addressed, lastName, matching, nearest } from '../../core/symbolPaths.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { LanguageScope } from './providers.ts';
import { filesDefining } from './symbolFiles.ts';
import { type FileSymbol, type Outline, outlineOf } from './symbols.ts';

/** How tools name a symbol: by name path, in one file or in all, or by its place. */
export interface SymbolArguments {
  symbol?: string | undefined;
  path?: string | undefined;
  /** 1-based, as is the column, which counts UTF-16 units. */
  line?: number | undefined;
  column?: number | undefined;
}

export interface Target {
  location: Location;
  document: vscode.TextDocument;
  position: vscode.Position;
  /** Its name path, or what the agent called it. */
  name: string;
  /** If it is declared at this position. */
  symbol?: FileSymbol;
}

interface Candidate extends Addressed<FileSymbol> {
  outline: Outline;
}

/** Matches listed in an error. */
const MOST_LISTED = 20;

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
  const { symbol, path, line, column } = wanted;
  if (path === undefined) {
    if (line !== undefined || symbol === undefined)
      throw new UserError('Pass symbol ("Class/method"), or path and line.');
    const locations = await filesDefining(lastName(symbol), scope, signal);
    const outlines = await Promise.all(
      locations.map((one) => outlineOf(one, scope, signal).catch(noOutline)),
    );
    return theOne(
      symbol,
      outlines.filter((outline) => outline !== undefined),
      'in the workspace',
      scope,
    );
  }
  const location = await scope.files.locate(path);
  if (line !== undefined) return atLine({ location, line, column, symbol }, scope, signal);
  if (symbol === undefined) throw new UserError('Pass symbol or line as well as path.');
  const outline = await outlineOf(location, scope, signal);
  if (outline.symbols.length === 0)
    throw new UserError(
      `${location.path} has no symbols. ${scope.providers.why('symbols', outline.document)}`,
    );
  return theOne(symbol, [outline], `in ${location.path}`, scope);
}

/** A file that cannot be loaded does not end the search in others. */
const noOutline = (error: unknown): undefined => {
  if (!(error instanceof UserError)) throw error;
};

const candidatesIn = (outline: Outline): Candidate[] =>
  addressed(outline.symbols).map((one) => ({ ...one, outline }));

function theOne(wanted: string, outlines: readonly Outline[], where: string, scope: LanguageScope): Target {
  const all = outlines.flatMap(candidatesIn);
  const found = matching(all, wanted) as Candidate[];
  if (found.length > 1) throw several(wanted, found);
  if (found[0]) return targetOf(found[0], scope);
  const near = nearest(all, wanted) as Candidate[];
  const hint = near.length > 0 ? `Nearest:\n${listed(near)}` : 'Use list_symbols, or pass path and line.';
  throw new UserError(`There is no symbol "${wanted}" ${where}. ${hint}`, { lines: true });
}

const several = (wanted: string, found: readonly Candidate[]): UserError =>
  new UserError(
    `"${wanted}" names ${found.length} symbols. Pass one of these, with its path:\n${listed(found)}`,
    { lines: true },
  );

function listed(candidates: readonly Candidate[]): string {
  const lines = candidates
    .slice(0, MOST_LISTED)
    .map(({ path, symbol, outline }) => `  ${path}  ${symbol.kind}  ${outline.location.path}:${symbol.line}`);
  const more = candidates.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function targetOf({ symbol, path, outline }: Candidate, { vscode: { Position } }: LanguageScope): Target {
  const { location, document } = outline;
  return {
    location,
    document,
    position: new Position(symbol.line - 1, symbol.column - 1),
    name: path,
    symbol,
  };
}

interface AtLine {
  location: Location;
  line: number;
  column: number | undefined;
  symbol: string | undefined;
}

async function atLine(place: AtLine, scope: LanguageScope, signal: AbortSignal): Promise<Target> {
  const { location, line } = place;
  const { files, vscode } = scope;
  const outline = await outlineOf(location, scope, signal);
  const { document } = outline;
  if (line > document.lineCount)
    throw new UserError(`${location.path} has ${document.lineCount} lines; line ${line} is past its end.`);
  const all = candidatesIn(outline);
  const named = all.filter((one) => one.symbol.line === line);
  if (place.column === undefined && place.symbol === undefined) {
    const { length } = named;
    if (length > 1) throw several(`line ${line}`, named);
    const around = all.findLast(
      ({ symbol }) => (symbol.startLine ?? symbol.line) <= line && line <= symbol.endLine,
    );
    const one = named[0] ?? around;
    if (one) return targetOf(one, scope);
    throw new UserError(`Line ${line} of ${location.path} is in no symbol. Pass symbol or column too.`);
  }
  const shown = (await files.redactor.partsOf(document))(line - 1);
  const raw = document.lineAt(line - 1).text;
  const column = place.column ?? columnOf(place.symbol ?? '', raw, shown, place);
  if (column > raw.length + 1)
    throw new UserError(
      `Line ${line} of ${location.path} has ${raw.length} characters; column ${column} is past its end.`,
    );
  const declared = named.find(({ symbol }) => symbol.column === column);
  if (declared) return targetOf(declared, scope);
  const name = place.symbol ?? (shown === raw ? wordAt(raw, column) : undefined) ?? `${line}:${column}`;
  return { location, document, position: new vscode.Position(line - 1, column - 1), name };
}

/** Where the only such identifier is on a line. @param shown the line as the agent may see it */
function columnOf(symbol: string, raw: string, shown: string, { location, line }: AtLine): number {
  const name = lastName(symbol);
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'gu');
  const columns = shown.includes(name) ? [...raw.matchAll(word)].map(({ index }) => index + 1) : [];
  if (columns.length === 0)
    throw new UserError(`Line ${line} of ${location.path} does not contain "${name}": ${shown.trim()}`);
  if (columns.length > 1)
    throw new UserError(
      `Line ${line} of ${location.path} contains "${name}" at columns ${columns.join(', ')}. Pass column too.`,
    );
  return columns[0] ?? 1;
}

const wordAt = (text: string, column: number): string | undefined =>
  [...text.matchAll(/[\p{L}\p{N}_$]+/gu)].find(
    ({ 0: word, index }) => index <= column - 1 && column - 1 <= index + word.length,
  )?.[0];
