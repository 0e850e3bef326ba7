/** Brackets of code, and what they are no part of: strings and comments. */
import { MARKUP, SECOND, STRINGS, TOKENS } from './tokens.ts';

/** Where brackets stand, in a text in which all of them pair. Offsets in UTF-16 units. */
export interface Nesting {
  /** The offsets of the brackets that are open at an offset, from the outside. */
  around(offset: number): readonly number[];
  /** The bracket that opens what one closes; undefined if there is none at this offset. */
  openerOf(closer: number): number | undefined;
}

/** A quote that begins no string: so one long string that is not closed is read once. */
const ESCAPED = /\\["']/;
const BRACKET = /[()[\]{}]/;
/** What opens the brackets that close, and templates of JavaScript. */
export const OPENERS: Record<string, string> = { ')': '(', ']': '[', '}': '{', '`': '`' };

/** Languages whose blocks are in braces. */
export const hasBraces = (language: string): boolean => language in TOKENS && language !== 'python';

/** @returns undefined if brackets do not pair, or the language is not known: nothing is said of such a text */
export function nestingOf(text: string, language: string): Nesting | undefined {
  const tokens = TOKENS[language];
  return nestingBy(text, tokens) ?? nestingBy(text, SECOND.get(tokens));
}

function nestingBy(text: string, tokens: readonly RegExp[] | undefined): Nesting | undefined {
  if (!tokens) return undefined;
  /** For each opening bracket, the one around it; for each closing bracket, the one that it closes. */
  const outer = new Map<number, number | undefined>();
  const openers = new Map<number, number>();
  const changes: { at: number; open: number | undefined }[] = [{ at: 0, open: undefined }];
  let open: number | undefined;
  for (const { end, opens, closes } of lexemesIn(text, tokens)) {
    const at = end - 1;
    if (opens) {
      outer.set(at, open);
      open = at;
    } else if (closes) {
      if (open === undefined || text[open] !== closes) return undefined;
      openers.set(at, open);
      open = outer.get(open);
    } else continue;
    changes.push({ at: end, open });
  }
  if (open !== undefined) return undefined;
  return {
    around: (offset) => chain(changes[lastAt(changes, offset)]?.open, outer),
    openerOf: (closer) => openers.get(closer),
  };
}

/** The strings over several lines, templates and heredocs of code; none of a language that is not known. */
export function longStringsIn(text: string, language: string): { from: number; to: number }[] {
  const tokens = STRINGS[language] ?? (TOKENS[language] ?? []).filter((one) => one !== MARKUP);
  const templates: number[] = [];
  const found: { from: number; to: number }[] = [];
  for (const { text: one, end, opens } of lexemesIn(text, tokens)) {
    if (one === '`' && opens) templates.push(end - 1);
    else if (one === '`' || QUOTE.test(one))
      found.push({ from: one === '`' ? (templates.pop() ?? end) : end - one.length, to: end });
  }
  return found.filter(({ from, to }) => text.slice(from, to).includes('\n'));
}

/** How strings begin, but no comment. */
const QUOTE = /^([rR@$#]*["'`]|<<|\[=*\[)/;

interface Lexeme {
  text: string;
  /** Offset behind it. */
  end: number;
  opens: boolean;
  /** What opens what it closes. */
  closes: string | undefined;
}

/** Brackets, strings and comments. A template of JavaScript counts as a bracket, for the code in it. */
function* lexemesIn(text: string, tokens: readonly RegExp[]): Generator<Lexeme> {
  const code = new RegExp([...tokens, ESCAPED, BRACKET].map(({ source }) => source).join('|'), 'gm');
  const open: string[] = [];
  for (let end = 0; ; ) {
    const isTemplate = open.at(-1) === '`';
    const pattern = isTemplate ? TEMPLATE : code;
    pattern.lastIndex = end;
    const [one] = pattern.exec(text) ?? [];
    if (one === undefined) return;
    end = Math.max(pattern.lastIndex, end + 1);
    const opens = /^([([{]|\$\{)$/.test(one) || (one === '`' && !isTemplate);
    const closes = OPENERS[one];
    if (opens) open.push(one);
    else if (closes) open.pop();
    yield { text: one, end, opens, closes };
  }
}

const TEMPLATE = /\\[\s\S]|`|\$\{/g;

function chain(open: number | undefined, outer: ReadonlyMap<number, number | undefined>): number[] {
  const all: number[] = [];
  for (let one = open; one !== undefined; one = outer.get(one)) all.unshift(one);
  return all;
}

/** The last of sorted places that is not behind an offset. */
function lastAt(all: readonly { at: number }[], offset: number): number {
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
