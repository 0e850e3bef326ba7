export interface Candidate {
  /** 1-based, both included. */
  line: number;
  endLine: number;
  text: string;
}

/** Longest text that is searched, and longest that is looked for, in lines: beyond, the search costs more than it helps. */
const MOST_LINES = 20_000;
const MOST_WANTED = 200;
/** How alike, from 0 to 1, a candidate has to be. */
const ALIKE = 0.6;

/** The places in a text that are most like one that is not in it, best first; for an agent that has misquoted. */
export function nearestLines(text: string, wanted: string, most = 3): Candidate[] {
  const lines = text.split('\n');
  const quoted = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  if (lines.length > MOST_LINES || quoted.length > MOST_WANTED || quoted.length > lines.length) return [];
  const bagsOfLines = lines.map(bagOf);
  const bagsWanted = quoted.map(bagOf);
  const scored = Array.from({ length: lines.length - quoted.length + 1 }, (_, at) => ({
    at,
    score: average(bagsWanted.map((bag, index) => likeness(bag, bagsOfLines[at + index] ?? EMPTY))),
  }));
  return scored
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, most)
    .map(({ at }) => ({
      line: at + 1,
      endLine: at + quoted.length,
      text: lines.slice(at, at + quoted.length).join('\n'),
    }));
}

interface Bag {
  counts: ReadonlyMap<string, number>;
  size: number;
}

const EMPTY: Bag = { counts: new Map(), size: 0 };

/** The pairs of neighbouring characters of a line, white space aside. */
function bagOf(line: string): Bag {
  const bare = line.replaceAll(/\s+/g, '').slice(0, 500);
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

const average = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
