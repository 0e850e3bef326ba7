import { UserError } from '../errors.ts';
import { misquoted } from '../text/misquoted.ts';
import { visible } from '../text/visible.ts';
import { type Hunk, type HunkLine, newLines, oldLines } from './filePatch.ts';

interface LineIndex {
  keys: readonly string[];
  places: ReadonlyMap<string, readonly number[]>;
}

/** The lines of a text, without their breaks, found by their content. */
class PatchedLines {
  readonly lines: readonly string[];
  /** Whether the last line has a newline. */
  readonly isEnded: boolean;
  readonly #exact: LineIndex;
  #trimmed: LineIndex | undefined;

  /** @param text with `\n` between the lines */
  constructor(text: string) {
    const lines = text.split('\n');
    this.isEnded = lines.at(-1) === '';
    this.lines = this.isEnded ? lines.slice(0, -1) : lines;
    this.#exact = indexed(this.lines);
  }

  /**
   * Where lines occur one after another: at most `most` places, nearest to `near` first. The search takes time for each place
   * of the rarest line.
   *
   * @param wanted at least one
   * @param from the first index that they may have
   */
  *find(wanted: readonly string[], from: number, near: number, isExact: boolean): Generator<number> {
    const index = this.#index(isExact);
    const keys = isExact ? wanted : wanted.map((line) => line.trim());
    const places = keys.map((key) => index.places.get(key) ?? []);
    const rarest = places.reduce((a, b) => (b.length < a.length ? b : a));
    const before = places.indexOf(rarest);
    const fits = (at: number) => keys.every((key, offset) => index.keys[at + offset] === key);
    for (const place of nearestFirst(rarest, near + before))
      if (place - before >= from && fits(place - before)) yield place - before;
  }

  #index(isExact: boolean): LineIndex {
    if (isExact) return this.#exact;
    this.#trimmed ??= indexed(this.lines.map((line) => line.trim()));
    return this.#trimmed;
  }
}

/** Where equal lines are. @param keys the lines as they are compared */
function indexed(keys: readonly string[]): LineIndex {
  return { keys, places: Map.groupBy(keys.keys(), (at) => keys[at] ?? '') };
}

/** @param sorted ascending */
function* nearestFirst(sorted: readonly number[], wanted: number): Generator<number> {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  let [left, right] = [low - 1, low];
  while (left >= 0 || right < sorted.length) {
    const [above, below] = [sorted[left], sorted[right]];
    if (above === undefined || (below !== undefined && below - wanted < wanted - above)) {
      right++;
      if (below !== undefined) yield below;
    } else {
      left--;
      yield above;
    }
  }
}

export interface HunkPlace {
  /** 0-based line. */
  at: number;
  /** Lines below the one that the patch states; undefined if it states none. */
  offset: number | undefined;
  /** White space around lines differs. */
  isLoose: boolean;
}

const MOST_PLACES_LISTED = 10;

/**
 * Finds the lines that a hunk changes: exactly, or without white space around them; nearest to the line that it states, or the only
 * place after its anchors.
 *
 * @param from index of the first line that no earlier hunk changes
 * @param drift how many lines farther down the previous hunk was than it stated
 * @param label such as "hunk 2 of src/a.ts"
 * @throws UserError if it is nowhere, or at several places
 */
function placeHunk(text: PatchedLines, hunk: Hunk, from: number, drift: number, label: string): HunkPlace {
  const { lines } = text;
  const wanted = texts(oldLines(hunk));
  const starts = afterAnchors(text, hunk, from, label);
  const stated = hunk.start ?? (hunk.isAtEnd ? lines.length - wanted.length : undefined);
  if (wanted.length === 0) {
    const at = stated ?? (hunk.anchors.length > 0 ? requireOne(starts, label) : lines.length);
    return placed(Math.min(lines.length, Math.max(from, at + (hunk.start === undefined ? 0 : drift))), false);
  }
  const most = hunk.anchors.length > 0 ? 1 : MOST_PLACES_LISTED + 1; // below an anchor the first place counts
  for (const isExact of [true, false]) {
    const found =
      stated === undefined
        ? [...new Set(starts.flatMap((start) => [...text.find(wanted, start, start, isExact).take(most)]))]
        : nearest(text.find(wanted, from, stated + drift, isExact), stated + drift);
    if (found.length > 0) return placed(requireOne(found, label), !isExact);
  }
  throw new UserError(notFound(text, hunk, from, label), { lines: true });

  function placed(at: number, isLoose: boolean): HunkPlace {
    return { at, isLoose, offset: hunk.start === undefined ? undefined : at - hunk.start };
  }
}

