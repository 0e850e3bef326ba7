import type { FormatPart, Transform } from './syntax.ts';

/**
 * The regexp comes from a file of the repository and runs in the extension host, so pattern, input and output are limited. That
 * keeps polynomial regexps fast. Exponential ones (`(a+)+$`) need a deadline, which the caller must set for the whole expansion.
 */
const MAX_PATTERN = 1_000;
const MAX_INPUT = 10_000;
const MAX_OUTPUT = 1_000_000;

/** Applies a transform. The value is unchanged if the regexp is invalid, or the regexp or the value is too long. */
export function applyTransform(value: string, { pattern, flags, format }: Transform): string {
  const regexp = compile(pattern, flags);
  if (!regexp || value.length > MAX_INPUT) return value;
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

function compile(pattern: string, flags: string): RegExp | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
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
  ['upcase', (text) => text.toUpperCase()],
  ['downcase', (text) => text.toLowerCase()],
  ['capitalize', (text) => capitalized(text)],
  ['pascalcase', (text) => words(text).map(capitalized).join('')],
  ['camelcase', (text) => uncapitalized(words(text).map(capitalized).join(''))],
  ['kebabcase', kebabCase],
  ['snakecase', snakeCase],
]);

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const uncapitalized = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

/** Runs of ASCII letters and digits, split as in the editor; text without any is one word. */
const words = (text: string): string[] => text.match(/[a-z0-9]+/gi) ?? [text];

function kebabCase(text: string): string {
  const allCaps = !/[a-z0-9]/.test(text);
  const parts = allCaps
    ? text.match(/[^\s_]+/g)
    : text.match(/[A-Z]{2,}(?=[A-Z][a-z]|\b)|[A-Z]?[a-z]+\d*|[A-Z]|\d+/g);
  return parts ? parts.join('-').toLowerCase() : text;
}

function snakeCase(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
}
