import type { ServerCommand } from '../../agents/program.ts';

/** The API of Cursor: https://cursor.com/docs/extension-api. */
interface CursorServers {
  registerServer(config: { name: string; server: ServerCommand }): void;
  unregisterServer(name: string): void;
}

export const cursorServers = (api: object): CursorServers | undefined =>
  (api as { cursor?: { mcp?: CursorServers } }).cursor?.mcp;

/** The row of the agent that is part of this editor; undefined if the editor takes no servers from extensions. */
export function ownAgentOf(api: { lm?: object }): 'cursor' | 'vscode' | undefined {
  if (cursorServers(api)) return 'cursor';
  return 'registerMcpServerDefinitionProvider' in (api.lm ?? {}) ? 'vscode' : undefined;
}
