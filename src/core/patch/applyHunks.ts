import { visible } from '../text/escapeInvisible.ts';
import { type Hunk, newLines, oldLines } from './filePatch.ts';
import { PatchedLines } from './patchedLines.ts';
import { type Place, placeHunk } from './placeHunk.ts';

/** A text after a patch, and where each hunk was. */
export interface Patched {
  text: string;
  places: Place[];
}

/**
 * Applies the hunks of one file, all or none.
 *
 * @param text with `\n` between the lines
 * @param path of the file, for errors
 * @throws UserError if a hunk does not fit
 */
export function applyHunks(text: string, hunks: readonly Hunk[], path: string): Patched {
  const source = new PatchedLines(text);
  const places: Place[] = [];
  const lines: string[] = [];
  let at = 0;
  let { isEnded } = source;
  for (const [index, hunk] of hunks.entries()) {
    const number = hunks.length > 1 ? `hunk ${index + 1} of ${hunks.length}` : 'the hunk';
    const label = `${visible(path)} is unchanged: ${number} (line ${hunk.line} of the patch)`;
    const place = placeHunk(source, hunk, at, places.at(-1)?.offset ?? 0, label);
    places.push(place);
    let next = place.at;
    for (const { kind, text } of hunk.lines) {
      if (kind !== ' ') continueTo(next);
      if (kind === '-') at = next + 1;
      if (kind === '+') lines.push(text);
      else next++;
    }
    if (next === source.lines.length) isEnded = endsAfter(hunk, source);
  }
  continueTo(source.lines.length);
  return { text: lines.length === 0 ? '' : lines.join('\n') + (isEnded ? '\n' : ''), places };

  /** Takes over the lines of the text up to an index. */
  function continueTo(end: number): void {
    for (; at < end; at++) lines.push(source.lines[at] ?? '');
  }
}

/** Whether the text ends with a newline after a hunk at its end. If the hunk is wrong about the old text, that stays as it is. */
function endsAfter(hunk: Hunk, { isEnded }: PatchedLines): boolean {
  const [old, recent] = [oldLines(hunk).at(-1), newLines(hunk).at(-1)];
  return old && !old.isUnended !== isEnded ? isEnded : !recent?.isUnended;
}
