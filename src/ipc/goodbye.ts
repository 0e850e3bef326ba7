/**
 * The last line of a window whose person has ended its server, told to each shim before the connection ends: one that just
 * ends may be a reload, after which the window comes back by itself. For the shim; an agent has no use for it.
 */

/**
 * `stopped`: until the person starts the server again. `restarting`: it comes back at once. `disconnected`: the person wants
 * this agent to go, and not to come back by itself.
 */
export type GoodbyeReason = 'stopped' | 'restarting' | 'disconnected';

export const GOODBYE = 'notifications/workspace-mcp/goodbye';

/** With the newline. */
export const goodbyeLine = (reason: GoodbyeReason): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: GOODBYE, params: { reason } })}\n`;
