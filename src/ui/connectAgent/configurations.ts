import { commandLine, type Shell } from '../../core/shell.ts';
import { WINDOW_VARIABLE } from '../../ipc/windowRecord.ts';
import type { Launch } from './launch.ts';

export interface AgentConfiguration {
  /** Name of the agent; empty for all that are not named. */
  agent: string;
  /** The file that the text belongs into; undefined where it is a command for a terminal. */
  file?: string;
  /** The exact text to copy. */
  text: string;
}

const NAME = 'workspace-mcp';

/** How agents are told of the shim. Nothing in it depends on a window: it holds for all that are ever opened. */
export function agentConfigurations(
  launch: Launch,
  shell: Shell,
  platform: NodeJS.Platform,
): AgentConfiguration[] {
  const { command, program, shim, env } = launch;
  const hasEnv = Object.keys(env).length > 0;
  const server = { command, args: [shim], ...(hasEnv && { env }) };
  // What a desktop starts does not have the PATH of a shell.
  const desktopServer = { ...server, command: program };
  const mcpServers = (one: object) => json({ mcpServers: { [NAME]: one } });
  const line = (...words: string[]) => commandLine(words, shell);
  // A name after `--env A=b` would be taken for one more variable: another option has to stand between.
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

/** Seconds for a tool, in agents that wait for less by default than the user may need for an answer. */
const TOOL_TIMEOUT = 600;

/** VS Code asks before these do anything: Codex need not ask too, and `codex exec`, which cannot ask, does not refuse them. */
const ASKED_BY_VS_CODE = ['edit_file'];

/**
 * Codex starts servers with hardly a variable, so the one that names the window of a terminal is asked for. `codex mcp add`
 * cannot set any of this. Strings of JSON are strings of TOML.
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
    ...ASKED_BY_VS_CODE.flatMap((tool) => [
      '',
      `[mcp_servers.${NAME}.tools.${tool}]`,
      'approval_mode = "approve"',
    ]),
  ].join('\n');
}

function claudeDesktopFile(platform: NodeJS.Platform): string {
  const file = 'claude_desktop_config.json';
  if (platform === 'darwin') return `~/Library/Application Support/Claude/${file}`;
  return platform === 'win32' ? `%APPDATA%\\Claude\\${file}` : `~/.config/Claude/${file}`;
}

/** The shim by itself, as a person starts it to see what it says. */
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
