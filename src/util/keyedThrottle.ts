/**
 * Keeps what is told of each key from coming too often: the first is told at once, the next ones no sooner than `ms`
 * milliseconds after it, and the last one always.
 */
export class Pace {
  readonly #ms: number;
  /** What is to be told after the pause, by key, while there is one. */
  readonly #pauses = new Map<string, { timer: NodeJS.Timeout; next: (() => void) | undefined }>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  tell(key: string, tell: () => void): void {
    const pause = this.#pauses.get(key);
    if (pause) pause.next = tell;
    else this.#now(key, tell);
  }

  dispose(): void {
    for (const { timer } of this.#pauses.values()) clearTimeout(timer);
    this.#pauses.clear();
  }

  #now(key: string, tell: () => void): void {
    const timer = setTimeout(() => {
      const next = this.#pauses.get(key)?.next;
      if (next) this.#now(key, next);
      else this.#pauses.delete(key);
    }, this.#ms);
    this.#pauses.set(key, { timer, next: undefined });
    tell();
  }
}
