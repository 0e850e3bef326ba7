import { UserError } from '../errors.ts';
import { FUNCTIONS } from '../kinds.ts';
import { withMacros } from './c.ts';
import { BETWEEN, extentOf, lineAround, trimmed, WORDS } from './extent.ts';
import { withoutComment } from './indentation.ts';
import type { Declared, Extent, Source } from './source.ts';

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
  const whole = symbols.map((one) => withMacros(source, trimmed(source, one), language));
  const extents = whole.map((one, index) =>
    extentOf(source, one, whole[index - 1], whole[index + 1], parent, language),
  );
  return { source, symbols: whole, extents, parent, language };
}

/** The identifier at the place of a symbol's name; empty if there is none. */
export const nameOf = ({ source }: Pick<SymbolScope, 'source'>, { name }: Declared): string =>
  /^[\p{L}\p{N}_$]*/u.exec(source.text.slice(name, name + 200))?.[0] ?? '';

/** Before the name of a function, and after that of a value which is one. */
const FUNCTION_WORD = /\b(def|function|func|fn|fun|sub)\s+$/;
const FUNCTION_VALUE = /^[^\n={]*=\s*(async\s+)?(function\b|(\([^{}]*\)[^={})]*|\w+\s*)=>)/;

/** Whether a symbol is a function: the symbols in it are parameters and locals, and its body has statements. */
export function isFunction({ source, symbols }: SymbolScope, index: number): boolean {
  const { from, to, name, kind } = symbols[index] ?? { from: 0, to: 0, name: 0, kind: '' };
  if (FUNCTIONS.has(kind)) return true;
  const { text } = source;
  const before = text.slice(source.startOf(source.lineAt(name)), name);
  return (
    VALUE_KIND.test(kind) &&
    (FUNCTION_WORD.test(before) || FUNCTION_VALUE.test(text.slice(Math.max(from, name), to)))
  );
}

const VALUE_KIND = /^(variable|constant|property|field|enumMember)$/;
const HAS_VALUES =
  /^((java|type)script(react)?|json\w*|yaml|toml|css|less|scss|html|xml|vue|svelte|markdown)$/;

/** Whether a symbol has a value and no body, but for languages whose servers tell what is in a value. */
export const isValue = (scope: SymbolScope, index: number): boolean =>
  !HAS_VALUES.test(scope.language) &&
  VALUE_KIND.test(scope.symbols[index]?.kind ?? '') &&
  !isFunction(scope, index);

/** @throws UserError if it cannot be told from other symbols of its statement */
export function requireOwnStatement(scope: SymbolScope, index: number): void {
  const { source, symbols, extents } = scope;
  let head = index;
  while (commaBefore(scope, head) !== undefined) head--;
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
export function isListed(scope: SymbolScope, index: number): boolean {
  const { symbols, extents, parent, language } = scope;
  if (/^json/.test(language)) return true;
  if (language === 'python') return false; // `a = 1,` is a tuple
  if (extents[index]?.comma !== undefined || commaBefore(scope, index) !== undefined) return true;
  return symbols.length === 1 && isMember(symbols[0]?.kind ?? '', parent?.kind ?? '', language);
}

/** The offset of the comma between a symbol and the one before it; a comma with other code behind it is in another list. */
export function commaBefore({ source, extents }: SymbolScope, index: number): number | undefined {
  const [comma, own] = [extents[index - 1]?.comma, extents[index]];
  if (comma === undefined || !own) return undefined;
  const end = own.isAlone ? source.startOf(own.lead) : own.from;
  return BETWEEN.test(source.text.slice(comma + 1, end)) ? comma : undefined;
}

/** Whether an only child, by its kind, is a member of an enum or of an object in JavaScript. */
function isMember(kind: string, parent: string, language: string): boolean {
  if (parent === 'enum') return !FUNCTIONS.has(kind);
  const isObject = /script/.test(language) && /^(variable|constant|property)$/.test(parent);
  return isObject && /^(property|method)$/.test(kind);
}

/** @throws UserError if it ends with a comment, which would take in the comma that has to follow */
export function withoutComma(body: string): string {
  const text = body.trimEnd();
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const comment = last.slice(withoutComment(last).length).trim();
  if (comment.startsWith('//') && comment.length < last.trim().length)
    throw new UserError(
      'body ends with a comment, and a comma has to follow its code. Put the comment above the code.',
    );
  return text.replace(/,$/, '');
}
