/** Whole numbers from 0 to 2^32, the same ones in each run for a seed (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The items in an order that depends only on the seed. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const next = numbersOf(seed);
  return items
    .map((item) => ({ item, by: next() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item);
}
