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
  const { signal, notify, _meta: { progressToken } = {} } = context.mcpReq;
  if (progressToken === undefined) return run(() => {});
  let last: number | undefined;
  let total: number | undefined;
  let message: string | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  const send = (progress: number, said: string | undefined) => {
    if (signal.aborted) return;
    last = progress;
    sentAt = performance.now();
    const more = { ...(total !== undefined && { total }), ...(said && { message: said }) };
    const params = { progressToken, progress, ...more };
    void notify({ method: 'notifications/progress', params }).catch(() => {}); // the connection has gone
  };
  // The same again, halfway to what the call may tell next: progress has to rise.
  const tickAfter = (ms: number): NodeJS.Timeout =>
    setTimeout(() => {
      timer = tickAfter(Math.min(2 * ms, LONGEST_TICK));
      const before = last ?? 0;
      const next = (before + Math.floor(before) + 1) / 2;
      if (next > before) send(next, message ?? 'At work');
    }, ms);
  let timer = tickAfter(FIRST_TICK);
  try {
    return await run((progress, all, said) => {
      const isNews = last === undefined || progress > last;
      const isSoon = performance.now() - sentAt < PAUSE && progress !== all;
      if (!isNews || isSoon) return;
      total = all;
      message = said ?? message;
      send(progress, said);
    });
  } finally {
    clearTimeout(timer);
  }
}
