import { existsSync } from 'node:fs';
import { l10n } from 'vscode';
import { ENTRY, type ServerCommand, windowCommand } from '../../agents/program.ts';
import type { Controls } from '../controls.ts';
import { isStopped } from '../settings.ts';

/**
 * How to start an MCP server over stdio that serves this window, in the fields of `mcpServers` in agents' configurations. It runs on the
 * machine of the extension host; `command` is absolute. It gives no permission: the user is asked as with any agent.
 */
export interface ServerDefinition extends ServerCommand {
  name: string;
}

/**
 * For other extensions, which start agents in this window. Starts the server of the window, unless the user has stopped it.
 *
 * @throws Error if it is stopped or cannot start, or the shim is not installed
 */
export async function serverDefinition({
  server,
  context,
}: Pick<Controls, 'server' | 'context'>): Promise<ServerDefinition> {
  if (!isStopped(context.workspaceState)) await server.start();
  const { id, error } = server;
  if (error) throw new Error(l10n.t('Workspace MCP could not start: {0}', error.message));
  if (id === undefined)
    throw new Error(
      l10n.t('The server of this window does not run. Start it first with "Workspace MCP: Start Server".'),
    );
  const start = await windowCommand(id);
  const [shim = ''] = start.args;
  if (!existsSync(shim))
    throw new Error(l10n.t('{0} is missing: run "Workspace MCP: Restart Server" to install it again.', shim));
  return { name: ENTRY, ...start };
}
