import assert from 'node:assert/strict';
import type { Machine } from '../../../src/agents/program.ts';
import { agentPrograms } from '../../../src/agents/programs.ts';
import { WINDOW_VARIABLE } from '../../../src/ipc/windowRecord.ts';

const l10n = { t: String };
const machines: Record<'linux' | 'darwin' | 'win32', Machine> = {
  linux: {
    platform: 'linux',
    env: {},
    home: '/home/me',
    folder: '/ws',
    userData: '/home/me/.config/Code/User',
    l10n,
  },
  darwin: {
    platform: 'darwin',
    env: {},
    home: '/Users/me',
    folder: '/ws',
    userData: '/Users/me/Library/Application Support/Code/User',
    l10n,
  },
  win32: {
    platform: 'win32',
    env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' },
    home: 'C:\\Users\\me',
    folder: 'C:\\ws',
    userData: 'C:\\Users\\me\\AppData\\Roaming\\Code\\User',
    l10n,
  },
};

/** The file that would be made in each place, with `~` for the home directory and `/` on all systems. */
function filesOf(id: string, machine: Machine): string[] {
  const program = agentPrograms.find((one) => one.id === id);
  const files = program?.places.flatMap(({ files }) => files(machine).at(-1) ?? []) ?? [];
  return files.map((file) => file.replace(machine.home, '~').replaceAll('\\', '/').replace(/^C:/, ''));
}

/** What a row says: the files, if they are the same on all systems, and else on each; variables that move the first. */
interface Expected {
  files: string[] | Record<keyof typeof machines, string[]>;
  moved?: Record<string, string>;
  path: string[];
  entry: object;
}

