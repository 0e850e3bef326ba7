interface LineIndex {
  keys: readonly string[];
  places: ReadonlyMap<string, readonly number[]>;
}

/** The lines of a text, without their breaks, found by their content. */
export class PatchedLines {
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
