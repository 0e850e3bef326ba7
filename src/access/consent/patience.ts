import { clock } from '../../util/clock.ts';

/**
 * Milliseconds after which a client times out a call, by the client's name. Some do not cancel the call then: a later answer would
 * perform what the agent has reported as failed. Other clients wait longer than a question, or the copied configuration sets
 * their timeout.
 */
const LIMITS: Record<string, number> = {
  cline: 60_000,
  codex: 300_000,
  'codex-mcp-client': 300_000,
};

/** Milliseconds for an answer to reach the agent. */
const MARGIN = 3_000;

/** How long a call waits for an answer: until its client times out or the question ends. */
export class Patience {
  /** Start of the wait, in milliseconds since the epoch. */
  readonly since = Date.now();
  readonly #start = clock.now();
  readonly #late = new AbortController();
  /** Aborted when the time is over. */
  readonly over = this.#late.signal;
  /** How long the client accepts an answer, in milliseconds; undefined if unknown. */
  readonly #limit: number | undefined;
  readonly #cancels: (() => void)[] = [];

  /** @param agent name of the client */
  constructor(agent: string) {
    const limit = LIMITS[agent.toLowerCase()];
    this.#limit = limit && limit - MARGIN;
    if (this.#limit !== undefined) this.#endIn(this.#limit);
  }

  /** Milliseconds. */
  get waited(): number {
    return clock.now() - this.#start;
  }

  /**
   * Call it when the question is shown.
   *
   * @param time milliseconds that it may be shown at most
   * @returns when it ends, in milliseconds since the epoch; undefined if it would end before the user can read it
   */
  begin(time: number): number | undefined {
    const left = this.#limit === undefined ? time : Math.min(time, this.#limit - this.waited);
    if (left < time / 100) return undefined;
    this.#endIn(left);
    return Date.now() + left;
  }

  dispose(): void {
    for (const cancel of this.#cancels) cancel();
  }

  #endIn(ms: number): void {
    this.#cancels.push(clock.after(ms, () => this.#late.abort()));
  }
}