const texts = (lines: readonly HunkLine[]): string[] => lines.map(({ text }) => text);

/** One place; two if they are equally near. */
function nearest(found: Generator<number>, stated: number): number[] {
  const [first, second] = found.take(2);
  if (first === undefined) return [];
  const isTie = second !== undefined && Math.abs(second - stated) === Math.abs(first - stated);
  return isTie ? [first, second] : [first];
}

function requireOne(found: readonly number[], label: string): number {
  const [first = 0, ...others] = found;
  if (others.length === 0) return first;
  const shown = found.slice(0, MOST_PLACES_LISTED).map((at) => at + 1);
  const more = found.length > MOST_PLACES_LISTED ? ' …' : '';
  throw new UserError(
    `${label} fits at several places, at lines ${shown.join(', ')}${more}. Add context lines, or line numbers ("@@ -LINE,COUNT +LINE,COUNT @@").`,
  );
}

/** Indices of the lines below the anchors of a hunk: one for each place of the first anchor. @throws UserError if there is none */
function afterAnchors(text: PatchedLines, { anchors }: Hunk, from: number, label: string): number[] {
  let starts = [from];
  for (const [index, anchor] of anchors.entries()) {
    const most = index === 0 ? Number.POSITIVE_INFINITY : 1;
    const found = starts.flatMap((start) => [...text.find([anchor], start, start, false).take(most)]);
    if (found.length === 0)
      throw new UserError(
        `${label}: there is no line ${JSON.stringify(anchor)}${from > 0 ? ` below line ${from}` : ''}. After "@@" goes a whole line from above the change, or nothing.`,
      );
    starts = [...new Set(found)].map((at) => at + 1);
  }
  return starts;
}

function notFound(text: PatchedLines, hunk: Hunk, from: number, label: string): string {
  const recent = texts(newLines(hunk));
  const [done, another] = recent.length > 0 ? text.find(recent, 0, 0, true).take(2) : [];
  if (done !== undefined && another === undefined)
    return `${label} does not match, but its new lines are there, at line ${done + 1}: it may have been applied already. Read the file again.`;
  const old = texts(oldLines(hunk));
  const [above] = text.find(old, 0, 0, true);
  if (above !== undefined)
    return `${label} matches line ${above + 1}, above the previous hunk (line ${from}). Hunks go from top to bottom and do not overlap: sort or combine them.`;
  const hint = misquoted(text.lines.join('\n'), old.join('\n'), 'Copy context and removed lines exactly.');
  return `${label} does not match the file. ${hint}`;
}

/**
 * Applies the hunks of one file, all or none.
 *
 * @param text with `\n` between the lines
 * @param path of the file, for errors
 * @returns the text afterwards, and where each hunk was
 * @throws UserError if a hunk does not fit
 */
export function applyHunks(text: string, hunks: readonly Hunk[], path: string) {
  const source = new PatchedLines(text);
  const places: HunkPlace[] = [];
  const lines: string[] = [];
  let at = 0;
  let { isEnded } = source;
  for (const [index, hunk] of hunks.entries()) {
    const number = hunks.length > 1 ? `hunk ${index + 1} of ${hunks.length}` : 'the hunk';
    const label = `${visible(path)} is unchanged: ${number} (line ${hunk.line} of the patch)`;
    const place = placeHunk(source, hunk, at, places.at(-1)?.offset ?? 0, label);
    places.push(place);
    let next = place.at;
    for (const { kind, text } of hunk.lines) {
      if (kind !== ' ') continueTo(next);
      if (kind === '-') at = next + 1;
      if (kind === '+') lines.push(text);
      else next++;
    }
    if (next === source.lines.length) isEnded = endsAfter(hunk, source);
  }
  continueTo(source.lines.length);
  return { text: lines.length === 0 ? '' : lines.join('\n') + (isEnded ? '\n' : ''), places };

  /** Takes over the lines of the text up to an index. */
  function continueTo(end: number): void {
    for (; at < end; at++) lines.push(source.lines[at] ?? '');
  }
}

/** Whether the text ends with a newline after a hunk at its end. If the hunk is wrong about the old text, that stays as it is. */
function endsAfter(hunk: Hunk, { isEnded }: PatchedLines): boolean {
  const [old, recent] = [oldLines(hunk).at(-1), newLines(hunk).at(-1)];
  return old && !old.isUnended !== isEnded ? isEnded : !recent?.isUnended;
}
