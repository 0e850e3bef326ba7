/** What is of C and its relatives: macros around declarations, and templates. */

import { UserError } from '../errors.ts';
import { isCFamily } from '../kinds.ts';
import { lineAround } from './extent.ts';
import type { Declared, Extent, Source } from './source.ts';

/** @throws UserError if a declaration in C goes on behind the range that the server gives, as with attributes in a directive */
export function requireEnd({ text }: Source, { to }: Extent, language: string): void {
  if (!isCFamily(language) || /[};]/.test(text[to - 1] ?? '')) return;
  if (
    !/^(\s|\/\/.*(?![^\n])|\/\*(?:(?!\*\/)[\s\S])*\*\/|\\\n)*([;,)}\]=:{>]|$)/.test(
      text.slice(to, to + LONGEST_ATTRIBUTES),
    )
  )
    throw new UserError('Its end was not found. Use edit_file.');
}

/** Macros behind a declaration in C, up to its semicolon. */
const ATTRIBUTES = /^\s*(\b[A-Z_][A-Z\d_]*\b\s*(\([^(){};]*\)\s*)?)+(?=;)/;

/** clangd's range of `API(int) f(void) ATTRIBUTE(x);` begins in the arguments of one macro, and ends before the other. */
export function withMacros(source: Source, one: Declared, language: string): Declared {
  if (!isCFamily(language)) return one;
  const [before] = lineAround(source, one);
  const { text } = source;
  const isHead = /^\s*(\w+\s+)*\w+\($/.test(before);
  const isOpen = isHead && /^[^()]*(\([^()]*\)[^()]*)*\)/.test(text.slice(one.from, one.name));
  const from = isOpen ? one.from - before.trimStart().length : startOfTemplate(source, one.from);
  const isEnded = /[};]$/.test(text.slice(one.from, one.to));
  const tail = isEnded ? undefined : ATTRIBUTES.exec(text.slice(one.to, one.to + LONGEST_ATTRIBUTES))?.[0];
  return { ...one, from, to: one.to + (tail ?? '').trimEnd().length };
}

/** Where the `template <…>` begins that ends before an offset on its line, as clangd's ranges begin behind it; else the offset. */
function startOfTemplate({ text }: Source, from: number): number {
  const before = text.slice(Math.max(0, from - LONGEST_TEMPLATE), from);
  if (!/>[ \t]*$/.test(before)) return from;
  let depth = 0;
  for (const { 0: mark, index } of [...before.matchAll(/(?<!-)>|</g)].reverse()) {
    depth += mark === '>' ? 1 : -1;
    if (depth > 0) continue;
    const [head] = /\btemplate\s*$/.exec(before.slice(0, index)) ?? [];
    return from - (head === undefined ? 0 : before.length - index + head.length);
  }
  return from;
}

/** UTF-16 units. */
const LONGEST_ATTRIBUTES = 500;
const LONGEST_TEMPLATE = 2_000;
