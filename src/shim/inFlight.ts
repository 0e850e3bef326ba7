import { answeredIds, type RequestId, readAgentLine } from './messages.ts';

/** Answered only when the agent or the window ends the subscription, so never waited for (MCP 2026-07-28). */
const STREAMS = new Set<unknown>(['subscriptions/listen']);

/** The requests that the agent has sent and the window has not answered yet. */
export class InFlight {
  /** How many answers are owed for an id: a repeated id is answered twice, once with an error. */
  readonly #owed = new Map<RequestId, number>();
  readonly #streams = new Set<RequestId>();
  /** Lines that may be answered as a whole with `id: null`, oldest first, each with the ids of its requests. */
  #refusable: RequestId[][] = [];
  #onChange: () => void = () => {};

  /** Requests that are owed an answer, streams included. */
  get ids(): RequestId[] {
    return [...this.#owed.keys()];
  }

  /** How many requests are waited for when the agent has sent its last. */
  get awaited(): number {
    return this.#owed.size - this.#streams.size;
  }

  /** Takes note of a line that was sent to the window. */
  sent(line: Buffer): void {
    const { requests, cancelled, mayBeRefused } = readAgentLine(line);
    for (const { id, method } of requests) {
      this.#owed.set(id, (this.#owed.get(id) ?? 0) + 1);
      if (STREAMS.has(method)) this.#streams.add(id);
    }
    if (mayBeRefused) this.#refusable.push(requests.map(({ id }) => id));
    for (const id of cancelled) this.#forget(id);
    this.#changed();
  }

  /** Takes note of a line that has come from the window. */
  answered(line: Buffer): void {
    for (const id of answeredIds(line)) {
      if (id === null) for (const refused of this.#refused()) this.#settle(refused);
      else this.#settle(id);
    }
    this.#changed();
  }

  /**
   * Resolves to true once everything is answered, or to false after `timeout` milliseconds. Lines that are no requests
   * are waited for no longer than `refusalTimeout`: whether the window answers them at all depends on what they are.
   */
  async drained(timeout: number, refusalTimeout: number): Promise<boolean> {
    if (!(await this.#until(() => this.awaited === 0, timeout))) return false;
    await this.#until(() => this.#refusable.length === 0, refusalTimeout);
    return true;
  }

  /**
   * The requests of a line that was refused as a whole. Which one it was is not said: what can only be refused comes first,
   * because a batch may have been taken and be answered yet.
   */
  #refused(): RequestId[] {
    const index = this.#refusable.findIndex((ids) => ids.length === 0);
    return this.#refusable.splice(Math.max(index, 0), 1)[0] ?? [];
  }

  #settle(id: RequestId): void {
    const owed = this.#owed.get(id) ?? 0;
    if (owed > 1) this.#owed.set(id, owed - 1);
    else this.#forget(id);
  }

  #forget(id: RequestId): void {
    this.#owed.delete(id);
    this.#streams.delete(id);
  }

  #changed(): void {
    // A batch that was answered request by request is no longer refused as a whole.
    if (this.#refusable.length > 0) {
      this.#refusable = this.#refusable.filter(
        (ids) => ids.length === 0 || ids.some((id) => this.#owed.has(id)),
      );
    }
    this.#onChange();
  }

  #until(condition: () => boolean, timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (met: boolean): void => {
        clearTimeout(timer);
        this.#onChange = () => {};
        resolve(met);
      };
      const timer = setTimeout(done, timeout, false);
      this.#onChange = () => condition() && done(true);
      this.#onChange();
    });
  }
}
