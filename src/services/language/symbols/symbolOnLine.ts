import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { UserError } from '../../../core/errors.ts';
import { lastName } from '../../../core/symbolPaths.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';
import { several, type Target, targetOf } from './candidates.ts';
import { outlineOf } from './outline.ts';
import { type Definition, placeOf } from './places.ts';

/** Occurrences on one line that are told apart. */
const MOST = 20;

export interface AtLine {
  location: Location;
  line: number;
  column: number | undefined;
  symbol: string | undefined;
}

/** @throws UserError, CancelledError */
export async function symbolOnLine(
  place: AtLine,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Target> {
  const { location, line } = place;
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
  const column = place.column ?? (await columnOf({ ...place, shown, document }, scope, signal));
  const isRedacted = shown.includes(REDACTED); // columns are others
  if (column > shown.length + 1 && !isRedacted)
    throw new UserError(
      `Line ${line} of ${location.path} has ${shown.length} characters; column ${column} is past its end.`,
    );
  const declared = named.find(({ symbol }) => symbol.column === column);
  if (declared) return targetOf(declared, scope);
  const name = place.symbol ?? (isRedacted ? undefined : wordAt(shown, column)) ?? `${line}:${column}`;
  return { location, document, position: new vscode.Position(line - 1, column - 1), name };
}

interface OnLine extends AtLine {
  document: vscode.TextDocument;
  /** The line as the agent may see it. */
  shown: string;
}

/** Where an identifier is on a line. @throws UserError if it is there several times, for several symbols */
async function columnOf(place: OnLine, scope: LanguageScope, signal: AbortSignal): Promise<number> {
  const { location, line, shown, document } = place;
  const name = lastName(place.symbol ?? '');
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'gu');
  const columns = [...shown.matchAll(word)].map(({ index }) => index + 1);
  const [first] = columns;
  if (first === undefined)
    throw new UserError(`Line ${line} of ${location.path} does not contain "${name}": ${shown.trim()}`);
  if (shown.includes(REDACTED))
    throw new UserError(`Line ${line} of ${location.path} has redacted text. Pass column too.`);
  if (columns.length === 1) return first;
  const definitionAt = async (column: number) => {
    const position = new scope.vscode.Position(line - 1, column - 1);
    const [found] = await scope.providers.ask<Definition>('definitions', document, signal, position);
    return found && keyOf(found);
  };
  const definitions = new Set(await Promise.all(columns.slice(0, MOST).map(definitionAt)));
  if (definitions.size === 1 && !definitions.has(undefined)) return first;
  throw new UserError(
    `Line ${line} of ${location.path} contains "${name}" at columns ${columns.join(', ')}. Pass column too.`,
  );
}

const keyOf = (found: Definition): string => {
  const { uri, range } = placeOf(found);
  return `${uri} ${range.start.line}:${range.start.character}`;
};

const wordAt = (text: string, column: number): string | undefined =>
  [...text.matchAll(/[\p{L}\p{N}_$]+/gu)].find(
    ({ 0: word, index }) => index <= column - 1 && column - 1 <= index + word.length,
  )?.[0];
