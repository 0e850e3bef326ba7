import { UserError } from '../errors.ts';
import { around, type Declared, type Extent, extentOf, trimmed, WORDS } from './extent.ts';
import type { Source } from './source.ts';

/** The symbols of one scope. */
export interface Scope {
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
): Scope {
  const whole = symbols.map((one) => trimmed(source, one));
  const extents = whole.map((one, index) =>
    extentOf(source, one, whole[index - 1], whole[index + 1], parent),
  );
  return { source, symbols: whole, extents, parent, language };
}

/** @throws UserError if it cannot be told from other symbols of its statement */
export function requireOwnStatement({ source, symbols, extents }: Scope, index: number): void {
  let head = index;
  while (extents[head - 1]?.comma !== undefined) head--;
  const first = symbols[head];
  const before = first ? around(source, first)[0] : '';
  const isOfSeveral = head < index && before.trim() !== '' && WORDS.test(before);
  if (extents[index]?.isPart || isOfSeveral)
    throw new UserError('Its statement declares several symbols. Use edit_file.');
}

/** @throws UserError */
export function extentAt({ extents }: Scope, index: number): Extent {
  const extent = extents[index];
  if (!extent || extent.isShared)
    throw new UserError('It shares its text with another symbol. Use edit_file.');
  return extent;
}

export const sharesLine = (): UserError =>
  new UserError('It shares its line with other code. Use edit_file.');
