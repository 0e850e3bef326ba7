/**
 * The table of agents. To add one: a row here, and one in test/unit/agents/programs.test.ts.
 *
 * Comments name the source of a rule, in the agent's own repository or documentation.
 */

import { CLIENTS } from '../core/clients.ts';
import { WINDOW_VARIABLE } from '../ipc/windowRecord.ts';
import { toml } from './formats/toml.ts';
import { copilotHooks, openCodeHooks } from './hooks/ownHooks.ts';
import { sharedHooks } from './hooks/sharedHooks.ts';
import { claudeLanguageServers } from './languageServers/claude.ts';
import { copilotLanguageServers } from './languageServers/copilot.ts';
import { openCodeLanguageServers } from './languageServers/openCode.ts';
import {
  claudeProject,
  filesBy,
  firstOf,
  home,
  inAppData,
  inConfig,
  inHome,
  inProject,
  inUserData,
  jsonPlace,
  movedBy,
  place,
  shared,
  userHome,
} from './places.ts';
import { type AgentProgram, ENTRY, type ServerCommand, stdio, withoutEmpty } from './program.ts';

/** Seconds that a tool may take, for agents whose limit is shorter than the user may need to answer. */
export const TOOL_TIMEOUT = 600;

/** A name directly after `--env A=b` would be parsed as another variable, so another option must come between. */
const variables = ({ env }: ServerCommand): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

/** The words of `mcp add`, which several agents have. */
const mcpAdd =
  (program: string, ...separator: string[]) =>
  (server: ServerCommand): string[] => [
    ...[program, 'mcp', 'add', ...variables(server), '--scope', 'user', ENTRY, ...separator],
    ...[server.command, ...server.args],
  ];

/** packages/core/src/utils/paths.ts: GEMINI_CLI_HOME is used as the home directory. */
const geminiSettings = movedBy('GEMINI_CLI_HOME', [], '.gemini', 'settings.json');

/** packages/core/src/config/storage.ts. */
const qwenSettings = inHome('.qwen', 'settings.json');

/** packages/opencode/src/global: XDG on Windows too. */
const openCodeFiles = firstOf(
  ...['opencode.jsonc', 'config.json', 'opencode.json'].map((name) =>
    movedBy('XDG_CONFIG_HOME', ['.config'], 'opencode', name),
  ),
);

/** Agents share it: see agentskills.io. */
const sharedSkills = filesBy(inHome('.agents', 'skills'));

/** code.claude.com/docs/en/env-vars. */
const claudeJson = movedBy('CLAUDE_CONFIG_DIR', [], '.claude.json');

