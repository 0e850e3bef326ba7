/**
 * Milliseconds after which a client gives a call up, by the name that it gives itself; some do not cancel it then, so that an
 * answer after it would change what the agent has reported as failed. Others wait as long as the question, or are told more by
 * their configuration.
 */
const LIMITS: Record<string, number> = {
  cline: 60_000,
  codex: 300_000,
  'codex-mcp-client': 300_000,
};

/** Milliseconds that an answer takes to reach the agent. */
const MARGIN = 3_000;

/** How long a call waits for an answer: until its client gives it up, and no longer than a question is shown. */
export class Patience {
  /** When the call began to wait, in milliseconds since the epoch. */
  readonly since = Date.now();
  readonly #late = new AbortController();
  /** Aborted when it has waited long enough. */
  readonly over = this.#late.signal;
  /** How long an answer is of use to the client, in milliseconds; undefined if that is not known. */
  readonly #limit: number | undefined;
  #timers: NodeJS.Timeout[] = [];

  /** @param agent as its client calls itself */
  constructor(agent: string) {
    const limit = LIMITS[agent.toLowerCase()];
    this.#limit = limit && limit - MARGIN;
    if (this.#limit !== undefined) this.#endIn(this.#limit);
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
