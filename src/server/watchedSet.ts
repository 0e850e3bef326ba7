/** A set with a callback for each change. */
export class WatchedSet<T> extends Set<T> {
  readonly #changed: () => void;

  constructor(items: readonly T[], onDidChange: () => void) {
    super(); // with the items it would call `add` before `#changed` is set
    for (const item of items) super.add(item);
    this.#changed = onDidChange;
  }

  override add(item: T): this {
    if (this.has(item)) return this;
    super.add(item);
    this.#changed();
    return this;
  }

  override delete(item: T): boolean {
    const wasThere = super.delete(item);
    if (wasThere) this.#changed();
    return wasThere;
  }

  override clear(): void {
    if (this.size === 0) return;
    super.clear();
    this.#changed();
  }
}
