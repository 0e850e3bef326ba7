import { createTwoFilesPatch, diffLines, FILE_HEADERS_ONLY } from 'diff';
import { countLines } from '../core/text/lines.ts';

/** Lines that may come and go before two texts count as altogether different: the search takes its square, 60 ms at most. */
const MOST_DIFFERENCES = { maxEditLength: 1000 };

/** Lines that are replaced; positions are 0-based, and the end is not included. */
export interface LineChange {
  start: { line: number; character: number };
  end: { line: number; character: number };
  text: string;
}

/**
 * What has to change in a text to make it another, line by line: so cursors, folds and breakpoints elsewhere stay where
 * they are. One change where the two have little in common. Both have `\n` between the lines.
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

/** Whole lines that two texts share, or that one of them has. */
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

/** How many items, or UTF-16 units, two lists or texts have in common at the start, and how many of the rest at the end. */
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

/** Whether two changes replace the same lines by the same, between the same neighbours: what stands elsewhere may differ. */
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

/** A unified diff of two versions of a file; undefined where they have too little in common for one. */
export const unifiedDiff = (path: string, before: string, after: string): string | undefined =>
  createTwoFilesPatch(path, path, before, after, 'before', 'after', {
    ...MOST_DIFFERENCES,
    headerOptions: FILE_HEADERS_ONLY,
  });
