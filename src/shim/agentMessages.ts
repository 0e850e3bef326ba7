/** What an agent, or its person, is told of windows that go. */

export const GONE = 'The VS Code window went away before it answered.';
/** Added to the reason where something may have been changed. */
export const UNKNOWN = 'It is unknown whether this took effect: look before you call it again.';
export const LOOKING =
  'The windows that are open have not answered yet: one may be busy. Calls wait for it; it is connected by itself.';
export const NOT_TAKEN =
  'The VS Code window does not go on with this session. Restart the Workspace MCP server in it ("Workspace MCP: Restart Server"), or start this MCP server anew.';
export const MOVED = 'The session has moved to another VS Code window.';
export const DISCONNECTED =
  'The person has disconnected this agent from VS Code. To connect it again, start this MCP server anew.';
export const STOPPED =
  'The person has stopped the Workspace MCP server of the VS Code window. "Workspace MCP: Start Server" in it starts it; then this session goes on by itself.';
