import assert from 'node:assert/strict';
import { type Machine, stdio } from '../../../src/agents/program.ts';
import { agentPrograms } from '../../../src/agents/programs.ts';
import { WINDOW_VARIABLE } from '../../../src/ipc/windowRecord.ts';

const machineOf = (platform: NodeJS.Platform, home: string, data: string, more = {}) => ({
  DATA: `~${data.replaceAll('\\', '/')}`,
  machine: {
    platform,
    env: {},
    home,
    folder: '/ws',
    l10n: { t: String },
    userData: `${home}${data}/Code/User`,
    ...more,
  },
});
const WINDOWS = { folder: 'C:\\ws', env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' } };
const linux = machineOf('linux', '/home/me', '/.config');
const win32 = machineOf('win32', 'C:\\Users\\me', '\\AppData\\Roaming', WINDOWS);
const machines = [linux, win32, machineOf('darwin', '/Users/me', '/Library/Application Support')];

/** The file that would be made in each place, with `~` for the home directory and `/` on all systems. */
function filesOf(id: string, machine: Machine): string[] {
  const program = agentPrograms.find((one) => one.id === id);
  const files = program?.places.flatMap(({ files }) => files(machine).at(-1) ?? []) ?? [];
  return files.map((file) => shown(file, machine));
}

const shown = (file: string, { home }: Machine): string =>
  file.replace(home, '~').replaceAll('\\', '/').replace(/^C:/, '');

interface Expected {
  /** DATA stands for where the system keeps data. */
  files: string[];
  onWindows?: string;
  /** Variables that move the first. */
  moved?: Record<string, string>;
  /** If it is not `mcpServers`. */
  key?: string;
  /** If it is not just how the server starts. */
  entry?: object;
  /** The file of hooks, and where the variable has moved it. */
  hooks?: [file: string, moved?: string];
  /** The folder of skills, and where the variable has moved it. */
  skills?: [folder: string, moved?: string];
  /** The first file of language servers that is not in our folder, and where the variable has moved it. */
  languageServers?: [file: string, moved?: string];
}

const launch = { command: 'node', program: '/node', shim: '/shim.js', env: {}, isOwn: false };
const start = { command: 'node', args: ['/shim.js'], env: { A: 'b' } };
const rows: Record<string, Expected> = {
  'claude-code': {
    files: ['~/.claude.json', '/ws/.mcp.json', '~/.claude.json'],
    moved: { CLAUDE_CONFIG_DIR: '/x/.claude.json' },
    hooks: ['~/.claude/settings.json', '/x/settings.json'],
    skills: ['~/.claude/skills', '/x/skills'],
    languageServers: ['~/.claude/settings.json', '/x/settings.json'],
  },
  codex: {
    files: ['~/.codex/config.toml'],
    moved: { CODEX_HOME: '/x/config.toml' },
    hooks: ['~/.codex/hooks.json', '/x/hooks.json'],
    skills: ['~/.agents/skills'],
    key: 'mcp_servers',
    entry: {
      ...start,
      env_vars: [WINDOW_VARIABLE],
      tool_timeout_sec: 600,
      default_tools_approval_mode: 'approve',
    },
  },
  cursor: { files: ['~/.cursor/mcp.json', '/ws/.cursor/mcp.json'] },
  opencode: {
    files: ['~/.config/opencode/opencode.json', '/ws/opencode.json'],
    moved: { XDG_CONFIG_HOME: '/x/opencode/opencode.json' },
    hooks: ['~/.config/opencode/plugin/workspace-mcp.js', '/x/opencode/plugin/workspace-mcp.js'],
    skills: ['~/.agents/skills'],
    languageServers: ['~/.config/opencode/opencode.jsonc', '/x/opencode/opencode.jsonc'],
    key: 'mcp',
    entry: { type: 'local', command: ['node', '/shim.js'], environment: { A: 'b' } },
  },
  'gemini-cli': {
    files: ['~/.gemini/settings.json', '/ws/.gemini/settings.json'],
    moved: { GEMINI_CLI_HOME: '/x/.gemini/settings.json' },
    hooks: ['~/.gemini/settings.json', '/x/.gemini/settings.json'],
    skills: ['~/.agents/skills', '/x/.agents/skills'],
  },
  'copilot-cli': {
    files: ['~/.copilot/mcp-config.json'],
    moved: { COPILOT_HOME: '/x/mcp-config.json' },
    hooks: ['~/.copilot/hooks/workspace-mcp.json', '/x/hooks/workspace-mcp.json'],
    skills: ['~/.agents/skills'],
    languageServers: ['~/.copilot/lsp-config.json', '/x/lsp-config.json'],
    entry: { type: 'local', ...start, tools: ['*'] },
  },
  'qwen-code': {
    files: ['~/.qwen/settings.json', '/ws/.qwen/settings.json'],
    hooks: ['~/.qwen/settings.json'],
    skills: ['~/.agents/skills'],
  },
  cline: {
    files: ['DATA/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'],
    entry: { ...start, timeout: 600 },
  },
  'roo-code': {
    files: [
      'DATA/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      '/ws/.roo/mcp.json',
    ],
    entry: { ...start, timeout: 600 },
  },
  'claude-desktop': { files: ['DATA/Claude/claude_desktop_config.json'] },
  vscode: {
    files: ['DATA/Code/User/mcp.json', '/ws/.vscode/mcp.json'],
    key: 'servers',
    entry: { type: 'stdio', ...start },
  },
  windsurf: { files: ['~/.codeium/windsurf/mcp_config.json'] },
  zed: {
    files: ['~/.config/zed/settings.json'],
    onWindows: 'DATA/Zed/settings.json',
    moved: { XDG_CONFIG_HOME: '/x/zed/settings.json' },
    key: 'context_servers',
    entry: { source: 'custom', ...start },
  },
  junie: { files: ['~/.junie/mcp/mcp.json', '/ws/.junie/mcp/mcp.json'] },
  continue: {
    files: ['~/.continue/mcpServers/workspace-mcp.json', '/ws/.continue/mcpServers/workspace-mcp.json'],
    moved: { CONTINUE_GLOBAL_DIR: '/x/mcpServers/workspace-mcp.json' },
  },
};

describe('agents/programs', () => {
  it('has a test of each row, and no name twice', () => {
    const ids = agentPrograms.map(({ id }) => id);
    assert.deepEqual(ids, Object.keys(rows));
    assert.equal(new Set(agentPrograms.map(({ name }) => name)).size, agentPrograms.length);
  });

  for (const { id, places, entry } of agentPrograms)
    it(id, () => {
      const expected = rows[id];
      assert.ok(expected);
      for (const { machine, DATA } of machines) {
        const { files, onWindows }: Expected = expected;
        const all: string[] = onWindows && machine.platform === 'win32' ? [onWindows] : files;
        assert.deepEqual(
          filesOf(id, machine),
          all.map((file) => file.replace('DATA', DATA)),
        );
        const { folder: _, ...without } = machine;
        assert.ok(places.every(({ scope, files }) => scope === 'user' || files(without).length === 0));
      }
      for (const [variable, file] of Object.entries(expected.moved ?? {}))
        assert.equal(filesOf(id, { ...linux.machine, env: { [variable]: '/x' } })[0], file, variable);
      assert.deepEqual(places[0].path(linux.machine), [expected.key ?? 'mcpServers']);
      assert.deepEqual((entry ?? stdio)(start), expected.entry ?? start);
    });

  for (const program of agentPrograms)
    for (const what of ['hooks', 'skills', 'languageServers'] as const)
      it(`${program.id}: ${what}`, () => {
        const { [what]: [file, movedFile] = [], moved = {} } = rows[program.id] ?? {};
        const filesOn = (machine: Machine) => {
          const ofServers = program.languageServers?.flatMap((one) => one.files(machine, launch)) ?? [];
          const all = {
            hooks: program.hooks?.files(machine),
            skills: program.skills?.(machine),
            languageServers: ofServers.filter((one) => !one.includes('marketplace.json')).slice(0, 1),
          };
          return all[what]?.map((one) => shown(one, machine)) ?? [];
        };
        for (const { machine } of machines)
          assert.deepEqual(filesOn(machine), file === undefined ? [] : [file]);
        const env = Object.fromEntries(Object.keys(moved).map((variable) => [variable, '/x']));
        if (file !== undefined) assert.deepEqual(filesOn({ ...linux.machine, env }), [movedFile ?? file]);
      });

  it('have no empty variables in their entries, where that is the default', () => {
    for (const { id, entry = stdio } of agentPrograms)
      assert.ok(!/"env\w*":\{/.test(JSON.stringify(entry({ ...start, env: {} }))), id);
  });

  it("Claude Code's local scope is of the folder, with slashes on Windows too", () => {
    const [, , local] = agentPrograms[0]?.places ?? [];
    assert.deepEqual(local?.path(win32.machine), ['projects', 'C:/ws', 'mcpServers']);
  });

  it('call themselves so that one program is found', () => {
    for (const [id, name] of [
      ['claude-code', 'claude-code'],
      ['codex', 'codex-mcp-client'],
      ['opencode', 'opencode'],
      ['gemini-cli', 'gemini-cli-mcp-client'],
      ['copilot-cli', 'copilot-cli'],
      ['qwen-code', 'qwen-cli-mcp-client-workspace-mcp'],
      ['cline', '@cline/core'],
      ['vscode', 'Visual Studio Code'],
    ] as const)
      assert.deepEqual(
        agentPrograms.filter(({ client }) => client.test(name)).map((one) => one.id),
        [id],
      );
  });
});
