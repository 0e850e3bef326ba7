/** How an agent is connected, for a person to copy. */

import { shellOf } from '../../src/core/shell.ts';
import { agentConfigurations } from '../../src/ui/connectAgent/configurations.ts';
import { findLaunch } from '../../src/ui/connectAgent/launch.ts';

/** For Claude Code, and in the form that most others read. The editor's command has all of them. */
export async function howToConnect(): Promise<string> {
  const { platform, env } = process;
  const shell = shellOf(env.SHELL ?? '', platform);
  return [
    ...agentConfigurations(await findLaunch(), shell, platform)
      .filter(({ agent, file }) => agent === 'Claude Code' || file === 'mcpServers')
      .map(({ agent, file, text }) => `Connect an agent: ${agent || file}\n${text.replace(/^/gm, '  ')}`),
    'More agents: the command "Workspace MCP: Copy Agent Configuration" in VS Code',
  ].join('\n\n');
}
