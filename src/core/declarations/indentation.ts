/** Indentation of code, in no particular language. */
import { beginsWithLead } from './lead.ts';
import { longStringsIn } from './nesting.ts';
import { Source } from './source.ts';

export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

export const ENDS_BLOCK = /^\s*([}\])]|<\/|end(?=[\s;,)]*$))/;

const STRING_OR_COMMENT = /(\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?:(?<=[\s:])#|(?<=\s)\/\/).*/g;

/** A line up to the comment at its end. */
export const withoutComment = (line: string): string =>
  line.replaceAll(STRING_OR_COMMENT, (_, string) => string ?? '').trimEnd();

/** One step of indentation in the code of a text: the most frequent step into a block. Undefined if nothing is indented. */
export function unitOf(text: string, language: string): string | undefined {
  const strings = linesInStrings(text, language);
  const counts = new Map<number, number>();
  let last = 0;
  let [tabs, spaces] = [0, 0];
  for (const [at, line] of text.split('\n').entries()) {
    const { length } = indentOf(line);
    if (strings.has(at) || length === line.length || /^\s*\*/.test(line)) continue; // blank, or inside a comment
    if (line.startsWith('\t')) tabs++;
    else {
      if (length > 0) spaces++;
      if (length > last) counts.set(length - last, (counts.get(length - last) ?? 0) + 1);
      last = length;
    }
  }
  if (tabs > 0 && tabs >= spaces) return '\t';
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return best && ' '.repeat(best[0]);
}

/**
 * The lines that begin in a string, 0-based, and whether each moves with the code around it. A docstring does, and a string in a block
 * that is written as deep as the code there; in others, as in a heredoc, indentation is a part of the value.
 */
export function linesInStrings(text: string, language: string): ReadonlyMap<number, boolean> {
  const source = new Source(text);
  const moves = new Map<number, boolean>();
  for (const { from, to } of longStringsIn(text, language)) {
    const [head, last] = [source.lineAt(from), source.lineAt(to - 1)];
    const indent = indentOf(source.line(head));
    const isInBlock = indent.length > indentOf(source.line(0)).length;
    const isDocstring = /^\s*[a-zA-Z]?$/.test(source.text.slice(source.startOf(head), from));
    const lines = source.lines.slice(head + 1, last + 1);
    const isMoved =
      (isInBlock || isDocstring) && lines.every((line) => line.trim() === '' || line.startsWith(indent));
    for (const [at, line] of lines.entries()) moves.set(head + 1 + at, isMoved && line.trim() !== '');
  }
  return moves;
}

/**
 * Moves a text to an indentation, all lines of code alike; blank lines around it go. If only the first line is not indented, as models
 * often write, the others are taken to be at their place already.
 *
 * @param unit one step of indentation in the file; a text with the other of tabs and spaces is converted
 */
export function indented(text: string, indent: string, unit: string, language: string): string {
  const body = text.replace(/^\s*\n/, '').trimEnd();
  const moves = linesInStrings(body, language);
  const bodyUnit = unitOf(body, language) ?? unit;
  const isCode = (at: number) => moves.get(at) !== false;
  const lines = body.split('\n').map((line, at) => (isCode(at) ? inUnits(line, bodyUnit, unit) : line));
  const [first = '', ...rest] = lines;
  const own = indentOf(first);
  const code = rest.filter((_, at) => isCode(at + 1));
  const base = own === '' ? baseOf(first, code, indent, unit) : own;
  return lines.map((line, at) => (isCode(at) ? moved(line, at === 0 ? own : base, indent) : line)).join('\n');
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

function inUnits(line: string, own: string, unit: string): string {
  if (own.startsWith('\t') === unit.startsWith('\t')) return line;
  const indent = indentOf(line);
  const steps = Math.floor(indent.length / own.length);
  return unit.repeat(steps) + indent.slice(steps * own.length) + line.slice(indent.length);
}