export const agentPrograms: readonly AgentProgram[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    command: 'claude',
    ...CLIENTS['claude-code'],
    places: [
      jsonPlace('user', claudeJson),
      // VS Code reads it too, and does not know the variable that Claude Code would replace.
      jsonPlace('project', inProject('.mcp.json')),
      {
        ...jsonPlace('local', (machine, join) => (machine.folder ? claudeJson(machine, join) : [])),
        path: ({ folder = '' }) => ['projects', claudeProject(folder), 'mcpServers'],
      },
    ],
    hooks: sharedHooks('claude-code', filesBy(movedBy('CLAUDE_CONFIG_DIR', ['.claude'], 'settings.json'))),
    skills: filesBy(movedBy('CLAUDE_CONFIG_DIR', ['.claude'], 'skills')),
    languageServers: claudeLanguageServers((...names) =>
      filesBy(movedBy('CLAUDE_CONFIG_DIR', ['.claude'], ...names)),
    ),
    add: mcpAdd('claude', '--'),
  },
  {
    // codex-rs/core/src/config. Codex passes hardly any variables to servers, so `env_vars` requests the one with the window id.
    // VS Code asks before tools change anything, so Codex need not ask too; `codex exec` cannot ask and would refuse them.
    id: 'codex',
    name: 'Codex',
    command: 'codex',
    ...CLIENTS.codex,
    places: [place('user', toml, movedBy('CODEX_HOME', ['.codex'], 'config.toml'), 'mcp_servers')],
    hooks: sharedHooks('codex', filesBy(movedBy('CODEX_HOME', ['.codex'], 'hooks.json'))),
    skills: sharedSkills,
    entry: ({ command, args, env }) => ({
      command,
      args,
      env_vars: [WINDOW_VARIABLE],
      ...withoutEmpty({ env }),
      tool_timeout_sec: TOOL_TIMEOUT,
      default_tools_approval_mode: 'approve',
    }),
    limit: { usual: 60, field: 'tool_timeout_sec' },
  },
  {
    id: 'cursor',
    name: 'Cursor',
    command: 'cursor',
    ...CLIENTS.cursor,
    isDesktop: true,
    places: [
      jsonPlace('user', inHome('.cursor', 'mcp.json')),
      shared(userHome, inProject('.cursor', 'mcp.json')),
    ],
  },
  {
    // config/config.ts merges all files.
    id: 'opencode',
    name: 'opencode',
    command: 'opencode',
    ...CLIENTS.opencode,
    places: [
      jsonPlace('user', openCodeFiles, 'mcp'),
      shared(home('{env:HOME}'), firstOf(inProject('opencode.jsonc'), inProject('opencode.json')), 'mcp'),
    ],
    hooks: openCodeHooks(
      filesBy(movedBy('XDG_CONFIG_HOME', ['.config'], 'opencode', 'plugin', `${ENTRY}.js`)),
    ),
    // It reads those of Claude Code too.
    skills: sharedSkills,
    languageServers: openCodeLanguageServers(filesBy(openCodeFiles)),
    entry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...withoutEmpty({ environment: env }),
    }),
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    command: 'gemini',
    ...CLIENTS['gemini-cli'],
    places: [jsonPlace('user', geminiSettings), shared(home(), inProject('.gemini', 'settings.json'))],
    hooks: sharedHooks('gemini-cli', filesBy(geminiSettings)),
    skills: filesBy(movedBy('GEMINI_CLI_HOME', [], '.agents', 'skills')),
    add: mcpAdd('gemini'),
    limit: { usual: 600, field: 'timeout', unit: 1000 },
  },
  {
    // docs.github.com, "Copilot CLI configuration directory".
    id: 'copilot-cli',
    name: 'Copilot CLI',
    command: 'copilot',
    ...CLIENTS['copilot-cli'],
    places: [jsonPlace('user', movedBy('COPILOT_HOME', ['.copilot'], 'mcp-config.json'))],
    hooks: copilotHooks(filesBy(movedBy('COPILOT_HOME', ['.copilot'], 'hooks', `${ENTRY}.json`))),
    skills: sharedSkills,
    languageServers: copilotLanguageServers(
      filesBy(movedBy('COPILOT_HOME', ['.copilot'], 'lsp-config.json')),
    ),
    entry: (server) => ({ type: 'local', ...stdio(server), tools: ['*'] }),
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    command: 'qwen',
    ...CLIENTS['qwen-code'],
    places: [jsonPlace('user', qwenSettings), shared(home(), inProject('.qwen', 'settings.json'))],
    hooks: sharedHooks('qwen-code', filesBy(qwenSettings)),
    skills: sharedSkills,
    add: mcpAdd('qwen'),
    limit: { usual: 600, field: 'timeout', unit: 1000 },
  },
  {
    // Its SDK has the file in ~/.cline; older versions in VS Code's storage (src/core/storage/disk.ts).
    id: 'cline',
    name: 'Cline',
    ...CLIENTS.cline,
    isDesktop: true,
    places: [
      jsonPlace(
        'user',
        firstOf(
          inHome('.cline', 'data', 'settings', 'cline_mcp_settings.json'),
          inUserData('globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
        ),
      ),
    ],
    entry: (server) => ({ ...stdio(server), timeout: TOOL_TIMEOUT }),
    limit: { usual: 60, field: 'timeout' },
  },
  {
    // src/services/mcp/McpHub.ts.
    id: 'roo-code',
    name: 'Roo Code',
    ...CLIENTS['roo-code'],
    isDesktop: true,
    places: [
      jsonPlace(
        'user',
        inUserData('globalStorage', 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json'),
      ),
      jsonPlace('project', inProject('.roo', 'mcp.json')),
    ],
    entry: (server) => ({ ...stdio(server), timeout: TOOL_TIMEOUT }),
    limit: { usual: 60, field: 'timeout' },
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    ...CLIENTS['claude-desktop'],
    isDesktop: true,
    places: [jsonPlace('user', inAppData('Claude', 'claude_desktop_config.json'))],
    // github.com/anthropics/claude-code/issues/22542.
    limit: { usual: 60 },
  },
  {
    id: 'vscode',
    name: 'VS Code',
    ...CLIENTS.vscode,
    isDesktop: true,
    places: [
      jsonPlace(
        'user',
        (machine, join) => (machine.isRemote ? [] : inUserData('mcp.json')(machine, join)),
        'servers',
      ),
      shared(userHome, inProject('.vscode', 'mcp.json'), 'servers'),
    ],
    entry: (server) => ({ type: 'stdio', ...stdio(server) }),
  },
  {
    // docs.windsurf.com/windsurf/cascade/mcp.
    id: 'windsurf',
    name: 'Windsurf',
    command: 'windsurf',
    ...CLIENTS.windsurf,
    isDesktop: true,
    places: [jsonPlace('user', inHome('.codeium', 'windsurf', 'mcp_config.json'))],
  },
  {
    // crates/paths/src/paths.rs, docs/src/ai/mcp.md.
    id: 'zed',
    name: 'Zed',
    command: 'zed',
    ...CLIENTS.zed,
    isDesktop: true,
    places: [
      jsonPlace(
        'user',
        (machine, join) =>
          machine.platform === 'darwin'
            ? inHome('.config', 'zed', 'settings.json')(machine, join)
            : inConfig(['Zed', 'settings.json'], ['zed', 'settings.json'])(machine, join),
        'context_servers',
      ),
    ],
    entry: (server) => ({ source: 'custom', ...stdio(server) }),
  },
  {
    // junie.jetbrains.com/docs/junie-cli-mcp-configuration.html.
    id: 'junie',
    name: 'Junie',
    command: 'junie',
    ...CLIENTS.junie,
    isDesktop: true,
    places: [
      jsonPlace('user', inHome('.junie', 'mcp', 'mcp.json')),
      jsonPlace('project', inProject('.junie', 'mcp', 'mcp.json')),
    ],
  },
  {
    // core/context/mcp/json/loadJsonMcpConfigs.ts: each JSON file of the folder, so this one is our own.
    id: 'continue',
    name: 'Continue',
    ...CLIENTS.continue,
    isDesktop: true,
    places: [
      jsonPlace('user', movedBy('CONTINUE_GLOBAL_DIR', ['.continue'], 'mcpServers', `${ENTRY}.json`)),
      jsonPlace('project', inProject('.continue', 'mcpServers', `${ENTRY}.json`)),
    ],
  },
];
