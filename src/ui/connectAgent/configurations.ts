import { commandLine, type Shell } from '../../core/shell.ts';
import { WINDOW_VARIABLE } from '../../ipc/windowRecord.ts';
import type { Launch } from './launch.ts';

export interface AgentConfiguration {
  /** Name of the agent; empty for all other agents. */
  agent: string;
  /** The file for the text; undefined if the text is a terminal command. */
  file?: string;
  /** The exact text to copy. */
  text: string;
}

const NAME = 'workspace-mcp';

/** The configurations that make agents start the shim. They do not depend on a window, so each works for all windows. */
export function agentConfigurations(
  launch: Launch,
  shell: Shell,
  platform: NodeJS.Platform,
): AgentConfiguration[] {
  const { command, program, shim, env } = launch;
  const hasEnv = Object.keys(env).length > 0;
  const server = { command, args: [shim], ...(hasEnv && { env }) };
  // Desktop apps do not have the PATH of a shell.
  const desktopServer = { ...server, command: program };
  const mcpServers = (one: object) => json({ mcpServers: { [NAME]: one } });
  const line = (...words: string[]) => commandLine(words, shell);
  // A name directly after `--env A=b` would be parsed as another variable, so another option must come between.
  const variables = (option: string) =>
    Object.entries(env).flatMap(([name, value]) => [option, `${name}=${value}`]);
  return [
    {
      agent: 'Claude Code',
      text: line(
        ...['claude', 'mcp', 'add', ...variables('--env'), '--scope', 'user', NAME, '--', command, shim],
      ),
    },
    { agent: 'Codex', file: '~/.codex/config.toml', text: codexToml(launch) },
    { agent: 'Cursor', file: '~/.cursor/mcp.json', text: mcpServers(desktopServer) },
    {
      agent: 'opencode',
      file: '~/.config/opencode/opencode.json',
      text: json({
        $schema: 'https://opencode.ai/config.json',
        mcp: {
          [NAME]: { type: 'local', command: [command, shim], ...(hasEnv && { environment: env }) },
        },
      }),
    },
    {
      agent: 'Gemini CLI',
      text: line('gemini', 'mcp', 'add', ...variables('--env'), '--scope', 'user', NAME, command, shim),
    },
    { agent: 'Gemini CLI', file: '~/.gemini/settings.json', text: mcpServers(server) },
    {
      agent: 'Copilot CLI',
      file: '~/.copilot/mcp-config.json',
      text: mcpServers({ type: 'local', ...server, tools: ['*'] }),
    },
    {
      agent: 'Qwen Code',
      text: line('qwen', 'mcp', 'add', ...variables('--env'), '--scope', 'user', NAME, command, shim),
    },
    { agent: 'Qwen Code', file: '~/.qwen/settings.json', text: mcpServers(server) },
    {
      agent: 'Cline',
      file: 'cline_mcp_settings.json',
      text: mcpServers({ ...desktopServer, timeout: TOOL_TIMEOUT }),
    },
    { agent: 'Claude Desktop', file: claudeDesktopFile(platform), text: mcpServers(desktopServer) },
    {
      agent: 'VS Code',
      file: 'mcp.json',
      text: json({ servers: { [NAME]: { type: 'stdio', ...desktopServer } } }),
    },
    { agent: '', file: 'mcpServers', text: mcpServers(server) },
    { agent: '', text: started(launch, shell) },
  ];
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** Tool timeout in seconds, for agents whose default is shorter than the user may need to answer. */
const TOOL_TIMEOUT = 600;

/**
 * Codex passes hardly any variables to servers, so `env_vars` requests the one with the window id. VS Code asks before tools change
 * anything, so Codex need not ask too; `codex exec` cannot ask and would refuse them. `codex mcp add` cannot set any of this. JSON
 * strings are valid TOML strings.
 */
function codexToml({ command, shim, env }: Launch): string {
  const text = (value: string) => JSON.stringify(value);
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${text(value)}`);
  return [
    `[mcp_servers.${NAME}]`,
    `command = ${text(command)}`,
    `args = [${text(shim)}]`,
    `env_vars = [${text(WINDOW_VARIABLE)}]`,
    ...(variables.length > 0 ? [`env = { ${variables.join(', ')} }`] : []),
    `tool_timeout_sec = ${TOOL_TIMEOUT}`,
    'default_tools_approval_mode = "approve"',
  ].join('\n');
}

function claudeDesktopFile(platform: NodeJS.Platform): string {
  const file = 'claude_desktop_config.json';
  if (platform === 'darwin') return `~/Library/Application Support/Claude/${file}`;
  return platform === 'win32' ? `%APPDATA%\\Claude\\${file}` : `~/.config/Claude/${file}`;
}

/** The command that starts the shim alone, for agents that ask for a command. */
function started({ command, shim, env }: Launch, shell: Shell): string {
  const program = commandLine([command, shim], shell);
  const variables = Object.entries(env);
  switch (shell) {
    case 'posix':
      return [...variables.map(([name, value]) => `${name}=${commandLine([value], shell)}`), program].join(
        ' ',
      );
    case 'powershell': {
      const call = /^'/.test(program) ? `& ${program}` : program;
      return [
        ...variables.map(([name, value]) => `$env:${name} = '${value.replaceAll("'", "''")}'`),
        call,
      ].join('; ');
    }
    case 'cmd':
      return [...variables.map(([name, value]) => `set "${name}=${value}"`), program].join(' && ');
  }
}
