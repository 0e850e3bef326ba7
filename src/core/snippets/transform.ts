import { lazyPattern } from '../text/lazyPattern.ts';
import type { FormatPart, Transform } from './syntax.ts';

/**
 * The regexp comes from a file of the repository and runs in the extension host, so input and output are limited. A regexp that
 * takes long needs a deadline, which the caller must set for the whole expansion.
 */
const MAX_INPUT = 100_000;
const MAX_OUTPUT = 1_000_000;

/** Applies a transform. A value that is too long stays as it is. */
export function applyTransform(value: string, { regexp, format }: Transform): string {
  if (value.length > MAX_INPUT) return value;
  regexp.lastIndex = 0;
  let matched = false;
  let room = MAX_OUTPUT;
  const changed = value.replace(regexp, (...match: unknown[]) => {
    matched = true;
    const text = room > 0 ? formatted(format, captures(match)) : '';
    room -= text.length;
    return text;
  });
  // as in the editor: without a match the format's "else" texts are the result
  return !matched && format.some(hasOtherwise) ? formatted(format, []) : changed;
}

/** The match and its groups; `replace` passes the offset after them. */
const captures = (match: unknown[]) =>
  match.slice(
    0,
    match.findIndex((part) => typeof part === 'number'),
  ) as (string | undefined)[];

const hasOtherwise = (part: FormatPart) => typeof part !== 'string' && part.otherwise !== undefined;

const formatted = (format: FormatPart[], groups: (string | undefined)[]) =>
  format
    .map((part) => (typeof part === 'string' ? part : formattedGroup(part, groups[part.group] ?? '')))
    .join('');

function formattedGroup(part: Exclude<FormatPart, string>, value: string): string {
  const change = part.shorthand ? SHORTHANDS.get(part.shorthand) : undefined;
  if (change) return change(value);
  return (value ? part.whenMatched : part.otherwise) ?? value;
}

const SHORTHANDS = new Map<string, (text: string) => string>([
  ['upcase', (text) => text.toLocaleUpperCase()],
  ['downcase', (text) => text.toLocaleLowerCase()],
  ['capitalize', (text) => text.slice(0, 1).toLocaleUpperCase() + text.slice(1)],
  ['pascalcase', (text) => words(text)?.map(capitalized).join('') ?? text],
  ['camelcase', camelCase],
  ['kebabcase', kebabCase],
  ['snakecase', snakeCase],
]);

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Runs of letters and ASCII digits, as the editor finds them. */
const words = (text: string): string[] | null => text.match(/[\p{L}0-9]+/gu);

function camelCase(text: string): string {
  const [first, ...rest] = words(text) ?? [];
  if (first === undefined) return text;
  return first.slice(0, 1).toLowerCase() + first.slice(1) + rest.map(capitalized).join('');
}

/** A run of capitals (without the last if that begins a word), a word with the digits after it, or digits. */
const humpPattern = lazyPattern(
  () => /\p{Lu}{2,}(?=\p{Lu}\p{Ll}|[\s_-]|$)|\p{Lu}?\p{Ll}+[0-9]*|\p{Lu}(?=\p{Lu}\p{Ll}|[\s_-]|$)|[0-9]+/gu,
);

function kebabCase(text: string): string {
  if (!words(text)) return text;
  const inner = text.trim().replace(/^_+|_+$/g, '');
  const parts = inner.match(humpPattern()) ?? inner.split(/[\s_-]+/).filter(Boolean);
  return parts.map((part) => part.toLowerCase()).join('-');
}

function snakeCase(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}
