/** How an agent is connected, for a person to copy. */
import { join } from 'node:path';
import { HOME_VARIABLE } from '../../src/socket/windowRecord.ts';

/** @param home the state directory; agents have to be told of it where it is not the usual one */
export function howToConnect(home: string): string {
  const shim = join(home, 'shim.js');
  const moved = process.env[HOME_VARIABLE] !== undefined;
  const variable = moved ? ` --env ${HOME_VARIABLE}=${quoted(home)}` : '';
  const server = { command: 'node', args: [shim], ...(moved && { env: { [HOME_VARIABLE]: home } }) };
  return [
    'Connect Claude Code:',
    `  claude mcp add --scope user workspace-mcp${variable} -- node ${quoted(shim)}`,
    '',
    'Connect any other agent:',
    JSON.stringify({ mcpServers: { 'workspace-mcp': server } }, null, 2).replace(/^/gm, '  '),
  ].join('\n');
}

const quoted = (path: string): string => (/[^\w/.:\\-]/.test(path) ? JSON.stringify(path) : path);
