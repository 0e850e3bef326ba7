/** The table of agents. To add one: a row here, and one in test/unit/agents/programs.test.ts. */
import { posix, win32 } from 'node:path';
import { WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import {
  type AgentProgram,
  ENTRY,
  type Machine,
  type Place,
  type Scope,
  type ServerCommand,
} from './program.ts';

/** Seconds that a tool may take, for agents whose limit is shorter than the user may need to answer. */
const TOOL_TIMEOUT = 600;

/** The usual entry: `env` only if there is one. */
export const stdio = ({ command, args, env }: ServerCommand) => ({ command, args, ...some({ env }) });

/** A name directly after `--env A=b` would be parsed as another variable, so another option must come between. */
const variables = ({ env }: ServerCommand): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** Without empty objects. */
const some = (fields: Record<string, Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => Object.keys(value).length > 0));

type Files = (machine: Machine, join: (...names: string[]) => string) => (string | undefined)[];

/** A place with JSON whose servers are in a top-level object. */
const json = (scope: Scope, files: Files, field = 'mcpServers'): Place =>
  place(scope, 'json', files, [field]);

const place = (scope: Scope, format: Place['format'], files: Files, path: string[]): Place => ({
  scope,
  format,
  files: (machine) =>
    files(machine, (machine.platform === 'win32' ? win32 : posix).join).filter((file) => file !== undefined),
  path: () => path,
});

/** A file below the workspace folder. */
const inFolder =
  (...names: string[]): Files =>
  ({ folder }, join) => [folder && join(folder, ...names)];

/** A file below the home directory. */
const inHome =
  (...names: string[]): Files =>
  ({ home }, join) => [join(home, ...names)];

/** A file below the directory that a variable names, or else below one of the home directory. */
const movedBy =
  (variable: string, usual: readonly string[], ...names: string[]): Files =>
  ({ home, env }, join) => [join(env[variable] || join(home, ...usual), ...names)];

/** A file of an extension in VS Code's global storage. */
const inStorage =
  (extension: string, file: string): Files =>
  ({ userData }, join) => [
    userData === undefined ? undefined : join(userData, 'globalStorage', extension, 'settings', file),
  ];

const appData = ({ env, home }: Machine, join: (...names: string[]) => string): string =>
  env.APPDATA || join(home, 'AppData', 'Roaming');

const xdgConfig = ({ env, home }: Machine, join: (...names: string[]) => string): string =>
  env.XDG_CONFIG_HOME || join(home, '.config');

/** Where Electron keeps an app's data. */
const electronData: Files = (machine, join) => {
  const file = ['Claude', 'claude_desktop_config.json'];
  if (machine.platform === 'darwin') return [join(machine.home, 'Library', 'Application Support', ...file)];
  return [join(machine.platform === 'win32' ? appData(machine, join) : xdgConfig(machine, join), ...file)];
};

/** `.claude.json` is in the home directory, or in the directory that CLAUDE_CONFIG_DIR names (code.claude.com/docs/en/settings). */
const claudeJson = movedBy('CLAUDE_CONFIG_DIR', [], '.claude.json');

/** First those that may exist already; opencode merges all of them (its config/config.ts). */
const opencode: Files = (machine, join) =>
  ['opencode.jsonc', 'config.json', 'opencode.json'].map((name) =>
    join(xdgConfig(machine, join), 'opencode', name),
  );

