/** Lets what concerns the same thing happen one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs once all that was asked for before with this key has ended, well or not. */
  take<T>(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(run);
    const ended = turn.catch(() => {});
    this.#last.set(key, ended);
    void ended.then(() => {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    });
    return turn;
  }

  /** Things that something happens to now. */
  get size(): number {
    return this.#last.size;
  }
}
