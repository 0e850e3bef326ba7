import type { ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../features/call.ts';

/** Least time between two notifications of one call, in milliseconds. */
const PAUSE = 100;
/** When a call that says nothing of itself is first told to be at work, in milliseconds; then after twice the time each. */
const FIRST_TICK = 500;
/** Longest time in which nothing is told. Clients give up after a minute of silence. */
const LONGEST_TICK = 10_000;

/**
 * Runs a call that can tell how far it is: sent only where the agent gave a token, strictly rising, and not more often
 * than an agent can use (MCP, basic/utilities/progress). Past half a second the agent hears that it is at work, also
 * where the call itself has nothing to tell.
 */
export async function withProgress<T>(
  context: ServerContext,
  run: (progress: Call['progress']) => Promise<T>,
): Promise<T> {
  if (context.mcpReq._meta?.progressToken === undefined) return run(() => {});
  const progress = new Progress(context);
  try {
    return await run(progress.report);
  } finally {
    progress.end();
  }
}

class Progress {
  readonly #request: ServerContext['mcpReq'];
  #last = 0;
  #total: number | undefined;
  #message = 'At work';
  #sentAt = Number.NEGATIVE_INFINITY;
  #isFirst = true;
  #timer: NodeJS.Timeout;

  constructor({ mcpReq }: ServerContext) {
    this.#request = mcpReq;
    this.#timer = this.#tickAfter(FIRST_TICK);
  }

  /** What the call tells of itself. */
  readonly report: Call['progress'] = (progress, total, message) => {
    const isNews = this.#isFirst || progress > this.#last;
    const isSoon = performance.now() - this.#sentAt < PAUSE && progress !== total;
    if (!isNews || isSoon) return;
    this.#total = total;
    this.#message = message ?? this.#message;
    this.#send(progress, message);
  };

  end(): void {
    clearTimeout(this.#timer);
  }

  /** The same again, halfway to what the call may tell next: progress has to rise. */
  #tickAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = this.#tickAfter(Math.min(2 * ms, LONGEST_TICK));
      const next = (this.#last + Math.floor(this.#last) + 1) / 2;
      if (next > this.#last) this.#send(next, this.#message);
    }, ms);
  }

  #send(progress: number, message: string | undefined): void {
    if (this.#request.signal.aborted) return;
    this.#isFirst = false;
    this.#last = progress;
    this.#sentAt = performance.now();
    const params = {
      progressToken: this.#request._meta?.progressToken,
      progress,
      ...(this.#total !== undefined && { total: this.#total }),
      ...(message && { message }),
    };
    void this.#request.notify({ method: 'notifications/progress', params }).catch(() => {}); // the connection has gone
  }
}