export const agentPrograms: readonly AgentProgram[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    command: 'claude',
    client: /^claude-code/i,
    places: [
      json('user', claudeJson),
      json('project', inFolder('.mcp.json')),
      {
        ...json('local', (machine, join) => (machine.folder ? claudeJson(machine, join) : [])),
        path: ({ folder = '' }) => ['projects', folder.replaceAll('\\', '/'), 'mcpServers'],
      },
    ],
    entry: stdio,
    add: (server) => [
      ...['claude', 'mcp', 'add', ...variables(server), '--scope', 'user', ENTRY, '--'],
      ...[server.command, ...server.args],
    ],
  },
  {
    // `codex-rs/core/src/config`: CODEX_HOME. Codex passes hardly any variables to servers, so `env_vars` requests the one with the
    // window id. VS Code asks before tools change anything, so Codex need not ask too; `codex exec` cannot ask and would refuse them.
    id: 'codex',
    name: 'Codex',
    command: 'codex',
    client: /^codex/i,
    places: [place('user', 'toml', movedBy('CODEX_HOME', ['.codex'], 'config.toml'), ['mcp_servers'])],
    entry: ({ command, args, env }) => ({
      command,
      args,
      env_vars: [WINDOW_VARIABLE],
      ...some({ env }),
      tool_timeout_sec: TOOL_TIMEOUT,
      default_tools_approval_mode: 'approve',
    }),
    limit: { usual: 60, ours: TOOL_TIMEOUT },
  },
  {
    id: 'cursor',
    name: 'Cursor',
    command: 'cursor',
    client: /^cursor/i,
    isDesktop: true,
    places: [json('user', inHome('.cursor', 'mcp.json')), json('project', inFolder('.cursor', 'mcp.json'))],
    entry: stdio,
  },
  {
    id: 'opencode',
    name: 'opencode',
    command: 'opencode',
    client: /^opencode/i,
    places: [
      json('user', opencode, 'mcp'),
      json(
        'project',
        (machine, join) =>
          ['opencode.jsonc', 'opencode.json'].flatMap((name) => inFolder(name)(machine, join)),
        'mcp',
      ),
    ],
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...some({ environment: env }),
    }),
  },
  {
    // packages/core/src/utils/paths.ts: GEMINI_CLI_HOME takes the place of the home directory.
    id: 'gemini-cli',
    name: 'Gemini CLI',
    command: 'gemini',
    client: /^gemini-cli/i,
    places: [
      json('user', movedBy('GEMINI_CLI_HOME', [], '.gemini', 'settings.json')),
      json('project', inFolder('.gemini', 'settings.json')),
    ],
    entry: stdio,
    add: (server) => [
      ...['gemini', 'mcp', 'add', ...variables(server), '--scope', 'user', ENTRY],
      ...[server.command, ...server.args],
    ],
    limit: { usual: 600 },
  },
  {
    // docs.github.com, "Copilot CLI configuration directory": COPILOT_HOME.
    id: 'copilot-cli',
    name: 'Copilot CLI',
    command: 'copilot',
    client: /copilot/i,
    places: [json('user', movedBy('COPILOT_HOME', ['.copilot'], 'mcp-config.json'))],
    entry: (server) => ({ type: 'local', ...stdio(server), tools: ['*'] }),
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    command: 'qwen',
    client: /^qwen/i,
    places: [
      json('user', inHome('.qwen', 'settings.json')),
      json('project', inFolder('.qwen', 'settings.json')),
    ],
    entry: stdio,
    add: (server) => [
      ...['qwen', 'mcp', 'add', ...variables(server), '--scope', 'user', ENTRY],
      ...[server.command, ...server.args],
    ],
    limit: { usual: 600 },
  },
  {
    // Cline's SDK keeps them in ~/.cline; older versions in VS Code's storage (src/core/storage/disk.ts).
    id: 'cline',
    name: 'Cline',
    client: /^cline/i,
    isDesktop: true,
    places: [
      json('user', (machine, join) => [
        ...inHome('.cline', 'data', 'settings', 'cline_mcp_settings.json')(machine, join),
        ...inStorage('saoudrizwan.claude-dev', 'cline_mcp_settings.json')(machine, join),
      ]),
    ],
    entry: (server) => ({ ...stdio(server), timeout: TOOL_TIMEOUT }),
    limit: { usual: 60, ours: TOOL_TIMEOUT },
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    client: /^claude-ai/i,
    isDesktop: true,
    places: [json('user', electronData)],
    entry: stdio,
  },
  {
    id: 'vscode',
    name: 'VS Code',
    client: /^visual studio code/i,
    isDesktop: true,
    places: [
      json(
        'user',
        ({ userData }, join) => [userData === undefined ? undefined : join(userData, 'mcp.json')],
        'servers',
      ),
      json('project', inFolder('.vscode', 'mcp.json'), 'servers'),
    ],
    entry: (server) => ({ type: 'stdio', ...stdio(server) }),
  },
];
