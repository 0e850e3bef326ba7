/**
 * The extension of MCP 2026-07-28 by which a server may answer a call with a task (SEP-2663): its id in the capabilities of both sides.
 */
export const TASKS = 'io.modelcontextprotocol/tasks';
