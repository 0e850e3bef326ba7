/** What an agent is told whose quotation is not in a text, so that the next one is right. */

import { cutText } from './cut.ts';
import { LISTED, withoutLineNumbers } from './lineNumbers.ts';
import { countLines, sliceLines } from './lines.ts';
import { isTooLong, type NearLines, nearestLines, SHOWN } from './nearestLines.ts';
import { codeOf, lookOf } from './visible.ts';

const MOST_NAMED = 5;

/** A beginning of fewer UTF-16 units may be anywhere. */
const LEAST_START = 12;

/** @param advice what to do if there is something like it */
export function misquoted(text: string, wanted: string, advice: string): string {
  const bare = withoutLineNumbers(wanted);
  if (bare !== undefined && (bare.includes('\n') || text.includes(bare))) return `It ${LISTED}.`;
  const alike = lookAlikes(text, wanted);
  if (alike) return `${alike} ${advice}`;
  const [first, ...others] = candidates(text, wanted);
  if (!first) return 'Read the file again: it may have changed.';
  const { line, endLine } = first;
  const shown = [first, ...others].map(
    (one) =>
      `line${one.endLine > one.line ? `s ${one.line} to ${one.endLine}` : ` ${one.line}`}:\n${one.text}`,
  );
  const quoted = wanted.replace(/^\n+(?=.)/s, ''); // as the nearest lines have it
  return `${firstDifference(sliceLines(text, line, endLine), quoted, line)} Nearest:\n${shown.join('\n')}\n${advice}`;
}

/** The lines that are most like it; or those that begin like it, if it is a part of a line. */
function candidates(text: string, wanted: string): NearLines[] {
  const nearest = nearestLines(text, wanted);
  if (nearest.length > 0 || isTooLong(text, wanted)) return nearest;
  const length = longestStart(text, wanted);
  if (length < LEAST_START) return [];
  const line = lineAt(text, text.indexOf(wanted.slice(0, length)));
  const endLine = line + wanted.split('\n').length - 1;
  return [{ line, endLine, text: cutText(sliceLines(text, line, endLine), SHOWN) }];
}

/**
 * The characters of a text that only look like those of a quotation: other spaces, quotes and dashes, composed letters.
 *
 * @returns undefined unless the text contains what looks like the quotation
 */
function lookAlikes(text: string, wanted: string): string | undefined {
  if (isTooLong(text, wanted)) return undefined;
  if (wanted === '' || !lookOf(text).includes(lookOf(wanted))) return undefined;
  const [whole, part] = [seen(text), seen(wanted)];
  const at = whole.text.indexOf(part.text);
  if (at < 0) return undefined;
  const differing = new Map<number, string>();
  for (const [index, ofWanted] of part.from.entries()) {
    const ofText = whole.from[at + index] ?? 0;
    const [there, quoted] = [text.codePointAt(ofText), wanted.codePointAt(ofWanted)].map((code) =>
      named(code ?? 0),
    );
    if (there !== quoted && !differing.has(ofText))
      differing.set(ofText, `${there} where you wrote ${quoted}`);
  }
  if (differing.size === 0) return undefined;
  const listed = [...differing]
    .slice(0, MOST_NAMED)
    .map(([at, what]) => `line ${lineAt(text, at)} has ${what}`);
  const more = differing.size > MOST_NAMED ? `, and so on (${differing.size} characters)` : '';
  return `The text is there but for characters that look alike: ${listed.join(', ')}${more}.`;
}

/**
 * Where a passage of a file first differs from a quotation, which may begin within a line.
 *
 * @param passage lines of the file; `line` is the number of the first, 1-based
 */
function firstDifference(passage: string, wanted: string, line: number): string {
  const found = longestStart(passage, wanted);
  const isInside = wanted.slice(0, found).trim() !== ''; // white space alone may be anywhere
  const length = isInside ? found : [...wanted].findIndex((unit, index) => unit !== passage[index]);
  const at = isInside ? passage.indexOf(wanted.slice(0, length)) + length : length;
  const start = passage.lastIndexOf('\n', at - 1) + 1;
  const where = `line ${line + lineAt(passage, at) - 1}, column ${at - start + 1}`;
  return `First difference in ${where}: ${charAt(passage, at)} where you wrote ${charAt(wanted, length)}.`;
}

/** How much of the beginning of a quotation a text contains, in UTF-16 units. */
function longestStart(text: string, wanted: string): number {
  let [least, most] = [0, wanted.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (text.includes(wanted.slice(0, middle))) least = middle;
    else most = middle - 1;
  }
  const isHalf = (wanted.codePointAt(least - 1) ?? 0) > 0xffff; // of a character
  return isHalf && least > 0 ? least - 1 : least;
}

const charAt = (text: string, at: number): string => {
  const code = text.codePointAt(at);
  return code === undefined ? 'the end' : named(code);
};

const NAMES = new Map([
  [0x09, 'a tab'],
  [0x0a, 'a line break'],
  [0x20, 'a space'],
]);

/** A character as it can be told: by its code if it is not ASCII. */
function named(code: number): string {
  const isPlain = code > 0x20 && code < 0x7f;
  return isPlain ? `'${String.fromCodePoint(code)}'` : (NAMES.get(code) ?? codeOf(code));
}

const lineAt = (text: string, at: number): number => countLines(text.slice(0, at));

/** A text as a reader sees it, and the offset of the character that each UTF-16 unit of it comes from. */
function seen(text: string): { text: string; from: number[] } {
  const parts: string[] = [];
  const from: number[] = [];
  let at = 0;
  for (const character of text) {
    const shown = lookOf(character);
    for (let count = 0; count < shown.length; count++) from.push(at);
    parts.push(shown);
    at += character.length;
  }
  return { text: parts.join(''), from };
}
