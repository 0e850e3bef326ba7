/** Comments, decorators and attributes, in no particular language. Lines are 0-based. */

/** Directives of C and C#, and marks for folding, belong to no declaration. */
const NO_COMMENT =
  /^(#!|#\s*(include|define|if|ifdef|ifndef|elif|else|endif|pragma|undef|error|line|import|nullable)\b|(\/\/|#|--)\s*#?(end)?region\b)/;
/** A whole line; `#id {` in CSS, `--i;` in C and `;(` in JavaScript are none. */
const COMMENT = /^(\/\/|#(?!.*[{;]$)|--(?!-*>?$|.*;$)|;[;\s]|%%?\s|\/\*.*\*\/$|<!--.*-->$)/;
/** `@import "x";` and `@media x {` in CSS are none. */
const DECORATOR = /^(@\w(?!.*(;|\s\{)$)|\[\[?[A-Za-z_].*\]$|template\s*<)/;
/** Comments over several lines. */
const BLOCKS = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['(*', '*)'],
  ['{-', '-}'],
  ['--[[', ']]'],
] as const;
/** What an argument list over several lines belongs to. */
const CALLS = /^(@\w|#?\[)/;

const isComment = (line: string): boolean => COMMENT.test(line) && !NO_COMMENT.test(line);

/** Whether a text begins with a comment or decorator. */
export const beginsWithLead = (text: string): boolean => {
  const line = (/\S.*/.exec(text)?.[0] ?? '').trim();
  return isComment(line) || DECORATOR.test(line) || BLOCKS.some(([open]) => line.startsWith(open));
};

/**
 * First line of the comment or decorator that ends directly above a line; undefined if there is none.
 *
 * @param floor no line before this one counts
 */
export function leadAbove(lines: readonly string[], line: number, floor: number): number | undefined {
  const last = line - 1;
  const text = lines[last]?.trim() ?? '';
  if (last < floor || text === '') return undefined;
  if (isComment(text) || DECORATOR.test(text)) return last;
  return startOfBlock(lines, last, floor) ?? startOfCall(lines, last, floor);
}

function startOfBlock(lines: readonly string[], last: number, floor: number): number | undefined {
  const end = lines[last]?.trim() ?? '';
  const [open, close] = BLOCKS.find(([, close]) => end.endsWith(close)) ?? [];
  if (open === undefined || close === undefined) return undefined;
  for (let at = last; at >= floor; at--) {
    const line = lines[at]?.trim() ?? '';
    if (at < last && line.includes(close)) return undefined;
    if (line.startsWith(open)) return at;
    if (line.includes(open)) return undefined;
  }
  return undefined;
}

/** The line with `@name(` or `[Name(`, if its brackets end on the last line. */
function startOfCall(lines: readonly string[], last: number, floor: number): number | undefined {
  if (!/[)\]]$/.test(lines[last]?.trim() ?? '')) return undefined;
  let depth = 0;
  for (let at = last; at >= floor; at--) {
    const line = (lines[at] ?? '').replaceAll(/"[^"]*"|'[^']*'/g, '');
    depth += (line.match(/[)\]}]/g)?.length ?? 0) - (line.match(/[([{]/g)?.length ?? 0);
    if (depth <= 0) return at < last && CALLS.test(line.trim()) ? at : undefined;
  }
  return undefined;
}

/** Whether a line begins a decorator or attribute. */
export const isDecorator = (line: string): boolean => DECORATOR.test(line.trim()) || CALLS.test(line.trim());

/** How many lines at the start of a text are comments and decorators. */
export function leadLength(lines: readonly string[]): number {
  let length = 0;
  for (;;) {
    const line = lines[length]?.trim() ?? '';
    const [, close] = BLOCKS.find(([open]) => line.startsWith(open)) ?? [];
    const end =
      close === undefined ? length : lines.findIndex((one, at) => at >= length && one.includes(close));
    if (!beginsWithLead(line) || end < 0) return length;
    length = end + 1;
  }
}