const start = { command: 'node', args: ['/shim.js'], env: { A: 'b' } };
const rows: Record<string, Expected> = {
  'claude-code': {
    files: ['~/.claude.json', '/ws/.mcp.json', '~/.claude.json'],
    moved: { CLAUDE_CONFIG_DIR: '/x/.claude.json' },
    path: ['mcpServers'],
    entry: start,
  },
  codex: {
    files: ['~/.codex/config.toml'],
    moved: { CODEX_HOME: '/x/config.toml' },
    path: ['mcp_servers'],
    entry: {
      ...start,
      env_vars: [WINDOW_VARIABLE],
      tool_timeout_sec: 600,
      default_tools_approval_mode: 'approve',
    },
  },
  cursor: { files: ['~/.cursor/mcp.json', '/ws/.cursor/mcp.json'], path: ['mcpServers'], entry: start },
  opencode: {
    files: ['~/.config/opencode/opencode.json', '/ws/opencode.json'],
    moved: { XDG_CONFIG_HOME: '/x/opencode/opencode.json' },
    path: ['mcp'],
    entry: { type: 'local', command: ['node', '/shim.js'], environment: { A: 'b' } },
  },
  'gemini-cli': {
    files: ['~/.gemini/settings.json', '/ws/.gemini/settings.json'],
    moved: { GEMINI_CLI_HOME: '/x/.gemini/settings.json' },
    path: ['mcpServers'],
    entry: start,
  },
  'copilot-cli': {
    files: ['~/.copilot/mcp-config.json'],
    moved: { COPILOT_HOME: '/x/mcp-config.json' },
    path: ['mcpServers'],
    entry: { type: 'local', ...start, tools: ['*'] },
  },
  'qwen-code': {
    files: ['~/.qwen/settings.json', '/ws/.qwen/settings.json'],
    path: ['mcpServers'],
    entry: start,
  },
  cline: {
    files: inUserData('saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
    path: ['mcpServers'],
    entry: { ...start, timeout: 600 },
  },
  'roo-code': {
    files: inUserData('rooveterinaryinc.roo-cline/settings/mcp_settings.json', '/ws/.roo/mcp.json'),
    path: ['mcpServers'],
    entry: { ...start, timeout: 600 },
  },
  'claude-desktop': {
    files: {
      linux: ['~/.config/Claude/claude_desktop_config.json'],
      darwin: ['~/Library/Application Support/Claude/claude_desktop_config.json'],
      win32: ['~/AppData/Roaming/Claude/claude_desktop_config.json'],
    },
    path: ['mcpServers'],
    entry: start,
  },
  vscode: {
    files: {
      linux: ['~/.config/Code/User/mcp.json', '/ws/.vscode/mcp.json'],
      darwin: ['~/Library/Application Support/Code/User/mcp.json', '/ws/.vscode/mcp.json'],
      win32: ['~/AppData/Roaming/Code/User/mcp.json', '/ws/.vscode/mcp.json'],
    },
    path: ['servers'],
    entry: { type: 'stdio', ...start },
  },
  windsurf: { files: ['~/.codeium/windsurf/mcp_config.json'], path: ['mcpServers'], entry: start },
  zed: {
    files: {
      linux: ['~/.config/zed/settings.json'],
      darwin: ['~/.config/zed/settings.json'],
      win32: ['~/AppData/Roaming/Zed/settings.json'],
    },
    moved: { XDG_CONFIG_HOME: '/x/zed/settings.json' },
    path: ['context_servers'],
    entry: { source: 'custom', ...start },
  },
  junie: { files: ['~/.junie/mcp/mcp.json', '/ws/.junie/mcp/mcp.json'], path: ['mcpServers'], entry: start },
  goose: {
    files: {
      linux: ['~/.config/goose/config.yaml'],
      darwin: ['~/.config/goose/config.yaml'],
      win32: ['~/AppData/Roaming/Block/goose/config/config.yaml'],
    },
    moved: { GOOSE_PATH_ROOT: '/x/config/config.yaml', XDG_CONFIG_HOME: '/x/goose/config.yaml' },
    path: ['extensions'],
    entry: {
      enabled: true,
      type: 'stdio',
      name: 'workspace-mcp',
      description: '',
      cmd: 'node',
      args: ['/shim.js'],
      envs: { A: 'b' },
      timeout: 600,
    },
  },
  continue: {
    files: ['~/.continue/mcpServers/workspace-mcp.json', '/ws/.continue/mcpServers/workspace-mcp.json'],
    moved: { CONTINUE_GLOBAL_DIR: '/x/mcpServers/workspace-mcp.json' },
    path: ['mcpServers'],
    entry: start,
  },
};

/** Of an extension of VS Code. */
function inUserData(file: string, ...others: string[]): Record<keyof typeof machines, string[]> {
  const of = (userData: string) => [`${userData}/globalStorage/${file}`, ...others];
  return {
    linux: of('~/.config/Code/User'),
    darwin: of('~/Library/Application Support/Code/User'),
    win32: of('~/AppData/Roaming/Code/User'),
  };
}

describe('agents/programs', () => {
  it('has a test of each row', () =>
    assert.deepEqual(
      agentPrograms.map(({ id }) => id),
      Object.keys(rows),
    ));

  it('has no name twice', () =>
    assert.equal(new Set(agentPrograms.map(({ name }) => name)).size, agentPrograms.length));

  for (const { id, places, entry } of agentPrograms) {
    it(id, () => {
      const expected = rows[id];
      assert.ok(expected);
      for (const [platform, machine] of Object.entries(machines)) {
        const all: string[] = Array.isArray(expected.files)
          ? expected.files
          : expected.files[platform as keyof typeof machines];
        assert.deepEqual(filesOf(id, machine), all, platform);
        const { folder: _, ...without } = machine;
        assert.ok(places.every(({ scope, files }) => scope === 'user' || files(without).length === 0));
      }
      for (const [variable, file] of Object.entries(expected.moved ?? {}))
        assert.equal(filesOf(id, { ...machines.linux, env: { [variable]: '/x' } })[0], file, variable);
      assert.deepEqual(places[0].path(machines.linux), expected.path);
      assert.deepEqual(entry(start), expected.entry);
    });
  }

  it('have no empty variables in their entries, where that is the default', () => {
    for (const { id, entry } of agentPrograms)
      if (id !== 'goose') assert.ok(!/"env\w*":\{/.test(JSON.stringify(entry({ ...start, env: {} }))), id);
  });

  it("Claude Code's local scope is of the folder, with slashes on Windows too", () => {
    const [, , local] = agentPrograms[0]?.places ?? [];
    assert.deepEqual(local?.path(machines.win32), ['projects', 'C:/ws', 'mcpServers']);
  });

  for (const [id, name] of [
    ['claude-code', 'claude-code'],
    ['codex', 'codex-mcp-client'],
    ['opencode', 'opencode'],
    ['gemini-cli', 'gemini-cli-mcp-client'],
    ['vscode', 'Visual Studio Code'],
  ] as const) {
    it(`${id} calls itself ${name}`, () =>
      assert.deepEqual(
        agentPrograms.filter(({ client }) => client.test(name)).map((one) => one.id),
        [id],
      ));
  }
});
