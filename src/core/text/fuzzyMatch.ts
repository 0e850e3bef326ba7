/**
 * How well a path fits what somebody has typed of it, as VS Code's Quick Open judges: the letters in their order, better
 * where they stand together or begin words, and in the name rather than in the folders. Pieces between spaces each count.
 */

/** Points for one letter: that it is there at all, and what makes it a better place for it. */
const THERE = 1;
const SAME_CASE = 1;
const NEXT_TO_LAST = 5;
const BEGINS_WORD = 4;
const BEGINS_NAME = 8;

/** A match in the name is better than any in the whole path. */
const IN_NAME = 1 << 16;

/** Longest path that is looked at, in UTF-16 units: what is longer is known by its end. */
const LONGEST = 1_024;

export interface Fuzzy {
  /** The higher, the better; undefined where a letter is missing. Paths have `/` between their names. */
  score(path: string): number | undefined;
}

export function fuzzy(typed: string): Fuzzy {
  const pieces = typed.split(/\s+/).filter((piece) => piece !== '');
  const scorers = pieces.map(pieceScorer);
  return {
    score(path) {
      let sum = 0;
      for (const scorer of scorers) {
        const score = scorer(path.length > LONGEST ? path.slice(-LONGEST) : path);
        if (score === undefined) return undefined;
        sum += score;
      }
      return sum;
    },
  };
}

function pieceScorer(piece: string): (path: string) => number | undefined {
  const lower = piece.toLowerCase();
  const isOfName = !piece.includes('/');
  return (path) => {
    const lowerPath = path.toLowerCase();
    if (!holds(lowerPath, lower)) return undefined;
    const start = path.lastIndexOf('/') + 1;
    if (isOfName && holds(lowerPath.slice(start), lower))
      return IN_NAME + best(piece, lower, path.slice(start), lowerPath.slice(start));
    return best(piece, lower, path, lowerPath);
  };
}

/** Whether all letters are there, in their order. */
function holds(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** For each place of the text: the best score up to it, and how many letters before it stand together. Used again and again. */
const rows = Array.from({ length: 4 }, () => new Int32Array(LONGEST + 1)) as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

/** The score of the best way to find the letters: for each letter, the best up to each place, from those of the letter before. */
function best(piece: string, lower: string, text: string, lowerText: string): number {
  let [before, runsBefore, now, runs] = rows;
  const { length } = text;
  before.fill(0, 0, length + 1);
  runsBefore.fill(0, 0, length + 1);
  let start = 0;
  for (let at = 0; at < lower.length; at++) {
    const letter = lower.charCodeAt(at);
    start = lowerText.indexOf(lower[at] as string, start);
    now[start] = 0;
    for (let place = start; place < length; place++) {
      const left = now[place] as number;
      now[place + 1] = left;
      runs[place + 1] = 0;
      const reached = before[place] as number;
      if (lowerText.charCodeAt(place) !== letter || (at > 0 && reached === 0)) continue;
      const run = runsBefore[place] as number;
      const score = reached + pointsAt(text, place, text[place] === piece[at], run);
      if (score <= left) continue;
      now[place + 1] = score;
      runs[place + 1] = run + 1;
    }
    start++;
    [before, runsBefore, now, runs] = [now, runs, before, runsBefore];
  }
  return before[length] as number;
}

const SLASH = 0x2f;

function pointsAt(text: string, place: number, isSameCase: boolean, run: number): number {
  const points = THERE + (isSameCase ? SAME_CASE : 0) + (run > 0 ? NEXT_TO_LAST + Math.min(run, 3) : 0);
  const previous = place === 0 ? SLASH : text.charCodeAt(place - 1);
  if (previous === SLASH) return points + BEGINS_NAME;
  return isGap(previous) || (isUpper(text.charCodeAt(place)) && !isUpper(previous))
    ? points + BEGINS_WORD
    : points;
}

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/** ASCII that is no letter and no digit. */
const isGap = (code: number): boolean =>
  code < 0x30 || (code > 0x39 && code < 0x41) || (code > 0x5a && code < 0x61) || (code > 0x7a && code < 0x80);
