/** The diff in a question. It shows every changed character, whatever the editor settings hide. Pure. */

import { cutText } from '../../core/text/cut.ts';
import { lazyPattern } from '../../core/text/lazyPattern.ts';
import { countLines, offsetOfLine, sliceLines } from '../../core/text/lines.ts';
import { invisibleInLine, spelledOut } from '../../core/text/visible.ts';
import { commonEnds, type DiffPart, differences } from '../../util/lineDiff.ts';

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
export function fileChangesOf(diffs: readonly { before: string; after: string }[]): FileChange[] {
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
  const isWhole = before === '' || after === ''; // all of a new file is new, its empty lines too
  const numbers = { before: 1, after: 1 };
  const blocks = blocksOf(differences(before, after));
  for (const [index, block] of blocks.entries()) {
    let lines: Line[];
    if ('same' in block) lines = sameLines(block.same, index === 0, index === blocks.length - 1);
    else {
      count(change, block, numbers.after);
      if (!isWhole) change.onlyWhite += whiteIn(block);
      lines = changedLines(block);
    }
    for (const { skip = 0, text, other, ...place } of lines) {
      const isTooLong = text !== undefined && text.length > room; // perhaps megabytes: not split into parts
      const parts = text === undefined || isTooLong ? [] : lineParts(text, other);
      const line = numbered({ ...place, parts }, numbers, skip);
      room -= isTooLong ? text.length : lengthOf(parts);
      if (room >= 0 || text === undefined) change.lines.push(line);
      else change.isCut = true;
    }
  }
  return change;
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
function blocksOf(parts: readonly DiffPart[]): Block[] {
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
  for (const [index, text] of added.entries()) {
    const line = withoutEnd(text);
    if (line.length > LONG || FAR.test(line)) change.long.push(first + index);
    if (hiddenPattern().test(line)) change.hidden.push(first + index);
  }
}

function whiteIn({ removed, added }: { removed: string[]; added: string[] }): number {
  const bare = { removed: removed.map(withoutWhite), added: added.map(withoutWhite) };
  return likeOneOf(bare.removed, bare.added) + likeOneOf(bare.added, bare.removed);
}

/** How many lines are empty, or equal to one of the others. */
function likeOneOf(lines: readonly string[], others: readonly string[]): number {
  const texts = new Set([...others, '']);
  return lines.filter((line) => texts.has(line)).length;
}

function lengthOf(parts: readonly LinePart[]): number {
  let length = 1;
  for (const { text } of parts) length += text.length;
  return length;
}

const withoutWhite = (line: string): string => line.replaceAll(/\s/g, '');

/**
 * Whether a diff editor shows a change in full, whatever settings a repository has for it: no invisible characters, no long lines,
 * and no lines that differ only in white space. Pure.
 */
export function isPlainChange({ before, after }: { before: string; after: string }): boolean {
  const { hidden, long, isCut } = changeOf({ before, after }, Number.POSITIVE_INFINITY);
  if (hidden.length + long.length > 0 || isCut) return false;
  const trimmed = (lines: string) => lines.split('\n').map((line) => line.trim());
  const parts = differences(before, after);
  const removed = new Set(parts.flatMap((part) => (part.removed ? trimmed(part.value) : [])));
  const added = parts.flatMap((part) => (part.added ? trimmed(part.value) : []));
  return !added.some((line) => line !== '' && removed.has(line));
}

/** A piece of a line. White space and hidden characters are replaced by visible marks. */
interface LinePart {
  text: string;
  /** `end`: the line has no newline. */
  mark?: 'white' | 'hidden' | 'end';
  /** Not in the other line. */
  isChanged?: boolean;
}

/** Characters that are shown as codes; tabs have their own mark. */
const hiddenPattern = lazyPattern(() => new RegExp(`(?!\\t)(?:${invisibleInLine()})`, 'u'));
const LONGEST_RUN = 60;
const piecesPattern = lazyPattern(() => new RegExp(`(${hiddenPattern().source})+|[ \\t]+`, 'gu'));

const withoutEnd = (line: string): string => (line.endsWith('\n') ? line.slice(0, -1) : line);

/**
 * @param line with its newline, if it has one
 * @param other the line that it replaces, or that replaces it
 */
function lineParts(line: string, other = line): LinePart[] {
  const text = withoutEnd(line);
  const [start, end] = other === line ? [0, 0] : differing(text, withoutEnd(other));
  const parts = visibleParts(text.slice(0, start));
  for (const part of start < end ? visibleParts(text.slice(start, end)) : [])
    parts.push({ ...part, isChanged: true });
  if (end < text.length) parts.push(...visibleParts(text.slice(end)));
  if (text === line) parts.push({ text: '', mark: 'end', ...(other.endsWith('\n') && { isChanged: true }) });
  return parts;
}

/** Start and end of the text that is not in the other line; never splits a surrogate pair. */
function differing(line: string, other: string): [start: number, end: number] {
  let [head, tail] = commonEnds(line, other);
  if (/[\ud800-\udbff]/.test(line.charAt(head - 1))) head--;
  if (/[\udc00-\udfff]/.test(line.charAt(line.length - tail))) tail--;
  return [head, line.length - tail];
}

function visibleParts(text: string): LinePart[] {
  const parts: LinePart[] = [];
  let at = 0;
  for (const { 0: piece, index } of text.matchAll(piecesPattern())) {
    if (index > at) parts.push({ text: text.slice(at, index) });
    parts.push(
      /^[ \t]/.test(piece)
        ? { text: shortened(piece), mark: 'white' }
        : { text: [...piece].map(spelledOut).join(''), mark: 'hidden' },
    );
    at = index + piece.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** A long run of one character is cut and counted, so that the text after it stays in sight. */
function shortened(piece: string): string {
  const isRun = piece.length > LONGEST_RUN && new Set(piece).size === 1;
  const shown = isRun ? piece.slice(0, LONGEST_RUN / 2) : piece;
  const count = isRun ? `⟨${piece.length}⟩` : '';
  return shown.replaceAll(' ', '·').replaceAll('\t', '→\t') + count;
}
