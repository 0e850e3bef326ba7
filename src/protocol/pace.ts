import { clock } from '../util/clock.ts';

/**
 * Throttles notifications per key: the first is sent at once, later ones at least `ms` milliseconds apart. The last one is
 * always sent; others in between are dropped.
 */
export class Pace {
  readonly #ms: number;
  /** The next notification after the pause, for each key in a pause. */
  readonly #pauses = new Map<string, { cancel: () => void; next: (() => void) | undefined }>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  tell(key: string, tell: () => void): void {
    const pause = this.#pauses.get(key);
    if (pause) pause.next = tell;
    else this.#now(key, tell);
  }

  dispose(): void {
    for (const { cancel } of this.#pauses.values()) cancel();
    this.#pauses.clear();
  }

  #now(key: string, tell: () => void): void {
    const cancel = clock.after(this.#ms, () => {
      const next = this.#pauses.get(key)?.next;
      if (next) this.#now(key, next);
      else this.#pauses.delete(key);
    });
    this.#pauses.set(key, { cancel, next: undefined });
    tell();
  }
}
