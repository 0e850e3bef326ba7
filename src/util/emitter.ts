export class Emitter<T = void> {
  readonly #listeners = new Set<{ listener: (event: T) => void }>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** A function that is added twice is called twice. */
  listen(listener: (event: T) => void): { dispose(): void } {
    const own = { listener };
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  fire(event: T): void {
    for (const { listener } of this.#listeners) listener(event);
  }
}
