import { cutText } from './cut.ts';

export interface NearLines {
  /** 1-based, both included. */
  line: number;
  endLine: number;
  /** The lines unchanged, cut if very long. */
  text: string;
}

/** Whether a text, or what is wanted in it, is too long to compare: it blocks the extension host. */
export const isTooLong = (text: string, wanted: string): boolean =>
  text.length > 2_000_000 || wanted.length > 20_000;

const CLOSER_LOOKS = 30;
/** Minimum likeness of a candidate, from 0 to 1. */
const ALIKE = 0.6;
/** Longest shown candidate, in UTF-16 units. */
export const SHOWN = 2_000;

/** The places in a text that are most like a text that it does not contain, best first. For an agent that has misquoted. */
export function nearestLines(text: string, wanted: string, most = 3): NearLines[] {
  if (isTooLong(text, wanted)) return [];
  const lines = text.split('\n');
  const quoted = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  const wantedPairs = quoted.map(pairsOf);
  if (wantedPairs.every(({ size }) => size === 0)) return [];
  return worthLooking(lines, wantedPairs)
    .map((at) => ({ at, score: likenessAt(at, lines, wantedPairs) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => ({
      line: at + 1,
      endLine: at + quoted.length,
      text: shown(lines.slice(at, at + quoted.length).join('\n')),
    }));
}

/** Where a passage could start (0-based lines), by its longest line only: comparing the whole passage everywhere is too slow. */
function worthLooking(lines: readonly string[], wanted: readonly Pairs[]): number[] {
  const longest = wanted.reduce((a, b) => (b.size > a.size ? b : a));
  const before = wanted.indexOf(longest);
  const known = new Map<string, number>(); // many lines of a text are equal
  const scoreOf = (line: string): number => {
    const score =
      known.get(line) ?? (mayBeAlike(longest.size, line.length) ? likeness(longest, pairsOf(line)) : 0);
    known.set(line, score);
    return score;
  };
  return lines
    .slice(before, lines.length - wanted.length + before + 1)
    .map((line, at) => ({ at, score: scoreOf(line) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSER_LOOKS)
    .map(({ at }) => at);
}

/** A much shorter line has too little in common. A longer line may match, because white space is ignored. */
const mayBeAlike = (size: number, length: number): boolean =>
  2 * Math.min(size, length) >= ALIKE * (size + Math.min(size, length));

function likenessAt(at: number, lines: readonly string[], wanted: readonly Pairs[]): number {
  const sum = wanted.reduce(
    (sum, pairs, index) => sum + likeness(pairs, pairsOf(lines[at + index] ?? '')),
    0,
  );
  return sum / wanted.length;
}

const shown = (text: string): string => (text.length > SHOWN ? `${cutText(text, SHOWN)}…` : text);

interface Pairs {
  counts: ReadonlyMap<string, number>;
  size: number;
}

/** The pairs of adjacent characters of a line, without white space. */
export function pairsOf(line: string): Pairs {
  const bare = line.slice(0, 2_000).replaceAll(/\s+/g, '').slice(0, 500);
  const counts = new Map<string, number>();
  const size = bare.length > 1 ? bare.length - 1 : bare.length; // one character alone counts too
  for (let at = 0; at < size; at++) {
    const pair = bare.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, size };
}

/** Dice's coefficient: 1 if equal, 0 if nothing in common. */
export function likeness(a: Pairs, b: Pairs): number {
  if (a.size + b.size === 0) return 1;
  let common = 0;
  for (const [pair, count] of a.counts) common += Math.min(count, b.counts.get(pair) ?? 0);
  return (2 * common) / (a.size + b.size);
}
