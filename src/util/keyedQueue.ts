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

  /** The same for several keys at once. Callers sort them alike, so that no two wait for each other. */
  takeAll<T>([first, ...others]: readonly string[], run: () => Promise<T>): Promise<T> {
    return first === undefined ? run() : this.take(first, () => this.takeAll(others, run));
  }

  /** Things that something happens to now. */
  get size(): number {
    return this.#last.size;
  }
}
