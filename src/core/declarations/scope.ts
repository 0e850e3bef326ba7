import { UserError } from '../messages.ts';
import { type Declared, type Extent, extentOf, lineAround, type Source, trimmed, WORDS } from './source.ts';

export interface SymbolScope {
  source: Source;
  /** In text order. */
  symbols: readonly Declared[];
  /** The text of each. */
  extents: readonly Extent[];
  parent: Declared | undefined;
  /** The language's id in VS Code. */
  language: string;
}

/** @param symbols in text order */
export function scopeOf(
  source: Source,
  symbols: readonly Declared[],
  parent: Declared | undefined,
  language: string,
): SymbolScope {
  const whole = symbols.map((one) => trimmed(source, one));
  const extents = whole.map((one, index) =>
    extentOf(source, one, whole[index - 1], whole[index + 1], parent),
  );
  return { source, symbols: whole, extents, parent, language };
}

/** @throws UserError if it cannot be told from other symbols of its statement */
export function requireOwnStatement({ source, symbols, extents }: SymbolScope, index: number): void {
  let head = index;
  while (extents[head - 1]?.comma !== undefined) head--;
  const first = symbols[head];
  const before = first ? lineAround(source, first)[0] : '';
  const isOfSeveral = head < index && before.trim() !== '' && WORDS.test(before);
  if (extents[index]?.isPart || isOfSeveral)
    throw new UserError('Its statement declares several symbols. Use edit_file.');
}

/** @throws UserError */
export function extentAt({ extents }: SymbolScope, index: number): Extent {
  const extent = extents[index];
  if (!extent || extent.isShared)
    throw new UserError('It shares its text with another symbol. Use edit_file.');
  return extent;
}

export const sharesLine = (): UserError =>
  new UserError('It shares its line with other code. Use edit_file.');

/** Whether commas separate a symbol and its siblings: members of objects and enums, properties of JSON. */
export function isListed({ symbols, extents, parent, language }: SymbolScope, index: number): boolean {
  if (/^json/.test(language)) return true;
  if (extents[index]?.comma !== undefined || extents[index - 1]?.comma !== undefined) return true;
  return symbols.length === 1 && isMember(symbols[0]?.kind ?? '', parent?.kind ?? '', language);
}

/** Whether an only child, by its kind, is a member of an enum or of an object in JavaScript. */
function isMember(kind: string, parent: string, language: string): boolean {
  if (parent === 'enum') return !/^(method|function|constructor)$/.test(kind);
  const isObject = /script/.test(language) && /^(variable|constant|property)$/.test(parent);
  return isObject && /^(property|method)$/.test(kind);
}

export const withoutComma = (body: string): string => body.trimEnd().replace(/,$/, '');
