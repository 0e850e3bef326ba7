/** Where lines are in another version of a text. A text is known by a sketch only, because it is stored. */
import { lineChanges } from '../../util/lineDiff.ts';
import { linesOf } from '../edit/merge.ts';

/** Lines of a text: 1-based, both included. */
type Lines = readonly [first: number, last: number];

/** Most lines of a text that has a sketch. In a longer one, lines stay where they are. */
const MOST_LINES = 20_000;

/** A text by its lines: 32 bits of each, which tell whether it is the same and do not have its text. Spaces at its ends do not count. */
export function sketchOf(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.length > MOST_LINES ? '' : lines.map((line) => hashOf(line.trim())).join('\n');
}

/** FNV-1a. */
function hashOf(line: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Where lines are now; undefined if none of them is there any more. Both are sketches. */
export function linesIn(after: string, before: string, [first, last]: Lines): Lines | undefined {
  if (before === after || before === '' || after === '') return [first, last];
  let [start, end] = [first - 1, last]; // 0-based, the end is exclusive
  for (const change of lineChanges(`${before}\n`, `${after}\n`).map(linesOf).reverse()) {
    if (change.start >= end) continue;
    const recent = change.text.split('\n').length - 1;
    const isAll = change.start <= start && change.end >= end;
    if (isAll && recent === 0) return undefined;
    // Where lines were rewritten, what stands in their place is theirs, line by line.
    const moved = (line: number, most: number) =>
      line < change.end ? Math.min(line, most) : line + recent - (change.end - change.start);
    const last = change.start + recent;
    [start, end] = [moved(start, isAll ? last - 1 : last), moved(end, last)];
  }
  return [start + 1, Math.max(end, start + 1)];
}

/** Where lines are that were gone: the place nearest to where they were that has all of them. Both are sketches. */
export function found(text: string, lines: string, near: number): Lines | undefined {
  const [all, wanted] = [text.split('\n'), lines.split('\n')];
  const places = all.flatMap((_, at) => (wanted.every((line, i) => all[at + i] === line) ? [at + 1] : []));
  const [nearest] = places.sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  return nearest === undefined ? undefined : [nearest, nearest + wanted.length - 1];
}

/** The sketch of some lines. */
export const part = (sketch: string, [first, last]: Lines): string =>
  sketch
    .split('\n')
    .slice(first - 1, last)
    .join('\n');
