/** An event in VS Code's form: a function that takes a listener and gives a disposable. */
export class Emitter<T> {
  readonly #listeners = new Set<(event: T) => void>();

  readonly event = (listener: (event: T) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

/** The number of listeners of all these emitters, or of objects that have some. */
export const listenersOf = (sources: Iterable<{ listeners: number }>): number =>
  [...sources].reduce((sum, { listeners }) => sum + listeners, 0);
