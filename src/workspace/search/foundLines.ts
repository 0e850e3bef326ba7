import type { SearchLine } from './ripgrepEvents.ts';

/** Hits after which a search stops counting. */
export const MOST_HITS = 10_000;

/** Lines found by a search. */
export class FoundLines {
  readonly #lines: SearchLine[] = [];
  #hits = 0;

  /** Whether the limit is reached. */
  get isFull(): boolean {
    return this.#hits >= MOST_HITS;
  }

  add(lines: readonly SearchLine[]): void {
    for (const line of lines) {
      if (this.isFull) return;
      this.#lines.push(line);
      if (line.hit) this.#hits++;
    }
  }

  /** Sorted by file and line; lines of unknown number come last. */
  sorted(): SearchLine[] {
    return this.#lines.sort(byPlace);
  }
}

const byPlace = (a: SearchLine, b: SearchLine): number => {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
};
