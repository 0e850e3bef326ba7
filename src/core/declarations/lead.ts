/** Comments, decorators and attributes. Lines are 0-based; a language is its id in VS Code. */
import { C_FAMILY } from '../kinds.ts';

/** Directives of C and C#, and marks for folding, belong to no declaration. */
const NO_COMMENT =
  /^(#!|#\s*(include|define|if|ifdef|ifndef|elif|else|endif|pragma|undef|error|line|import|nullable)\b|(\/\/|#|--)\s*#?(end)?region\b)/;
/** A whole line; `#id {` in CSS, `--i;` in C and `;(` in JavaScript are none. */
const COMMENT = /^(\/\/|#(?!.*[{;]$)|--(?!-*>?$|.*;$)|;[;\s]|%%?\s|\/\*.*\*\/$|<!--.*-->$)/;
/** `@import "x";` and `@media x {` in CSS are none. */
const DECORATOR = /^(@\w(?!.*(;|\s\{)$)|\[\[?[A-Za-z_].*\]$|template\s*<)/;
/** The marks of a known language: elsewhere `--x` may be an option on a line of its own, and `[x]` a statement. */
interface Marks {
  comment: RegExp;
  decorator: RegExp;
}
const NOTHING = /(?!)/;
const SLASHES = /^(\/\/|\/\*.*\*\/$)/;
const ATTRIBUTE = /^@\w/;
const C: Marks = { comment: SLASHES, decorator: /^(\[\[.*\]\]$|template\s*<|requires\s)/ };
const SCRIPT: Marks = { comment: SLASHES, decorator: ATTRIBUTE };
const HASH: Marks = { comment: /^#(?!!)/, decorator: NOTHING };
const MARKS: Record<string, Marks> = {
  ...Object.fromEntries(C_FAMILY.map((id) => [id, C])),
  ...{
    javascript: SCRIPT,
    javascriptreact: SCRIPT,
    typescript: SCRIPT,
    typescriptreact: SCRIPT,
    java: SCRIPT,
  },
  go: { comment: SLASHES, decorator: NOTHING },
  php: { comment: /^(\/\/|#(?!\[)|\/\*.*\*\/$)/, decorator: /^#\[.*\]$/ },
  python: { comment: HASH.comment, decorator: ATTRIBUTE },
  shellscript: HASH,
  ruby: { comment: HASH.comment, decorator: NOTHING },
  yaml: HASH,
  makefile: HASH,
};
const ANY: Marks = { comment: COMMENT, decorator: DECORATOR };

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

const marksOf = (language: string): Marks => MARKS[language] ?? ANY;

const isComment = (line: string, language: string): boolean =>
  marksOf(language).comment.test(line) && !NO_COMMENT.test(line);

const isDecorating = (line: string, language: string): boolean =>
  marksOf(language).decorator.test(line) && !/^@\w.*(;|\s\{)$/.test(line);

export const TEMPLATE = /^\s*template\s*</;

/** Whether the line of a template has a part of its declaration, or of a list that goes on below. */
const isOpenTemplate = (line: string): boolean => TEMPLATE.test(line) && !/[>)]\s*(\/[/*].*)?$/.test(line);

/** Whether a text begins with a comment or decorator. */
export const beginsWithLead = (text: string, language = ''): boolean => {
  const line = (/\S.*/.exec(text)?.[0] ?? '').trim();
  const isBlock = blocksOf(language).some(([open]) => line.startsWith(open));
  return isComment(line, language) || isDecorating(line, language) || isBlock;
};

const blocksOf = (language: string) => (marksOf(language).comment === HASH.comment ? [] : BLOCKS);

/**
 * First line of the comment or decorator that ends directly above a line; undefined if there is none.
 *
 * @param floor no line before this one counts
 */
export function leadAbove(
  lines: readonly string[],
  line: number,
  floor: number,
  language = '',
): number | undefined {
  const last = line - 1;
  const text = lines[last]?.trim() ?? '';
  if (last < floor || text === '') return undefined;
  if (isComment(text, language) || (isDecorating(text, language) && !isOpenTemplate(text))) return last;
  return startOfBlock(lines, last, floor, language) ?? startOfCall(lines, last, floor, language);
}

/** First line of all the comments and decorators directly above a line; the line itself if there are none. */
export function topOfLead(lines: readonly string[], line: number, floor: number, language: string): number {
  let top = line;
  for (let at: number | undefined = line; at !== undefined; at = leadAbove(lines, at, floor, language))
    top = at;
  return top;
}

function startOfBlock(
  lines: readonly string[],
  last: number,
  floor: number,
  language: string,
): number | undefined {
  const end = lines[last]?.trim() ?? '';
  const [open, close] = blocksOf(language).find(([, close]) => end.endsWith(close)) ?? [];
  if (open === undefined || close === undefined) return undefined;
  for (let at = last; at >= floor; at--) {
    const line = lines[at]?.trim() ?? '';
    if (at < last && line.includes(close)) return undefined;
    if (line.startsWith(open)) return at;
    if (line.includes(open)) return undefined;
  }
  return undefined;
}

/** The line with `@name(`, `[Name(` or `template <`, if its brackets end on the last line. */
function startOfCall(
  lines: readonly string[],
  last: number,
  floor: number,
  language: string,
): number | undefined {
  const end = lines[last]?.trim() ?? '';
  const isTemplate = marksOf(language) === C && />\s*(\/\/.*)?$/.test(end);
  if (!isTemplate && !/[)\]]$/.test(end)) return undefined;
  const [closes, opens] = isTemplate ? ANGLES : BRACKETS;
  let depth = 0;
  for (let at = last; at >= floor; at--) {
    const line = (lines[at] ?? '').replaceAll(/"[^"]*"|'[^']*'/g, '');
    depth += line.split(closes).length - line.split(opens).length;
    if (depth <= 0) return at < last && isCall(line.trim(), language) ? at : undefined;
  }
  return undefined;
}

const BRACKETS = [/[)\]}]/, /[([{]/] as const;
/** The arrow of `x->y` closes nothing. */
const ANGLES = [/(?<!-)>/, /</] as const;

/** Whether a line begins a decorator or attribute, of which the arguments may go on below. */
const isCall = (line: string, language: string): boolean => {
  const { decorator } = marksOf(language);
  return decorator === DECORATOR
    ? CALLS.test(line)
    : decorator !== NOTHING && /^(@\w|#\[|\[\[|template\s*<)/.test(line);
};

export const isDecorator = (line: string, language = ''): boolean =>
  isDecorating(line.trim(), language) || isCall(line.trim(), language);

/** How many lines at the start of a text are comments and decorators. */
export function leadLength(lines: readonly string[], language = ''): number {
  let length = 0;
  for (;;) {
    const line = lines[length]?.trim() ?? '';
    const [, close] = blocksOf(language).find(([open]) => line.startsWith(open)) ?? [];
    const end =
      close === undefined ? length : lines.findIndex((one, at) => at >= length && one.includes(close));
    if (!beginsWithLead(line, language) || end < 0) return length;
    length = end + 1;
  }
}
