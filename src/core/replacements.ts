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
 * @throws ReplacementError where an oldText is not there exactly once, or a replacement changes nothing
 */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((current, { oldText, newText }, index) => {
    const label = replacements.length > 1 ? `edits[${index}]` : 'the edit';
    return replaceOnce(current, withLf(oldText), withLf(newText), label);
  }, text);
}

export const withLf = (text: string): string => text.replaceAll('\r\n', '\n');

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
    nearest.length > 0 ? ` Nearest:\n${nearest.join('\n')}\nCopy the text exactly, spaces included.` : '';
  return `oldText of ${label} is not in the file.${hint || ' Read the file again: it may have changed.'}`;
}

/** At most so many places are named. */
const MOST_PLACES = 10;

function foundTwice(text: string, oldText: string, label: string): string {
  const lines: number[] = [];
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + 1)) {
    lines.push(text.slice(0, at).split('\n').length);
    if (lines.length > MOST_PLACES) break;
  }
  const shown = lines.slice(0, MOST_PLACES).join(', ') + (lines.length > MOST_PLACES ? ' …' : '');
  return `oldText of ${label} is there more than once, at lines ${shown}. Add the lines around the one that is meant.`;
}
