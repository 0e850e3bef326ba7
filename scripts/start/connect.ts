/** How an agent is connected, for a person to copy. */

import { agentConfigurations } from '../../src/agents/configurations.ts';
import { findLaunch } from '../../src/agents/program.ts';
import { shellOf } from '../../src/core/shell.ts';

/** For Claude Code, and in the form that most others read. The editor's command has all of them. */
export async function howToConnect(): Promise<string> {
  const { platform, env } = process;
  const shell = shellOf(env.SHELL ?? '', platform);
  return [
    ...agentConfigurations(await findLaunch(), shell, platform)
      .filter(({ agent, file }) => (agent === 'Claude Code' && !file) || file === 'mcpServers')
      .map(({ agent, file, text }) => `Connect an agent: ${agent || file}\n${text.replace(/^/gm, '  ')}`),
    'More agents: the command "Workspace MCP: Copy Agent Configuration" in VS Code',
  ].join('\n\n');
}
