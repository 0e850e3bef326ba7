/** Texts for the agent, and for the user on stderr, when a window closes or cannot be used. */

export const GONE = 'The VS Code window closed or reloaded before it answered.';
/** Appended to the reason if the request may have changed something. */
export const UNKNOWN = 'It is unknown whether this took effect. Check before you call it again.';
export const LOOKING =
  'The open VS Code windows have not answered yet; one may be busy. Calls wait, and it is connected automatically.';
export const NOT_TAKEN =
  'The VS Code window did not accept this session. Run "Workspace MCP: Restart Server" in it, or restart this MCP server in the agent.';
export const MOVED = 'The session has moved to another VS Code window.';
export const DISCONNECTED =
  'The user has disconnected this agent from VS Code. To reconnect, restart this MCP server in the agent.';
export const STOPPED =
  'The user has stopped the Workspace MCP server of the VS Code window. "Workspace MCP: Start Server" in it starts it again. This session then continues automatically.';
