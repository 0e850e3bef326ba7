/** Indentation of code, in no particular language. */
import { beginsWithLead } from './lead.ts';

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

export const ENDS_BLOCK = /^\s*([}\])]|<\/|end(?=[\s;,)]*$))/;

const STRING_OR_COMMENT = /(\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:(?<=[\s:])#|(?<=\s)\/\/).*/g;

/** A line up to the comment at its end. */
export const withoutComment = (line: string): string =>
  line.replaceAll(STRING_OR_COMMENT, (_, string) => string ?? '').trimEnd();

/** One step of indentation in a text: the smallest step into a block. Undefined if nothing is indented. */
export function unitOf(text: string): string | undefined {
  const counts = new Map<number, number>();
  let last = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) return '\t';
    const { length } = indentOf(line);
    if (length === line.length || /^\s*\*/.test(line)) continue; // blank, or inside a comment
    if (length > last) counts.set(length - last, (counts.get(length - last) ?? 0) + 1);
    last = length;
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return best && ' '.repeat(best[0]);
}

/**
 * Moves a text to an indentation, all lines alike; blank lines around it go. If only the first line is not indented, as models often
 * write, the others are taken to be at their place already.
 *
 * @param unit one step of indentation in the file; a text with the other of tabs and spaces is converted
 */
export function indented(text: string, indent: string, unit: string): string {
  const [first = '', ...rest] = inUnits(text.replace(/^\s*\n/, '').trimEnd(), unit).split('\n');
  const own = indentOf(first);
  const base = own === '' ? baseOf(first, rest, indent, unit) : own;
  return [moved(first, own, indent), ...rest.map((line) => moved(line, base, indent))].join('\n');
}

/** The indentation that the lines after a first one without any have in place of none. */
function baseOf(first: string, rest: readonly string[], indent: string, unit: string): string {
  const indents = rest.filter((line) => /^\s*[^\s*]/.test(line)).map(indentOf); // ` * ` is one further in
  const least = indents.reduce((a, b) => (b.length < a.length ? b : a), indents[0] ?? '');
  if (least === '' || indent === '') return '';
  if (beginsWithLead(first)) return least;
  const code = withoutComment(first);
  const isEnd = rest.some((line) => indentOf(line) === least && ENDS_BLOCK.test(line));
  // After a colon, as in Python, no bracket at the least indentation closes what the first line opens.
  if (isEnd && !code.endsWith(':')) return least.length > indent.length ? indent : least;
  const isAtPlace = /[:{([,=\\]$/.test(code) ? least.length >= (indent + unit).length : least === indent;
  return isAtPlace ? indent : '';
}

function moved(line: string, from: string, to: string): string {
  if (line.trim() === '') return from === to ? line : '';
  if (line.startsWith(from)) return to + line.slice(from.length);
  // A line of a string that is less indented than the code around it.
  if (to.length >= from.length) return to.slice(from.length) + line;
  return line.slice(Math.min(indentOf(line).length, from.length - to.length));
}

function inUnits(text: string, unit: string): string {
  const own = unitOf(text);
  if (own === undefined || own.startsWith('\t') === unit.startsWith('\t')) return text;
  return text.replaceAll(/^[ \t]+/gm, (indent) => {
    const steps = Math.floor(indent.length / own.length);
    return unit.repeat(steps) + indent.slice(steps * own.length);
  });
}
