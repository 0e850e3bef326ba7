/**
 * The last line to each shim when the user stops the server or disconnects the agent. A connection that ends without it may
 * be a reload, after which the window returns. The shim does not forward it to the agent.
 */

/**
 * `stopped`: until the user starts the server again. `restarting`: the server returns at once. `disconnected`: the user
 * disconnected this agent, so the shim must not reconnect.
 */
export type GoodbyeReason = 'stopped' | 'restarting' | 'disconnected';

export const GOODBYE = 'notifications/workspace-mcp/goodbye';

/** With the newline. */
export const goodbyeLine = (reason: GoodbyeReason): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: GOODBYE, params: { reason } })}\n`;
