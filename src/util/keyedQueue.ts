/** Runs tasks with the same key one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs after all earlier tasks with this key have ended, whether they failed or not. */
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

  /** The same for several keys at once. All callers must sort keys in the same way to avoid deadlock. */
  takeAll<T>([first, ...others]: readonly string[], run: () => Promise<T>): Promise<T> {
    return first === undefined ? run() : this.take(first, () => this.takeAll(others, run));
  }

  /** Number of keys with running tasks. */
  get size(): number {
    return this.#last.size;
  }
}
