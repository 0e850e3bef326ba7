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
/** Lines, the longest of those looked for, by which places are found that are worth a closer look; and how many are. */
const ANCHORS = 3;
const CLOSER_LOOKS = 30;
/** How alike, from 0 to 1, a candidate has to be. */
const ALIKE = 0.6;
/** What is shown of a line and of a candidate, in UTF-16 units. */
const LINE_SHOWN = 200;
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
      text: shown(lines.slice(at, at + quoted.length)),
    }));
}

/** Where a passage could begin (0-based lines), judged by its longest lines alone: comparing all of it everywhere takes too long. */
function worthLooking(lines: readonly string[], wanted: readonly Bag[]): number[] {
  const last = lines.length - wanted.length;
  const anchors = wanted
    .map((bag, index) => ({ bag, index }))
    .sort((a, b) => b.bag.size - a.bag.size)
    .slice(0, ANCHORS);
  const best = new Map<number, number>();
  lines.forEach((line, at) => {
    const fitting = anchors.filter(({ bag }) => mayBeAlike(bag.size, line.length));
    if (fitting.length === 0) return;
    const found = bagOf(line);
    for (const { bag, index } of fitting) {
      const start = at - index;
      const score = likeness(bag, found);
      if (start >= 0 && start <= last && score > (best.get(start) ?? 0)) best.set(start, score);
    }
  });
  const ranked = [...best].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b);
  return ranked.slice(0, CLOSER_LOOKS).map(([start]) => start);
}

/** A line that is much shorter than another has too little in common with it; a longer one may be white space. */
const mayBeAlike = (size: number, length: number): boolean =>
  2 * Math.min(size, length) >= ALIKE * (size + Math.min(size, length));

function likenessAt(at: number, lines: readonly string[], wanted: readonly Bag[]): number {
  const sum = wanted.reduce((sum, bag, index) => sum + likeness(bag, bagOf(lines[at + index] ?? '')), 0);
  return sum / wanted.length;
}

function shown(lines: readonly string[]): string {
  const short = lines.map((line) => (line.length > LINE_SHOWN ? `${cutText(line, LINE_SHOWN)}…` : line));
  const text = short.join('\n');
  return text.length > SHOWN ? `${cutText(text, SHOWN)}…` : text;
}

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
