import { LOG_LEVEL_META_KEY, type LoggingLevel, type ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { fieldsOf } from '../../core/json.ts';
import type { Call } from '../../features/call.ts';
import type { Serve, ServerState } from '../state.ts';

/** The least severe first, as in syslog (RFC 5424). */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** For an agent of the older versions that has set no level. */
const DEFAULT_LEVEL: LoggingLevel = 'warning';

const LOGGER = 'workspace-mcp';

/** `logging/setLevel` of the older versions; since 2026-07-28 each request names its level. */
export function serveLogging(serve: Serve, state: ServerState): void {
  if (state.era === 'modern') return;
  serve('logging/setLevel', z.object({ level: z.enum(LEVELS) }), ({ level }) => {
    state.logLevel = level;
    state.ctx.hosted.setLogLevel(level);
    return {};
  });
}

/** The least severe level that the agent wants for the request; undefined if it wants no messages. */
export const levelOf = ({ mcpReq }: ServerContext, state: ServerState): LoggingLevel | undefined =>
  state.era === 'modern'
    ? (fieldsOf(mcpReq.envelope)[LOG_LEVEL_META_KEY] as LoggingLevel | undefined)
    : (state.logLevel ?? DEFAULT_LEVEL);

/** Sends `notifications/message` for the request, if the agent wants messages of that level. */
export function logTo({ mcpReq }: ServerContext, state: ServerState): Call['log'] {
  return (level, message, logger) => {
    if (mcpReq.signal.aborted) return;
    const data = logger === undefined ? { message } : message;
    const from = logger ?? LOGGER;
    const sent =
      state.era === 'modern'
        ? mcpReq.log(level, data, from)
        : LEVELS.indexOf(level) >= LEVELS.indexOf(state.logLevel ?? DEFAULT_LEVEL) &&
          mcpReq.notify({ method: 'notifications/message', params: { level, logger: from, data } });
    if (sent) void sent.catch(() => {}); // the connection has gone
  };
}
