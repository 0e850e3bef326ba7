import { nearestLines } from './nearestLines.ts';

/** One exact replacement, as agents write it (`@modelcontextprotocol/server-filesystem` spells it the same). */
export interface Replacement {
  oldText: string;
  newText: string;
}

/** Why a replacement does not fit, in a sentence that tells what to do. */
export class ReplacementError extends Error {
  override name = 'ReplacementError';
}

/**
 * Applies all replacements one after the other, each to the text that the one before has left, or none of them.
 *
 * @param text with `\n` between the lines; the replacements may have `\r\n`
 * @throws ReplacementError where an oldText is not there exactly once, or nothing changes
 */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const replaced = replacements.reduce((current, { oldText, newText }, index) => {
    const label = replacements.length > 1 ? `edits[${index}]` : 'the edit';
    return replaceOnce(current, withLf(oldText), withLf(newText), label);
  }, text);
  if (replaced === text) throw new ReplacementError('the edits undo each other: nothing would change.');
  return replaced;
}

/** With `\n` between the lines, whichever of the three line ends of VS Code (`\n`, `\r\n`, `\r`) was there. */
export const withLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

function replaceOnce(text: string, oldText: string, newText: string, label: string): string {
  if (oldText === '')
    throw new ReplacementError(`oldText of ${label} is empty: name the text that newText replaces.`);
  if (oldText === newText)
    throw new ReplacementError(`oldText and newText of ${label} are the same: nothing would change.`);
  const first = text.indexOf(oldText);
  if (first < 0) throw new ReplacementError(notFound(text, oldText, label));
  const second = text.indexOf(oldText, first + 1);
  if (second >= 0) throw new ReplacementError(foundTwice(text, oldText, label));
  return text.slice(0, first) + newText + text.slice(first + oldText.length);
}

function notFound(text: string, oldText: string, label: string): string {
  const candidates = nearestLines(text, oldText);
  const nearest = candidates.map(({ line, endLine, text }) => `lines ${line} to ${endLine}:\n${text}`);
  const hint =
    nearest.length > 0
      ? `Nearest:\n${nearest.join('\n')}\nCopy the text exactly, spaces included.`
      : 'Read the file again: it may have changed.';
  return `oldText of ${label} is not in the file. ${hint}`;
}

/** At most so many places are named. */
const MOST_PLACES = 10;

function foundTwice(text: string, oldText: string, label: string): string {
  const lines = new Set<number>();
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + 1)) {
    line += countLineEnds(text, counted, at);
    counted = at;
    lines.add(line);
    if (lines.size > MOST_PLACES) break;
  }
  const shown = [...lines].slice(0, MOST_PLACES).join(', ') + (lines.size > MOST_PLACES ? ' …' : '');
  return `oldText of ${label} is there more than once, at line${lines.size > 1 ? 's' : ''} ${shown}. Add the lines around the one that is meant.`;
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text[at] === '\n') count++;
  return count;
}
