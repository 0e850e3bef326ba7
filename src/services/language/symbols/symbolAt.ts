/** Which symbol of an outline is meant by the place that a server gives for a declaration. */
import type * as vscode from 'vscode';
import { REDACTED } from '../../../access/redaction/redaction.ts';
import { ownName } from '../../../core/symbolPaths.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import type { LanguageScope } from '../providers.ts';
import { type Candidate, namePlaces } from './candidates.ts';
import { type FileSymbol, type Outline, outlineOf } from './outline.ts';
import type { OpenPlace } from './places.ts';

/** Where a declaration without a name has its place: `constructor() { }`, `export default function () { }`. */
const KEYWORD = /^(constructor|default|export|function|class|async|new)\b/;

/**
 * The symbol that is declared at a place; undefined if a name is declared there that is no symbol, such as a parameter: never the
 * symbol around it.
 *
 * @param name of what was asked for, if it is known; it may have another one where it is declared
 * @throws UserError
 */
export async function symbolAt(
  outline: Outline,
  range: vscode.Range,
  name: string,
  files: Files,
): Promise<Candidate | undefined> {
  const { start } = range;
  const line = start.line + 1;
  const around = outline.all.filter(({ symbol }) => covers(symbol, line)).map((one) => ({ ...one, outline }));
  const isModule = range.isEmpty && start.line === 0 && start.character === 0; // the start of its file
  const exact = around.find(
    ({ symbol }) => isNameIn(symbol, range) && (!isModule || ownName(symbol.name) === name),
  );
  if (exact) return exact;
  const named = around.findLast(({ symbol }) => ownName(symbol.name) === name);
  if (named && !(await hasItsName(named, files))) return named;
  const text = isModule ? '' : await textAt(outline.location, start, files);
  const isAtStart = ({ startLine, line: own }: FileSymbol) => (startLine ?? own) === line;
  return KEYWORD.test(text) ? around.findLast(({ symbol }) => isAtStart(symbol)) : undefined;
}

/** The symbol at a place in an open file. @throws UserError, CancelledError */
export const symbolAtPlace = async (
  { location, range }: OpenPlace,
  name: string,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Candidate | undefined> =>
  symbolAt(await outlineOf(location, scope, signal), range, name, scope.files);

const covers = ({ line, startLine = line, endLine }: FileSymbol, wanted: number): boolean =>
  startLine <= wanted && wanted <= endLine;

/** Whether a range, which may be that of the whole symbol, has a place of the name. */
const isNameIn = (symbol: FileSymbol, { start, end }: vscode.Range): boolean =>
  namePlaces(symbol).some(({ line, column }) => {
    const [at, character] = [line - 1, column - 1];
    const isAfter = at > start.line || (at === start.line && character >= start.character);
    return isAfter && (at < end.line || (at === end.line && character <= end.character));
  });

/** Whether the server knows the place of its name. */
async function hasItsName({ symbol, outline }: Candidate, files: Files): Promise<boolean> {
  const place = { line: symbol.line - 1, character: symbol.column - 1 };
  return (await textAt(outline.location, place, files)).startsWith(ownName(symbol.name));
}

/** The rest of a line; empty if it is redacted, because columns are others. */
async function textAt(
  location: Location,
  { line, character }: Pick<vscode.Position, 'line' | 'character'>,
  files: Files,
): Promise<string> {
  const text = (await files.lines(location, [line])).get(line) ?? '';
  return text.includes(REDACTED) ? '' : text.slice(character);
}

/** The end of the last line of a body in braces, with the name of a `typedef`. */
const BODY = /\}\s*\w*\s*[;,]?\s*((\/\/|\/\*).*)?$/;

interface Declaration {
  symbol: FileSymbol;
  location: Location;
}

/** How much a declaration says, to tell the definition: the most has one with a body, the least `extern`. */
async function weightOf({ symbol, location }: Declaration, files: Files): Promise<number> {
  const { line, endLine } = symbol;
  const lines = await files.lines(location, [line - 1, endLine - 1]);
  const last = lines.get(endLine - 1) ?? '';
  if (BODY.test(last)) return 3;
  if (endLine > line && !/;\s*$/.test(last)) return 2;
  return /\bextern\b/.test(lines.get(line - 1) ?? '') ? 0 : 1;
}

/** The definition among declarations of one symbol: the one that says most, else the first. @throws UserError */
export async function definitionAmong<T extends Declaration>(
  found: readonly T[],
  files: Files,
): Promise<T | undefined> {
  if (found.length < 2) return found[0];
  const weights = await Promise.all(found.map((one) => weightOf(one, files)));
  return found[weights.indexOf(Math.max(...weights))];
}
