/**
 * Which of the things that have come is which of the expected ones, where ids that are used twice leave that open: as long as
 * there is some way to give each a place of its own, all is well (bipartite matching by augmenting paths). What need not come is
 * the last choice.
 */
export class Matching<Come, Expected extends { optional?: boolean }> {
  readonly expected: Expected[] = [];
  readonly #fits: (come: Come, expected: Expected) => boolean;
  readonly #taken = new Map<Expected, Come>();

  constructor(fits: (come: Come, expected: Expected) => boolean) {
    this.#fits = fits;
  }

  /** What nothing has come for. */
  get missing(): Expected[] {
    return this.expected.filter((one) => !this.#taken.has(one));
  }

  expect(one: Expected): void {
    this.expected.push(one);
  }

  /** False where there is no place for it. What has to come is served first, if need be by giving others another place. */
  take(come: Come): boolean {
    const must = this.expected.filter(({ optional }) => !optional);
    return this.#place(come, must, new Set()) || this.#place(come, this.expected, new Set());
  }

  #place(come: Come, places: readonly Expected[], seen: Set<Expected>): boolean {
    for (const one of places) {
      if (seen.has(one) || !this.#fits(come, one)) continue;
      seen.add(one);
      const other = this.#taken.get(one);
      if (other !== undefined && !this.#place(other, places, seen)) continue;
      this.#taken.set(one, come);
      return true;
    }
    return false;
  }
}
