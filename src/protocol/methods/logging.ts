import * as z from 'zod';
import type { Serve, ServerState } from '../state.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/**
 * `logging/setLevel` of the older versions. This server sends no log messages, whatever the level; the SDK's own handler
 * answers a wrong one with −32603 and a dump of its schema.
 */
export function serveLogging(serve: Serve, { era }: ServerState): void {
  if (era === 'legacy') serve('logging/setLevel', z.object({ level: z.enum(LEVELS) }), () => ({}));
}
