import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';

export interface Pattern {
  /** Text, or a regular expression. */
  query: string;
  isRegex: boolean;
  caseSensitive: boolean;
  wholeWord: boolean;
}

/** What ripgrep counts as a part of a word. */
const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

/** JavaScript reads them as other characters. */
const POSIX_CLASS = /\[:\^?\w+:\]/;

/** The pattern as ripgrep matches it, as far as JavaScript can. @throws UserError if it is no regular expression of JavaScript */
export function regexOf({ query, isRegex, caseSensitive, wholeWord }: Pattern): RegExp {
  if (isRegex && POSIX_CLASS.test(query)) throw notOfBoth('it has a POSIX class');
  const source = isRegex ? query : withLf(query).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  try {
    new RegExp(source, 'u'); // before anything is put around it
    return new RegExp(
      wholeWord ? `(?<!${WORD})(?:${source})(?!${WORD})` : source,
      caseSensitive ? 'gmu' : 'gimu',
    );
  } catch (error) {
    throw notOfBoth((error as Error).message.replace(/^.*: /s, ''));
  }
}

const notOfBoth = (why: string): UserError =>
  new UserError(
    `ripgrep finds the files and JavaScript replaces, so the regular expression has to be one of both. For JavaScript: ${why}. It lacks (?i) at the start (see caseSensitive), (?P<name>), \\A, \\z, [[:alpha:]], and escapes that are not needed, such as \\-.`,
  );

/** A text after replacements. */
export interface Replaced {
  text: string;
  count: number;
  /** The lines with matches, 1-based; empty if matches may span lines. */
  lines: Set<number>;
}

interface Replacing {
  regex: RegExp;
  /** With `$1`, `$&` and `$$` as in JavaScript, or as it is. */
  replacement: string | (() => string);
  /** Otherwise each line is matched alone, as ripgrep does. */
  isMultiline: boolean;
  /** Matches that touch this text do not count. */
  mark?: string;
}

/** Replaces all matches in a text with `\n` between the lines. */
export function replaceMatches(text: string, replacing: Replacing): Replaced {
  const { regex, replacement, isMultiline, mark } = replacing;
  const replaced: Replaced = { text, count: 0, lines: new Set() };
  const inPiece = (piece: string, line?: number): string => {
    const count = matchesIn(piece, regex, mark);
    if (count === 0) return piece;
    replaced.count += count;
    if (line !== undefined) replaced.lines.add(line);
    return piece.replace(regex, replacement as string);
  };
  replaced.text = isMultiline ? inPiece(text) : byLine(text, inPiece);
  return replaced;
}

function matchesIn(piece: string, regex: RegExp, mark: string | undefined): number {
  const matches = [...piece.matchAll(regex)];
  if (mark === undefined || !piece.includes(mark)) return matches.length;
  const isApart = ({ index, 0: found }: RegExpExecArray) => {
    const next = piece.indexOf(mark, Math.max(0, index - mark.length));
    return next < 0 || next > index + found.length;
  };
  return matches.filter(isApart).length;
}

/** There is no line after a final newline. */
function byLine(text: string, change: (line: string, number: number) => string): string {
  const lines = text.split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  return (
    lines.map((line, index) => change(line, index + 1)).join('\n') + (isEnded && lines.length > 0 ? '\n' : '')
  );
}
