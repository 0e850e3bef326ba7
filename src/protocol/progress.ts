import type { ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../features/define.ts';

/** Least time between two notifications of one call, in milliseconds. */
const PAUSE = 100;

/**
 * The progress of one call: sent only where the agent gave a token, strictly rising, and not more often than an agent
 * can use (MCP, basic/utilities/progress).
 */
export function progressOf({ mcpReq }: ServerContext): Call['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = Number.NEGATIVE_INFINITY;
  let sentAt = Number.NEGATIVE_INFINITY;
  return (progress, total, message) => {
    const now = performance.now();
    if (progress <= last || (now - sentAt < PAUSE && progress !== total) || mcpReq.signal.aborted) return;
    last = progress;
    sentAt = now;
    const params = {
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(message && { message }),
    };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}); // the connection has gone
  };
}
