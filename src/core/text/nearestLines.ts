import { cutText } from './cutText.ts';

export interface Candidate {
  /** 1-based, both included. */
  line: number;
  endLine: number;
  /** The lines as they stand, cut where they are very long. */
  text: string;
}

/** Longest text that is searched and longest that is looked for, in UTF-16 units: the extension host waits meanwhile. */
const MOST_TEXT = 2_000_000;
const MOST_WANTED = 20_000;
/** Places that are worth a closer look. */
const CLOSER_LOOKS = 30;
/** How alike, from 0 to 1, a candidate has to be. */
const ALIKE = 0.6;
/** What is shown of a candidate, in UTF-16 units. */
const SHOWN = 2_000;

/** The places in a text that are most like one that is not in it, best first; for an agent that has misquoted. */
export function nearestLines(text: string, wanted: string, most = 3): Candidate[] {
  if (text.length > MOST_TEXT || wanted.length > MOST_WANTED) return [];
  const lines = text.split('\n');
  const quoted = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  const bagsWanted = quoted.map(bagOf);
  if (bagsWanted.every(({ size }) => size === 0)) return [];
  return worthLooking(lines, bagsWanted)
    .map((at) => ({ at, score: likenessAt(at, lines, bagsWanted) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => ({
      line: at + 1,
      endLine: at + quoted.length,
      text: shown(lines.slice(at, at + quoted.length).join('\n')),
    }));
}

/** Where a passage could begin (0-based lines), judged by its longest line alone: comparing all of it everywhere takes too long. */
function worthLooking(lines: readonly string[], wanted: readonly Bag[]): number[] {
  const longest = wanted.reduce((a, b) => (b.size > a.size ? b : a));
  const before = wanted.indexOf(longest);
  return lines
    .slice(before, lines.length - wanted.length + before + 1)
    .map((line, at) => ({
      at,
      score: mayBeAlike(longest.size, line.length) ? likeness(longest, bagOf(line)) : 0,
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, CLOSER_LOOKS)
    .map(({ at }) => at);
}

/** A line that is much shorter than another has too little in common with it; a longer one may be white space. */
const mayBeAlike = (size: number, length: number): boolean =>
  2 * Math.min(size, length) >= ALIKE * (size + Math.min(size, length));

function likenessAt(at: number, lines: readonly string[], wanted: readonly Bag[]): number {
  const sum = wanted.reduce((sum, bag, index) => sum + likeness(bag, bagOf(lines[at + index] ?? '')), 0);
  return sum / wanted.length;
}

const shown = (text: string): string => (text.length > SHOWN ? `${cutText(text, SHOWN)}…` : text);

interface Bag {
  counts: ReadonlyMap<string, number>;
  size: number;
}

/** The pairs of neighbouring characters of a line, white space aside. */
function bagOf(line: string): Bag {
  const bare = line.slice(0, 2_000).replaceAll(/\s+/g, '').slice(0, 500);
  const counts = new Map<string, number>();
  for (let at = 0; at < bare.length; at++) {
    const pair = bare.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, size: bare.length };
}

/** Dice's coefficient of two bags: 1 for the same, 0 for nothing in common. */
function likeness(a: Bag, b: Bag): number {
  if (a.size + b.size === 0) return 1;
  let common = 0;
  for (const [pair, count] of a.counts) common += Math.min(count, b.counts.get(pair) ?? 0);
  return (2 * common) / (a.size + b.size);
}
