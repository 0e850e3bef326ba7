/** What edit_file promises, in the plainest way that there is: an oracle for it, without any of the product's code. */

export interface Replacement {
  oldText: string;
  newText: string;
}

export const withLf = (text: string): string => text.split('\r\n').join('\n').split('\r').join('\n');

const isHalf = (text: string): boolean => !text.isWellFormed();

/** The text afterwards; undefined where the replacements do not fit, and nothing may change. */
export function edited(before: string, edits: readonly Replacement[]): string | undefined {
  let text = before;
  for (const edit of edits) {
    const [from, to] = [withLf(edit.oldText), withLf(edit.newText)];
    const places = placesOf(from, text);
    const [at] = places;
    if (at === undefined || places.length > 1 || from === to) return undefined;
    if (from === '' && text !== '') return undefined;
    if (to.includes('\0') && !from.includes('\0')) return undefined; // it would be binary
    text = text.substring(0, at) + to + text.substring(at + from.length);
  }
  return text === before || (isHalf(text) && !isHalf(before)) ? undefined : text;
}

/** Where it begins, places that overlap as well. */
function placesOf(piece: string, text: string): number[] {
  if (piece === '') return [0];
  return [...text.split('').keys()].filter((index) => text.startsWith(piece, index));
}
