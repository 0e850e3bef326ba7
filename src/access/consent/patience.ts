/** How long a call waits for an answer: until its client gives it up, and no longer than a question is shown. */
export class Patience {
  /** When the call began to wait, in milliseconds since the epoch. */
  readonly since = Date.now();
  readonly #late = new AbortController();
  /** Aborted when it has waited long enough. */
  readonly over = this.#late.signal;
  readonly #limit: number | undefined;
  #timers: NodeJS.Timeout[] = [];

  /** @param limit of the client, in milliseconds */
  constructor(limit: number | undefined) {
    this.#limit = limit;
    if (limit !== undefined) this.#endIn(limit);
  }

  /** Milliseconds. */
  get waited(): number {
    return Date.now() - this.since;
  }

  /**
   * Its question is shown from now on, for so many milliseconds at most. Returns when it ends, in milliseconds since the epoch;
   * undefined if it would be gone before it can be read.
   */
  begin(time: number): number | undefined {
    const left = this.#limit === undefined ? time : Math.min(time, this.#limit - this.waited);
    if (left < time / 100) return undefined;
    this.#endIn(left);
    return Date.now() + left;
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #endIn(ms: number): void {
    this.#timers.push(setTimeout(() => this.#late.abort(), ms));
  }
}
