/** The diff in a question. It shows every changed character, whatever the editor settings hide. Pure. */
import { cutText } from '../../core/text/cutText.ts';
import { countLines, offsetOfLine, sliceLines } from '../../core/text/lines.ts';
import { differences, type Part } from '../../util/lineDiff.ts';
import { hiddenPattern, type LinePart, lineParts, withoutEnd } from './lineParts.ts';

/** A line of a change; a `gap` is a run of unchanged lines that are not shown. Line numbers are 1-based. */
export interface ChangedLine {
  kind: 'same' | 'removed' | 'added' | 'gap';
  before?: number;
  after?: number;
  parts: LinePart[];
}

export interface FileChange {
  /** Lines. */
  added: number;
  removed: number;
  /** Added and removed lines that differ only in white space from a line of the other side. */
  onlyWhite: number;
  /** Numbers of new lines that are easy to overlook: very long ones, or with text far to the right. */
  long: number[];
  /** Numbers of new lines with invisible characters. */
  hidden: number[];
  lines: ChangedLine[];
  /** Not all changed lines are included. */
  isCut: boolean;
}

/** Unchanged lines around a change. Long ones are cut, so that they do not push the change out of sight. */
const AROUND = 3;

/** A line with more characters is long; text after that much white space is far to the right. */
const LONG = 300;
const FAR = /\S\s{40,}\S/;

/** Characters of all files together that a page can show. */
const ROOM = 300_000;

/** The changes of each file; later files are cut if there is no room left. */
export function changesOf(diffs: readonly { before: string; after: string }[]): FileChange[] {
  let room = ROOM;
  return diffs.map((diff) => {
    const change = changeOf(diff, room);
    for (const { parts } of change.lines) room -= lengthOf(parts);
    return change;
  });
}

/** The changes of one file. @param room characters that its lines may have together */
export function changeOf({ before, after }: { before: string; after: string }, room: number): FileChange {
  const change: FileChange = {
    added: 0,
    removed: 0,
    onlyWhite: 0,
    long: [],
    hidden: [],
    lines: [],
    isCut: false,
  };
  if (before === after) return change;
  const numbers = { before: 1, after: 1 };
  const blocks = blocksOf(differences(before, after));
  for (const [index, block] of blocks.entries()) {
    const lines =
      'same' in block ? sameLines(block.same, index === 0, index === blocks.length - 1) : changedLines(block);
    if (!('same' in block)) count(change, block, numbers.after);
    for (const { skip = 0, text, other, ...place } of lines) {
      const parts = text === undefined ? [] : partsWithin(room, text, other);
      const line = numbered({ ...place, parts: parts ?? [] }, numbers, skip);
      room = parts ? room - lengthOf(parts) : -1;
      if (parts || text === undefined) change.lines.push(line);
      else change.isCut = true;
    }
  }
  return change;
}

/** Undefined if there is no room: a line of megabytes is not even split into parts. */
function partsWithin(room: number, text: string, other?: string): LinePart[] | undefined {
  const parts = text.length > room ? undefined : lineParts(text, other);
  return parts && lengthOf(parts) <= room ? parts : undefined;
}

function numbered(line: ChangedLine, next: { before: number; after: number }, skip: number): ChangedLine {
  if (line.kind !== 'added' && line.kind !== 'gap') line.before = next.before++;
  if (line.kind !== 'removed' && line.kind !== 'gap') line.after = next.after++;
  next.before += skip;
  next.after += skip;
  return line;
}

type Block = { same: string } | { removed: string[]; added: string[] };

/** Alternating blocks of unchanged and replaced lines. */
function blocksOf(parts: readonly Part[]): Block[] {
  const blocks: Block[] = [];
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      blocks.push({ same: value });
      continue;
    }
    const lines = linesOf(value);
    const last = blocks.at(-1);
    if (last && 'added' in last) for (const line of lines) last[added ? 'added' : 'removed'].push(line);
    else blocks.push(added ? { removed: [], added: lines } : { removed: lines, added: [] });
  }
  return blocks;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

/** A line that is not split into parts yet. */
type Line = Omit<ChangedLine, 'parts'> & { text?: string; other?: string; skip?: number };

function sameLines(same: string, isFirst: boolean, isLast: boolean): Line[] {
  const show = (lines: string): Line[] =>
    linesOf(lines).map((text) => ({
      kind: 'same',
      text: text.length > LONG ? `${cutText(text, LONG)}…\n` : text,
    }));
  const count = countLines(same) - (same.endsWith('\n') ? 1 : 0);
  const [head, tail] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND];
  const skip = count - head - tail;
  if (skip <= 0) return show(same);
  const rest = offsetOfLine(same, count - tail + 1);
  return [...show(sliceLines(same, 1, head)), { kind: 'gap', skip }, ...show(same.slice(rest))];
}

const changedLines = ({ removed, added }: { removed: string[]; added: string[] }): Line[] => [
  ...removed.map((text, index): Line => ({ kind: 'removed', text, other: added[index] ?? '\n' })),
  ...added.map((text, index): Line => ({ kind: 'added', text, other: removed[index] ?? '\n' })),
];

function count(
  change: FileChange,
  { removed, added }: { removed: string[]; added: string[] },
  first: number,
): void {
  change.removed += removed.length;
  change.added += added.length;
  change.onlyWhite += likeOneOf(removed, added) + likeOneOf(added, removed);
  for (const [index, text] of added.entries()) {
    const line = withoutEnd(text);
    if (line.length > LONG || FAR.test(line)) change.long.push(first + index);
    if (hiddenPattern().test(line)) change.hidden.push(first + index);
  }
}

/** How many lines are equal to one of the others, ignoring white space. */
function likeOneOf(lines: readonly string[], others: readonly string[]): number {
  const texts = new Set(others.map(withoutWhite));
  return lines.filter((line) => withoutWhite(line) === '' || texts.has(withoutWhite(line))).length;
}

const lengthOf = (parts: readonly LinePart[]): number =>
  parts.reduce((sum, { text }) => sum + text.length, 1);

const withoutWhite = (line: string): string => line.replaceAll(/\s/g, '');
