/** All declarations of one symbol, as servers and texts tell them: prototype and definition, overloads, getter and setter. */
import { isDecorator } from '../../../core/declarations/lead.ts';
import { ifUserError } from '../../../core/errors.ts';
import { bareName, lastName } from '../../../core/symbolPaths.ts';
import type { Files } from '../../../workspace/files.ts';
import type { Location } from '../../../workspace/read/location.ts';
import { isTypeScript } from '../checkers.ts';
import type { LanguageScope } from '../providers.ts';
import { type Target, targetOf } from './candidates.ts';
import { type FileSymbol, type Outline, outlineOf } from './outline.ts';
import { type OpenPlace, openPlaces, placesAsked, type ServerPlace } from './places.ts';
import { definitionAmong, symbolAt } from './symbolAt.ts';
import { twinsOf } from './twins.ts';

/** Places of declarations that are looked at, at most. */
const MOST_ASKED = 10;

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
  const twins = (await twinsOf(target, scope, signal)).flatMap((one) =>
    one.symbol ? [linesOf(one.location, one.symbol)] : [],
  );
  const known = await Promise.all([
    placesAsked('definitions', target, scope, signal),
    placesAsked('declarations', target, scope, signal).catch(ifUserError([])),
  ]);
  const { open, closed } = await openPlaces(known.flat(), scope.files);
  const others: DeclarationLines[] = [];
  for (const place of open.slice(0, MOST_ASKED)) {
    const one = await declaredAt(place, target, scope, signal);
    // clangd calls the overrides of a method without body its definitions.
    if (symbol && !one.leadsBack) continue;
    others.push(
      one.symbol ? linesOf(place.location, one.symbol) : await linesWithout(one, place, scope.files),
    );
  }
  const all = [...ownLines, ...twins, ...others].map(
    (one) => [`${one.location.path}:${one.first}`, one] as const,
  );
  const rank = (one: DeclarationLines) => Number(one.location.path !== location.path);
  return { open: [...new Map(all).values()].sort((a, b) => rank(a) - rank(b) || a.first - b.first), closed };
}

interface Declared {
  outline: Outline | undefined;
  /** The symbol that is declared there, if it is one. */
  symbol: FileSymbol | undefined;
  /** Whether the server leads from there to the target. */
  leadsBack: boolean;
}

/** What is declared at a place to which the server leads from a target. @throws UserError, CancelledError */
async function declaredAt(
  { location, range }: OpenPlace,
  target: Target,
  scope: LanguageScope,
  signal: AbortSignal,
): Promise<Declared> {
  const outline = await outlineOf(location, scope, signal).catch(ifUserError(undefined));
  if (!outline) return { outline, symbol: undefined, leadsBack: false };
  const found = await symbolAt(outline, range, bareName(lastName(target.name)), scope.files);
  const { document, position } = found
    ? targetOf(found, scope)
    : { document: outline.document, position: range.start };
  const back = await placesAsked('definitions', { document, position }, scope, signal).catch(ifUserError([]));
  const leadsBack = back.some((place) => isAt(place, target));
  return { outline, symbol: found?.symbol, leadsBack };
}

const linesOf = (location: Location, symbol: FileSymbol): DeclarationLines => ({
  location,
  symbol,
  first: symbol.startLine ?? symbol.line,
  last: symbol.endLine,
});

/** The lines of a declaration that is no symbol; of a parameter, its line. @throws UserError */
async function linesWithout(
  { outline }: Declared,
  { location, range }: OpenPlace,
  files: Files,
): Promise<DeclarationLines> {
  const line = range.start.line + 1;
  const isInner = outline?.all.some(({ symbol }) => symbol.line === line) ?? true;
  return { location, ...(isInner ? { first: line, last: line } : await block(location, line, files)) };
}

const DEFINES = /^\s*(?:[\w@]+ )*(?:def|func|fn|function|sub|class)\b/;
/** Lines of a declaration that is no symbol, and of the decorators above it, at most. */
const MOST_LINES = 60;
const MOST_DECORATORS = 10;

/** The lines of a declaration that is no symbol, by their indentation, with the decorators above. @param line 1-based */
async function block(
  location: Location,
  line: number,
  files: Files,
): Promise<{ first: number; last: number }> {
  const from = Math.max(1, line - MOST_DECORATORS);
  const numbers = Array.from({ length: line + MOST_LINES - from }, (_, index) => from - 1 + index);
  const lines = await files.lines(location, numbers);
  const textOf = (at: number) => lines.get(at - 1) ?? '';
  const indentOf = (at: number) => textOf(at).search(/\S/);
  let [first, last] = [line, line];
  if (!DEFINES.test(textOf(line))) return { first, last };
  while (first > from && isDecorator(textOf(first - 1)) && indentOf(first - 1) === indentOf(line)) first--;
  for (let at = line + 1; at < line + MOST_LINES; at++) {
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
  const { symbol, document, position, location } = target;
  if (!symbol || found.some((place) => isAt(place, target))) return found;
  const { open } = await openPlaces(found, scope.files);
  const pairs: Pair[] = [];
  for (const place of open.slice(0, MOST_ASKED)) {
    const { symbol: other, leadsBack } = await declaredAt(place, target, scope, signal);
    if (other && leadsBack) pairs.push({ place, symbol: other, location: place.location });
  }
  if (pairs.length === 0) return found;
  const range = new scope.vscode.Range(position.line, position.character, position.line, position.character);
  const own: Pair = { place: { uri: document.uri, range }, symbol, location };
  if (what === 'declarations') return [own.place, ...found];
  const main = await definitionAmong([own, ...pairs], scope.files);
  return main ? [main.place] : found;
}

interface Pair {
  place: ServerPlace;
  symbol: FileSymbol;
  location: Location;
}

/** Whether a place is, or is around, the position of a target. */
export const isAt = (
  { uri, range }: ServerPlace,
  { document, position }: Pick<Target, 'document' | 'position'>,
) =>
  `${uri}` === `${document.uri}` &&
  range.start.compareTo(position) <= 0 &&
  position.compareTo(range.end) <= 0;
