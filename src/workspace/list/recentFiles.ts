/** As many are remembered. */
export const MOST_RECENT = 100;

/** The files that were changed last in this window, whoever did it. */
export class RecentFiles {
  /** When, in milliseconds since the epoch, by URI; the last one last. */
  readonly #changed = new Map<string, number>();

  add(key: string): void {
    this.#changed.delete(key);
    this.#changed.set(key, Date.now());
    const [oldest] = this.#changed.keys();
    if (this.#changed.size > MOST_RECENT && oldest !== undefined) this.#changed.delete(oldest);
  }

  /** Whether a file was changed at a time or later, as far as is known. @param since milliseconds since the epoch */
  has(key: string, since: number): boolean {
    return (this.#changed.get(key) ?? -1) >= since;
  }

  clear(): void {
    this.#changed.clear();
  }
}
