import { cutText } from '../../core/text/cut.ts';

/** Bytes that an agent is told at once. */
export const MOST_TOLD = 1_024;

/** The beginning of a text that has at most so many bytes as UTF-8. */
export function withinBytes(text: string, most: number): string {
  let cut = cutText(text, most);
  while (Buffer.byteLength(cut) > most) cut = cutText(cut, cut.length - 1);
  return cut;
}
