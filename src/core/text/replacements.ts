import { foundTwice, goneAfter, notFound } from './replacementMessages.ts';

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

/** With `\n` between the lines, whichever of the three line ends of VS Code (`\n`, `\r\n`, `\r`) was there. */
export const withLf = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** @param text has oldText */
function replaceOnce(text: string, { oldText, newText }: Replacement, label: string): string {
  if (oldText === newText)
    throw new ReplacementError(`oldText and newText of ${label} are the same: nothing would change.`);
  if (newText.includes('\0') && !oldText.includes('\0'))
    throw new ReplacementError(`newText of ${label} contains a NUL character: the file would be binary.`);
  if (oldText === '') return filled(text, newText, label);
  const first = text.indexOf(oldText);
  if (text.indexOf(oldText, first + 1) >= 0) throw new ReplacementError(foundTwice(text, oldText, label));
  return text.slice(0, first) + newText + text.slice(first + oldText.length);
}

function filled(text: string, newText: string, label: string): string {
  if (text === '') return newText;
  throw new ReplacementError(
    `oldText of ${label} is empty: give the text that newText replaces. An empty oldText is for empty files only.`,
  );
}

/** Index of the edit after which a text is no longer there; negative where it never was. */
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

/** Half of a character cannot be saved: another one would be in its place. */
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
