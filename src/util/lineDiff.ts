import { diffLines, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { countLines } from '../core/text/lines.ts';

/** Most line differences before two texts count as entirely different. The search is quadratic: 60 ms at most. */
const MOST_DIFFERENCES = { maxEditLength: 1000 };
/** Lines between the first and the last change of both texts, past which they count as altogether different: 0.3 s. */
const MOST_LINES = 500_000;
/** UTF-16 units that are compared at once: by far the fastest way. */
const CHUNK = 4096;
const CONTEXT = 4;

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
export interface DiffPart {
  added?: boolean;
  removed?: boolean;
  value: string;
}

/** The parts of two texts, in order. Both have `\n` between the lines. */
export function differences(before: string, after: string): DiffPart[] {
  if (before === after) return [{ value: before }];
  const [start, rest] = commonLines(before, after);
  const old = before.slice(start, before.length - rest);
  const recent = after.slice(start, after.length - rest);
  const parts: DiffPart[] = (isComparable(old, recent) && diffLines(old, recent, MOST_DIFFERENCES)) || [
    ...(old ? [{ value: old, removed: true }] : []),
    ...(recent ? [{ value: recent, added: true }] : []),
  ];
  if (start > 0) parts.unshift({ value: before.slice(0, start) });
  if (rest > 0) parts.push({ value: before.slice(before.length - rest) });
  return parts;
}

/** Whether there are few enough lines from the first to the last that differs to compare them. */
export function isComparable(before: string, after: string): boolean {
  if (before.length + after.length <= MOST_LINES) return true;
  const [start, rest] = before === after ? [before.length, 0] : commonLines(before, after);
  const old = countLines(before.slice(start, before.length - rest));
  return old + countLines(after.slice(start, after.length - rest)) <= MOST_LINES;
}

/** How many UTF-16 units the lines have that two different texts share at the start, and those at the end. */
function commonLines(before: string, after: string): [start: number, rest: number] {
  const [head, tail] = commonEnds(before, after);
  const start = before.lastIndexOf('\n', head - 1) + 1;
  const ends = before.charAt(before.length - tail - 1) + after.charAt(after.length - tail - 1);
  const isLine = /^\n*$/.test(ends);
  const next = isLine ? before.length - tail : before.indexOf('\n', before.length - tail) + 1;
  return [head === 0 ? 0 : start, next === 0 ? 0 : before.length - Math.max(next, start)];
}

/** How many items (or UTF-16 units of texts) are equal at the start, and how many of the rest at the end. */
export function commonEnds<T extends string | readonly unknown[]>(a: T, b: T): [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  const equal = (from: number, to: number, inB: number) =>
    typeof a === 'string' && a.slice(from, to) === b.slice(inB, inB + to - from);
  let head = 0;
  while (head + CHUNK <= most && equal(head, head + CHUNK, head)) head += CHUNK;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  const isChunkEqual = () => equal(a.length - tail - CHUNK, a.length - tail, b.length - tail - CHUNK);
  while (tail + CHUNK <= most - head && isChunkEqual()) tail += CHUNK;
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

/** The lines of a unified diff without their numbers, and with one neighbour on each side. */
const hunks = (before: string, after: string): string | undefined =>
  unifiedDiff('', before, after, 1)?.replaceAll(/(?<=\n)@@ [^\n]*/g, '@@');

/** A unified diff of two versions of a file; undefined if they have too little in common. */
export function unifiedDiff(
  path: string,
  before: string,
  after: string,
  context: number = CONTEXT,
): string | undefined {
  const [from, to] = before === after ? [0, 0] : commonLines(before, after);
  const start = linesBack(before, from);
  const old = before.slice(start, linesOn(before, before.length - to));
  const recent = after.slice(start, linesOn(after, after.length - to));
  if (!isComparable(old, recent)) return undefined;
  const options = { ...MOST_DIFFERENCES, context };
  const patch = structuredPatch(path, path, old, recent, 'before', 'after', options);
  const skipped = countLines(before.slice(0, start)) - 1;
  for (const hunk of patch?.hunks ?? []) {
    hunk.oldStart += skipped;
    hunk.newStart += skipped;
  }
  return patch && formatPatch(patch, FILE_HEADERS_ONLY);
}

/** The start of the context lines before a line start; `linesOn` gives the end of those after it. */
function linesBack(text: string, at: number): number {
  let start = at;
  for (let line = 0; line < CONTEXT && start > 0; line++)
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

function linesOn(text: string, at: number): number {
  let end = at;
  for (let line = 0; line < CONTEXT && end < text.length; line++)
    end = text.indexOf('\n', end) + 1 || text.length;
  return end;
}
