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

  /** False where there is no place for it. */
  take(come: Come, seen = new Set<Expected>()): boolean {
    const [must, may] = [false, true].map((may) =>
      this.expected.filter((one) => (one.optional ?? false) === may),
    );
    for (const one of [...(must ?? []), ...(may ?? [])]) {
      if (seen.has(one) || !this.#fits(come, one)) continue;
      seen.add(one);
      const other = this.#taken.get(one);
      if (other !== undefined && !this.take(other, seen)) continue;
      this.#taken.set(one, come);
      return true;
    }
    return false;
  }
}
