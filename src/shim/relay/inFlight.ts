import { type AgentLine, answeredIds, isRefusal, type Request, type RequestId } from './jsonRpc.ts';

/** Answered only when the agent or the window ends the subscription, so never waited for (MCP 2026-07-28). */
const STREAM = 'subscriptions/listen';

/** A request that the agent has sent, and the line that it stands in: several where that is a batch. */
export interface Open extends Request {
  line: OpenLine;
  /** How far it was when it last told. */
  progress?: number;
  /** Whether the agent has been told that this stream has begun. */
  isAcknowledged?: boolean;
}

export interface OpenLine {
  bytes: Buffer;
  isBatch: boolean;
  /** All that it asks, answered or not: it can only be sent again as a whole. */
  requests: readonly Request[];
  /** Whether no window takes it. */
  isSurelyRefused: boolean;
  /** Whether any request stands in it. */
  isAsking: boolean;
  /** How often it was sent to a window that went. */
  lost: number;
  /** Those of its requests that are not answered. */
  open: RequestId[];
}

/** The requests that the agent has sent and nobody has answered yet. */
export class InFlight {
  /** By id, the oldest first: a repeated id is answered twice, once with an error. */
  readonly #open = new Map<RequestId, Open[]>();
  /** Lines that may be answered as a whole with `id: null`, oldest first. */
  #refusable: OpenLine[] = [];
  #onChange: () => void = () => {};

  /** Requests that are owed an answer, streams included, in the order in which they came. */
  get all(): Open[] {
    return [...this.#open.values()].flat();
  }

  /** The streams: requests that stay open. */
  get streams(): Open[] {
    return this.all.filter(({ method }) => method === STREAM);
  }

  /** How many requests are waited for when the agent has sent its last. */
  get awaited(): number {
    return this.all.length - this.streams.length;
  }

  get(id: RequestId): Open | undefined {
    return this.#open.get(id)?.[0];
  }

  /** Takes note of a line of the agent. */
  sent(bytes: Buffer, { requests, cancelled, mayBeRefused, isSurelyRefused, isBatch }: AgentLine): OpenLine {
    const line = {
      bytes,
      isBatch,
      isSurelyRefused,
      requests,
      isAsking: requests.length > 0,
      lost: 0,
      open: requests.map(({ id }) => id),
    };
    for (const request of requests) {
      const open = this.#open.get(request.id);
      if (open) open.push({ ...request, line });
      else this.#open.set(request.id, [{ ...request, line }]);
    }
    if (mayBeRefused) this.#refusable.push(line);
    for (const id of cancelled) this.settle(id);
    this.#changed();
    return line;
  }

  /** No window has to answer a line any more that asks nothing. */
  forget(line: OpenLine): void {
    this.#refusable = this.#refusable.filter((other) => other !== line);
    this.#changed();
  }

  /** Takes note of a line that has come from the window. */
  answered(line: Buffer): void {
    for (const id of answeredIds(line)) {
      if (id !== null) this.settle(id, this.#refusedAgain(id, line));
      else this.#settleRefused();
    }
    this.#changed();
  }

  /** The line of the newest request where an id was used again while it was in use: that one is refused, not the first. */
  #refusedAgain(id: RequestId, answer: Buffer): OpenLine | undefined {
    const all = this.#open.get(id) ?? [];
    return all.length > 1 && isRefusal(answer) ? all.at(-1)?.line : undefined;
  }

  /**
   * A request is answered, or owed no answer any more.
   *
   * @param line in which it stands; where that is not known, the oldest with the id
   */
  settle(id: RequestId, line?: OpenLine): void {
    const all = this.#open.get(id) ?? [];
    const settled = line ? all.find((open) => open.line === line) : all[0];
    if (!settled) return;
    const more = all.filter((open) => open !== settled);
    settled.line.open = settled.line.open.filter((other) => other !== id);
    if (more.length > 0) this.#open.set(id, more);
    else this.#open.delete(id);
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
   * A line was refused as a whole, and all requests in it. Which one it was is not said: what can only be refused comes first,
   * because a batch may have been taken and be answered yet.
   */
  #settleRefused(): void {
    const first = (fits: (line: OpenLine) => boolean) => this.#refusable.findIndex(fits);
    const sure = first(({ isSurelyRefused }) => isSurelyRefused);
    const index = sure >= 0 ? sure : first(({ open }) => open.length === 0);
    const [refused] = this.#refusable.splice(Math.max(index, 0), 1);
    // An id in it may be in use by a request of another line.
    for (const id of refused?.open ?? []) this.settle(id, refused);
  }

  #changed(): void {
    // A batch that was answered request by request is no longer refused as a whole.
    if (this.#refusable.length > 0)
      this.#refusable = this.#refusable.filter((line) => !line.isAsking || line.open.length > 0);
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
