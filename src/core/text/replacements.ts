import { countLines } from './lines.ts';
import { misquoted } from './misquoted.ts';

/** One exact replacement, with the same fields as in `@modelcontextprotocol/server-filesystem`. */
export interface Replacement {
  oldText: string;
  newText: string;
}

/** Why a replacement fails, and what to do. */
export class ReplacementError extends Error {
  override name = 'ReplacementError';
}

/**
 * Applies all replacements in order, each to the result of the previous one, or none of them.
 *
 * @param text with `\n` line ends; the replacements may have `\r\n`
 * @throws ReplacementError if an oldText does not occur exactly once, or nothing would change
 */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const edits = replacements.map(({ oldText, newText }) => ({
    oldText: withLf(oldText),
    newText: withLf(newText),
  }));
  const label = (index: number) => (edits.length > 1 ? `edits[${index}]` : 'the edit');
  const replaced = edits.reduce((current, edit, index) => {
    if (current.includes(edit.oldText)) return replaceOnce(current, edit, label(index));
    const taker = takerOf(edit.oldText, text, edits.slice(0, index));
    throw new ReplacementError(
      taker < 0 ? notFound(current, edit.oldText, label(index)) : goneAfter(label(taker), label(index)),
    );
  }, text);
  if (replaced === text) throw new ReplacementError('the edits undo each other: nothing would change.');
  requireWhole(text, replaced, edits, label);
  return replaced;
}

/** Replaces the line ends that VS Code knows (`\r\n`, `\r`) by `\n`. */
export const withLf = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;

/** @param text contains oldText */
function replaceOnce(text: string, { oldText, newText }: Replacement, label: string): string {
  if (oldText === newText)
    throw new ReplacementError(`oldText and newText of ${label} are the same: nothing would change.`);
  if (newText.includes('\0') && !oldText.includes('\0'))
    throw new ReplacementError(`newText of ${label} contains a NUL character: the file would be binary.`);
  if (oldText === '' && text === '') return newText;
  if (oldText === '')
    throw new ReplacementError(
      `oldText of ${label} is empty: give the text that newText replaces. An empty oldText is for empty files only.`,
    );
  const first = text.indexOf(oldText);
  if (text.indexOf(oldText, first + 1) >= 0) throw new ReplacementError(foundTwice(text, oldText, label));
  return text.slice(0, first) + newText + text.slice(first + oldText.length);
}

/** Index of the edit that removed a text; negative if the text was never there. */
function takerOf(oldText: string, text: string, edits: readonly Replacement[]): number {
  let current = text;
  let taker = -1;
  for (const [index, edit] of edits.entries()) {
    const before = current;
    current = replaceOnce(current, edit, '');
    if (before.includes(oldText) && !current.includes(oldText)) taker = index;
  }
  return taker;
}

/** Half a surrogate pair cannot be saved: another character would replace it. @throws ReplacementError */
function requireWhole(
  before: string,
  after: string,
  edits: readonly Replacement[],
  label: (index: number) => string,
): void {
  if (after.isWellFormed() || !before.isWellFormed()) return;
  const broken = edits.findIndex(({ newText }) => !newText.isWellFormed());
  const where =
    broken < 0
      ? 'the text would contain half a character afterwards'
      : `newText of ${label(broken)} contains half a character`;
  throw new ReplacementError(
    `${where} (one of the two UTF-16 units of a surrogate pair). Replace whole characters.`,
  );
}

const notFound = (text: string, oldText: string, label: string): string =>
  `oldText of ${label} is not in the file. ${misquoted(text, oldText, 'Copy the text exactly, spaces included.')}`;

const MOST_PLACES_NAMED = 10;

function foundTwice(text: string, oldText: string, label: string): string {
  const lines = new Set<number>();
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(oldText); at >= 0; ) {
    line += countLines(text.slice(counted, at)) - 1;
    counted = at;
    lines.add(line);
    const end = text.indexOf('\n', at);
    if (lines.size > MOST_PLACES_NAMED || end < 0) break;
    at = text.indexOf(oldText, end + 1); // another place in the same line would be told by the same number
  }
  const shown =
    [...lines].slice(0, MOST_PLACES_NAMED).join(', ') + (lines.size > MOST_PLACES_NAMED ? ' …' : '');
  return `oldText of ${label} occurs more than once, at line${lines.size > 1 ? 's' : ''} ${shown}. Add surrounding lines to make it unique.`;
}

const goneAfter = (taker: string, label: string): string =>
  `oldText of ${label} is no longer in the file after ${taker}: edits apply in order, each to the result of the previous ones. Write oldText as it is then, or combine both edits.`;
