import { createTwoFilesPatch, diffLines, FILE_HEADERS_ONLY } from 'diff';
import { countLines } from '../core/text/lines.ts';

/** Most line differences before two texts count as entirely different. The search is quadratic: 60 ms at most. */
const MOST_DIFFERENCES = { maxEditLength: 1000 };

/** Replaced lines; positions are 0-based, the end is exclusive. */
export interface LineChange {
  start: { line: number; character: number };
  end: { line: number; character: number };
  text: string;
}

/**
 * The line changes from one text to another. Cursors, folds and breakpoints in other lines stay in place. One single change if
 * the texts have little in common. Both have `\n` between the lines.
 */
export function lineChanges(before: string, after: string): LineChange[] {
  const found: LineChange[] = [];
  let at = { line: 0, character: 0 };
  for (const { added, removed, value } of differences(before, after)) {
    const end = added ? at : moved(at, value);
    const last = found.at(-1);
    if (added && last?.end === at) last.text += value;
    else if (added || removed) found.push({ start: at, end, text: added ? value : '' });
    at = end;
  }
  return found;
}

/** Whole lines that both texts or only one of them contains. */
export interface Part {
  added?: boolean;
  removed?: boolean;
  value: string;
}

/** The parts of two texts, in order. Both have `\n` between the lines. */
export function differences(before: string, after: string): Part[] {
  const parts: Part[] | undefined = diffLines(before, after, MOST_DIFFERENCES);
  if (parts) return parts;
  const [old, recent] = [before, after].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const [head, tail] = commonEnds(old, recent);
  const changed = (lines: string[]) => lines.slice(head, lines.length - tail).join('');
  return [
    { value: old.slice(0, head).join('') },
    { value: changed(old), removed: true },
    { value: changed(recent), added: true },
  ];
}

/** How many items (or UTF-16 units of texts) are equal at the start, and how many of the rest at the end. */
export function commonEnds<T extends ArrayLike<unknown>>(a: T, b: T): [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [head, tail];
}

function moved({ line, character }: LineChange['start'], text: string): LineChange['start'] {
  const lastEnd = text.lastIndexOf('\n');
  if (lastEnd < 0) return { line, character: character + text.length };
  return { line: line + countLines(text) - 1, character: text.length - lastEnd - 1 };
}

/** Whether two changes replace the same lines with the same text between the same neighbours. Other lines may differ. */
export function isSameChange(
  a: { before: string; after: string },
  b: { before: string; after: string },
): boolean {
  if (a.before === b.before) return a.after === b.after;
  const [one, other] = [a, b].map(({ before, after }) => hunks(before, after));
  return one !== undefined && one === other;
}

/** The lines of a unified diff without their numbers. */
const hunks = (before: string, after: string): string | undefined =>
  unifiedDiff('', before, after)?.replaceAll(/^@@ .*$/gm, '@@');

/** A unified diff of two versions of a file; undefined if they have too little in common. */
export const unifiedDiff = (path: string, before: string, after: string): string | undefined =>
  createTwoFilesPatch(path, path, before, after, 'before', 'after', {
    ...MOST_DIFFERENCES,
    headerOptions: FILE_HEADERS_ONLY,
  });
