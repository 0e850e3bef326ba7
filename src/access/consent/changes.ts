/** What a question shows of a change, whatever the settings of editors hide: every changed character of every line. Pure. */
import { differences, type Part } from '../../util/lineDiff.ts';
import { HIDDEN, type LinePart, lineParts, withoutEnd } from './lineParts.ts';

/** A line of a change; `gap` stands for lines that stay and are left out. Numbers are 1-based. */
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
  /** Lines of both that differ in nothing but white space from one of the other. */
  onlyWhite: number;
  /** Numbers of new lines that one has to look for: very long ones, or with text far to the right. */
  long: number[];
  /** Numbers of new lines with characters that do not show. */
  hidden: number[];
  lines: ChangedLine[];
  /** More lines have changed than are here. */
  isCut: boolean;
}

/** Lines that stay are shown around those that change. */
const AROUND = 3;

/** Characters of a line that fits into sight, and of white space in it after which text is far away. */
const LONG = 300;
const FAR = /\S\s{40,}\S/;

/** Characters of all files together that a page can show at once. */
const ROOM = 300_000;

/** How each file changes; later ones are cut where there is no more room. */
export function changesOf(diffs: readonly { before: string; after: string }[]): FileChange[] {
  let room = ROOM;
  return diffs.map((diff) => {
    const change = changeOf(diff, room);
    for (const { parts } of change.lines) room -= lengthOf(parts);
    return change;
  });
}

/** How one file changes. @param room characters that its lines may have together */
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
  const numbers = { before: 1, after: 1 };
  const blocks = blocksOf(differences(before, after));
  for (const [index, block] of blocks.entries()) {
    const lines =
      'same' in block ? sameLines(block.same, index === 0, index === blocks.length - 1) : changedLines(block);
    if (!('same' in block)) count(change, block, numbers.after);
    for (const { skip = 0, ...line } of lines) {
      if (line.kind !== 'added' && line.kind !== 'gap') line.before = numbers.before++;
      if (line.kind !== 'removed' && line.kind !== 'gap') line.after = numbers.after++;
      numbers.before += skip;
      numbers.after += skip;
      room -= lengthOf(line.parts);
      if (room < 0 && line.kind !== 'gap') change.isCut = true;
      else change.lines.push(line);
    }
  }
  return change;
}

type Block = { same: string[] } | { removed: string[]; added: string[] };

/** Lines that stay, and lines that are replaced by others, in turns. */
function blocksOf(parts: readonly Part[]): Block[] {
  const blocks: Block[] = [];
  for (const { added, removed, value } of parts) {
    if (value === '') continue;
    const lines = value.split(/(?<=\n)/);
    const last = blocks.at(-1);
    if (!added && !removed) blocks.push({ same: lines });
    else if (last && 'added' in last) last[added ? 'added' : 'removed'].push(...lines);
    else blocks.push(added ? { removed: [], added: lines } : { removed: lines, added: [] });
  }
  return blocks;
}

type Line = ChangedLine & { skip?: number };

function sameLines(same: readonly string[], isFirst: boolean, isLast: boolean): Line[] {
  const [head, tail] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND];
  const show = (lines: readonly string[]): Line[] =>
    lines.map((line) => ({ kind: 'same', parts: lineParts(line) }));
  const skip = same.length - head - tail;
  if (skip <= 0) return show(same);
  return [
    ...show(same.slice(0, head)),
    { kind: 'gap', parts: [], skip },
    ...show(same.slice(same.length - tail)),
  ];
}

const changedLines = ({ removed, added }: { removed: string[]; added: string[] }): Line[] => [
  ...removed.map((line, index): Line => ({ kind: 'removed', parts: lineParts(line, added[index] ?? '\n') })),
  ...added.map((line, index): Line => ({ kind: 'added', parts: lineParts(line, removed[index] ?? '\n') })),
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
    if (HIDDEN.test(line)) change.hidden.push(first + index);
  }
}

/** How many lines have one with the same text but for white space among the others. */
function likeOneOf(lines: readonly string[], others: readonly string[]): number {
  const texts = new Set(others.map(withoutWhite));
  return lines.filter((line) => withoutWhite(line) === '' || texts.has(withoutWhite(line))).length;
}

const lengthOf = (parts: readonly LinePart[]): number =>
  parts.reduce((sum, { text }) => sum + text.length, 1);

const withoutWhite = (line: string): string => line.replaceAll(/\s/g, '');
