/** All declarations of one symbol, as servers and texts tell them: prototype and definition, overloads, getter and setter. */
import type * as vscode from 'vscode';
import { isDecorator } from '../../../core/declarations/lead.ts';
import { ifUserError } from '../../../core/messages.ts';
import { bareName, lastName } from '../../../core/symbolPaths.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import type { Candidate, Target } from './candidates.ts';
import { type FileSymbol, outlineOf } from './outline.ts';
import { type Definition, openPlaces, placeOf, type ServerPlace } from './places.ts';
import { definitionAmong, symbolAt } from './symbolAt.ts';

/** The lines of a declaration, 1-based. */
export interface DeclarationLines {
  location: Location;
  first: number;
  last: number;
  symbol?: FileSymbol;
}

/**
 * Where a symbol is declared. Some servers list only one of its declarations as a symbol, but know the places of all.
 *
 * @returns those in the target's file first; `closed` counts those in files that are closed to this agent
 * @throws UserError, CancelledError
 */
export async function allDeclarations(
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<{ open: DeclarationLines[]; closed: number }> {
  const { location, symbol, parts, document } = target;
  const own = parts?.map((part) => part.symbol) ?? (symbol ? [symbol] : []);
  const ownLines = own.map((one) => linesOf(location, one));
  if (symbol && isTypeScript(document.languageId)) return { open: ownLines, closed: 0 };
  const known = await Promise.all([
    asked('definitions', target, scope, signal),
    asked('declarations', target, scope, signal).catch(ifUserError([])),
  ]);
  const { open, closed } = await openPlaces(known.flat(), scope.files);
  const name = nameOf(target);
  const others: DeclarationLines[] = [];
  for (const place of open) {
    const outline = await outlineOf(place.location, scope, signal).catch(ifUserError(undefined));
    const found = outline && symbolAt(outline, place.range, name);
    if (found) others.push(linesOf(place.location, found.symbol));
    else {
      const line = place.range.start.line + 1;
      const isInner = outline?.all.some((one) => one.symbol.line === line) ?? true;
      others.push({
        location: place.location,
        ...(isInner ? { first: line, last: line } : block(outline?.document, line)),
      });
    }
  }
  const all = [...ownLines, ...others].map((one) => [`${one.location.path}:${one.first}`, one] as const);
  const rank = (one: DeclarationLines) => Number(one.location.path !== location.path);
  return { open: [...new Map(all).values()].sort((a, b) => rank(a) - rank(b) || a.first - b.first), closed };
}

const linesOf = (location: Location, symbol: FileSymbol): DeclarationLines => ({
  ...{ location, symbol },
  first: symbol.startLine ?? symbol.line,
  last: symbol.endLine,
});

const DEFINES = /^\s*(?:[\w@]+ )*(?:def|func|fn|function|sub|class)\b/;
/** Lines of a declaration that is no symbol, at most. */
const MOST_LINES = 60;

/** The lines of a declaration that is no symbol, by their indentation, with the decorators above. @param line 1-based */
function block(document: vscode.TextDocument | undefined, line: number): { first: number; last: number } {
  const textOf = (at: number) => document?.lineAt(at - 1).text ?? '';
  const indentOf = (at: number) => textOf(at).search(/\S/);
  let [first, last] = [line, line];
  if (!document || !DEFINES.test(textOf(line))) return { first, last };
  while (first > 1 && isDecorator(textOf(first - 1)) && indentOf(first - 1) === indentOf(line)) first--;
  const end = Math.min(document.lineCount, line + MOST_LINES);
  for (let at = line + 1; at <= end; at++) {
    const isInside = indentOf(at) > indentOf(line) || /^\s*[)\]}]/.test(textOf(at));
    if (isInside) last = at;
    else if (indentOf(at) >= 0) break;
  }
  return { first, last };
}

/**
 * What `find_definition` finds at a symbol's own declaration. clangd goes from the definition to the declaration there, and back.
 *
 * @param found what the server has answered there
 * @returns of two that lead to each other, the definition, or both as declarations
 * @throws UserError, CancelledError
 */
export async function withOwn(
  found: readonly ServerPlace[],
  what: 'definitions' | 'declarations',
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<readonly ServerPlace[]> {
  const { symbol, document, position } = target;
  if (!symbol || found.some((place) => isAt(place, target))) return found;
  const { open } = await openPlaces(found, scope.files);
  const pairs: (Candidate & { place: ServerPlace })[] = [];
  for (const place of open) {
    const outline = await outlineOf(place.location, scope, signal).catch(ifUserError(undefined));
    const other = outline && symbolAt(outline, place.range, nameOf(target));
    const at = { document: outline?.document ?? document, position: place.range.start };
    const back = other ? await asked(what, at, scope, signal).catch(ifUserError([])) : [];
    if (other && back.some((one) => isAt(one, target))) pairs.push({ ...other, place });
  }
  if (pairs.length === 0) return found;
  const range = new scope.vscode.Range(position.line, position.character, position.line, position.character);
  const own = { place: { uri: document.uri, range }, symbol, outline: { document } };
  if (what === 'declarations') return [own.place, ...found];
  const main = definitionAmong([own, ...pairs]);
  return main ? [main.place] : found;
}

/** Whether a place is, or is around, the position of a target. */
export const isAt = (
  { uri, range }: ServerPlace,
  { document, position }: Pick<Target, 'document' | 'position'>,
) =>
  `${uri}` === `${document.uri}` &&
  range.start.compareTo(position) <= 0 &&
  position.compareTo(range.end) <= 0;

const asked = async (
  what: 'definitions' | 'declarations',
  { document, position }: Pick<Target, 'document' | 'position'>,
  { providers }: LanguageScope,
  signal: AbortSignal,
): Promise<ServerPlace[]> => (await providers.ask<Definition>(what, document, signal, position)).map(placeOf);

const nameOf = ({ name }: Target): string => bareName(lastName(name));
