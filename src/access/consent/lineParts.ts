/** A changed line for the user: marks the differences, white space and hidden characters. Pure. */
import { INVISIBLE_IN_LINE, lazyPattern, spelledOut } from '../../core/text/escapeInvisible.ts';
import { commonEnds } from '../../util/lineDiff.ts';

/** A piece of a line. White space and hidden characters are replaced by visible marks. */
export interface LinePart {
  text: string;
  /** `end`: the line has no newline. */
  mark?: 'white' | 'hidden' | 'end';
  /** Not in the other line. */
  isChanged?: boolean;
}

/** Characters that are shown as codes; tabs have their own mark. */
export const hiddenPattern = lazyPattern(() => new RegExp(`(?!\\t)(?:${INVISIBLE_IN_LINE})`, 'u'));
const LONGEST_RUN = 60;
const piecesPattern = lazyPattern(() => new RegExp(`(${hiddenPattern().source})+|[ \\t]+`, 'gu'));

/** The line without its newline. */
export const withoutEnd = (line: string): string => (line.endsWith('\n') ? line.slice(0, -1) : line);

/**
 * @param line with its newline, if it has one
 * @param other the line that it replaces, or that replaces it
 */
export function lineParts(line: string, other = line): LinePart[] {
  const text = withoutEnd(line);
  const [start, end] = other === line ? [0, 0] : differing(text, withoutEnd(other));
  const parts = visibleParts(text.slice(0, start));
  for (const part of start < end ? visibleParts(text.slice(start, end)) : [])
    parts.push({ ...part, isChanged: true });
  if (end < text.length) parts.push(...visibleParts(text.slice(end)));
  if (text === line) parts.push({ text: '', mark: 'end', ...(other.endsWith('\n') && { isChanged: true }) });
  return parts;
}

/** Start and end of the text that is not in the other line; never splits a surrogate pair. */
function differing(line: string, other: string): [start: number, end: number] {
  let [head, tail] = commonEnds(line, other);
  if (/[\ud800-\udbff]/.test(line.charAt(head - 1))) head--;
  if (/[\udc00-\udfff]/.test(line.charAt(line.length - tail))) tail--;
  return [head, line.length - tail];
}

function visibleParts(text: string): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { 0: piece, index } of text.matchAll(piecesPattern())) {
    if (index > at) parts.push({ text: text.slice(at, index) });
    parts.push(
      /^[ \t]/.test(piece)
        ? { text: shortened(piece), mark: 'white' }
        : { text: [...piece].map(spelledOut).join(''), mark: 'hidden' },
    );
    at = index + piece.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** A long run of one character is cut and counted, so that the text after it stays in sight. */
function shortened(piece: string): string {
  const isRun = piece.length > LONGEST_RUN && new Set(piece).size === 1;
  const shown = isRun ? piece.slice(0, LONGEST_RUN / 2) : piece;
  const count = isRun ? `⟨${piece.length}⟩` : '';
  return shown.replaceAll(' ', '·').replaceAll('\t', '→\t') + count;
}
