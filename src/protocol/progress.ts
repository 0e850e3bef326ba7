import type { ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../features/call.ts';
import { clock } from '../util/clock.ts';

/** Least milliseconds between two notifications of one call. */
const PAUSE = 100;
/** Milliseconds until a silent call is first reported to be at work. The time doubles after each report. */
const FIRST_TICK = 500;
/** Most milliseconds without a report. Clients give up after a minute of silence. */
const LONGEST_TICK = 10_000;

/**
 * Runs a call and sends its progress, if the agent gave a token: strictly rising and throttled (MCP,
 * basic/utilities/progress). A call that reports nothing is reported to be at work after half a second.
 */
export async function withProgress<T>(
  context: ServerContext,
  run: (progress: Call['progress']) => Promise<T>,
): Promise<T> {
  const { signal, notify, _meta: { progressToken } = {} } = context.mcpReq;
  if (progressToken === undefined) return run(() => {});
  let last: number | undefined;
  let isOver = false;
  let total: number | undefined;
  let message: string | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  /** What came too soon: sent before the answer, if nothing follows. */
  let held: [progress: number, message: string | undefined] | undefined;
  const send = (progress: number, said: string | undefined) => {
    if (signal.aborted || isOver) return;
    last = progress;
    held = undefined;
    sentAt = clock.now();
    const more = { ...(total !== undefined && { total }), ...(said && { message: said }) };
    const params = { progressToken, progress, ...more };
    void notify({ method: 'notifications/progress', params }).catch(() => {}); // the connection has gone
  };
  // Progress must rise: go halfway to the next value that the call may report.
  const tickAfter = (ms: number): (() => void) =>
    clock.after(ms, () => {
      stopTick = tickAfter(Math.min(2 * ms, LONGEST_TICK));
      const before = last ?? 0;
      const next = (before + Math.floor(before) + 1) / 2;
      if (next > before) send(next, message ?? 'At work');
    });
  let stopTick = tickAfter(FIRST_TICK);
  try {
    const result = await run((progress, all, said) => {
      const isNews = last === undefined || progress > last;
      if (!isNews) return;
      total = all;
      message = said ?? message;
      const isSoon = clock.now() - sentAt < PAUSE && progress !== all;
      if (isSoon) held = [progress, said];
      else send(progress, said);
    });
    if (held) send(...held);
    return result;
  } finally {
    isOver = true; // a hosted call may go on
    stopTick();
  }
}
