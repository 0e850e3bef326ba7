import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { agentConfigurations } from '../../../src/agents/configurations.ts';
import type { Launch } from '../../../src/agents/launch.ts';
import type { Shell } from '../../../src/core/shell.ts';

const usual: Launch = {
  command: 'node',
  program: '/usr/bin/node',
  shim: '/home/me/.workspace-mcp/shim.js',
  env: {},
  isOwn: false,
};
const awkward: Launch = {
  command: '/opt/VS Code (x)/code',
  program: '/opt/VS Code (x)/code',
  shim: "/it's $HOME/shim.js",
  env: { ELECTRON_RUN_AS_NODE: '1', WORKSPACE_MCP_HOME: "/it's $HOME" },
  isOwn: true,
};

const all = (launch: Launch, shell: Shell = 'posix', platform: NodeJS.Platform = 'linux') =>
  agentConfigurations(launch, shell, platform);
const textFor = (launch: Launch, agent: string, isCommand: boolean, shell: Shell = 'posix') =>
  all(launch, shell).find((it) => it.agent === agent && !it.file === isCommand)?.text ?? '';

/** The words that a shell makes of a line. */
const words = (line: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('agents/configurations', () => {
  it('are there for every agent, those with several ways more than once', () =>
    assert.deepEqual(
      [true, false].map((isCommand) =>
        all(usual)
          .filter(({ file }) => !file === isCommand)
          .map(({ agent }) => agent)
          .join(),
      ),
      [
        'Claude Code,Gemini CLI,Qwen Code,',
        'Claude Code,Codex,Cursor,opencode,Gemini CLI,Copilot CLI,Qwen Code,Cline,Roo Code,Claude Desktop,VS Code,Windsurf,Zed,Junie,Goose,Continue,',
      ],
    ));

  it('are short in the usual case', () => {
    const { shim } = usual;
    for (const [agent, line] of [
      ['Claude Code', `claude mcp add --scope user workspace-mcp -- node ${shim}`],
      ['Gemini CLI', `gemini mcp add --scope user workspace-mcp node ${shim}`],
      ['', `node ${shim}`],
    ] as const)
      assert.equal(textFor(usual, agent, true), line);
    assert.equal(
      textFor(usual, 'Codex', false),
      [
        '[mcp_servers.workspace-mcp]',
        'command = "node"',
        `args = ["${shim}"]`,
        'env_vars = ["WORKSPACE_MCP_WINDOW"]',
        'tool_timeout_sec = 600',
        'default_tools_approval_mode = "approve"',
      ].join('\n'),
    );
  });

  for (const agent of ['Claude Code', 'Qwen Code', 'Gemini CLI']) {
    it(`the command for ${agent} brings spaces, quotes and variables through a shell`, function () {
      if (process.platform === 'win32') this.skip();
      const given = words(textFor(awkward, agent, true));
      assert.deepEqual(given.slice(-2), [awkward.command, awkward.shim]);
      for (const [name, value] of Object.entries(awkward.env))
        assert.equal(given[given.indexOf(`${name}=${value}`) - 1], '--env');
      const name = given.indexOf('workspace-mcp');
      assert.equal(given[name - 2], '--scope');
    });
  }

  it('the JSON has command, arguments and variables, for a desktop with the whole path', () => {
    const { command, shim, env } = awkward;
    const server = { command, args: [shim], env };
    for (const [agent, key, entry] of [
      ['', 'mcpServers', server],
      ['VS Code', 'servers', { type: 'stdio', ...server }],
      ['opencode', 'mcp', { type: 'local', command: [command, shim], environment: env }],
    ] as const)
      assert.deepEqual(JSON.parse(textFor(awkward, agent, false))[key], { 'workspace-mcp': entry });
    for (const agent of ['Cursor', 'Claude Desktop']) {
      const { mcpServers } = JSON.parse(textFor(usual, agent, false));
      assert.deepEqual(mcpServers['workspace-mcp'], { command: usual.program, args: [usual.shim] });
    }
  });

  it('the TOML has variables with their values, and the one that Codex has to hand on', () => {
    const toml = textFor(awkward, 'Codex', false);
    assert.match(toml, /^env = \{ ELECTRON_RUN_AS_NODE = "1", WORKSPACE_MCP_HOME = "\/it's \$HOME" \}$/m);
    assert.match(toml, /^env_vars = \["WORKSPACE_MCP_WINDOW"\]$/m);
    const windows = textFor({ ...usual, shim: 'C:\\me\\shim.js' }, 'Codex', false);
    assert.match(windows, /^args = \["C:\\\\me\\\\shim\.js"\]$/m);
  });

  it('PowerShell and cmd set variables in their own ways', () => {
    const program = { command: 'C:\\VS Code\\code.exe', shim: 'C:\\me\\shim.js' };
    const launch = { ...awkward, ...program, env: { A: "it's" } };
    for (const [shell, line] of [
      ['powershell', "$env:A = 'it''s'; & 'C:\\VS Code\\code.exe' C:\\me\\shim.js"],
      ['cmd', 'set "A=it\'s" && "C:\\VS Code\\code.exe" C:\\me\\shim.js'],
    ] as const)
      assert.equal(textFor(launch, '', true, shell), line);
    assert.match(textFor(usual, 'Claude Code', true, 'powershell'), /workspace-mcp '--' node/);
  });

  it('Claude Desktop has its file where the system keeps such', () => {
    const file = (platform: NodeJS.Platform) =>
      all(usual, 'posix', platform).find(({ agent }) => agent === 'Claude Desktop')?.file;
    assert.match(file('darwin') ?? '', /^~\/Library/);
    assert.match(file('win32') ?? '', /^%APPDATA%/);
  });
});
