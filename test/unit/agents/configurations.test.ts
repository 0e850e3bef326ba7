import assert from 'node:assert/strict';
import { agentConfigurations } from '../../../src/agents/configurations.ts';
import type { Launch } from '../../../src/agents/program.ts';
import { agentPrograms } from '../../../src/agents/programs.ts';
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

describe('agents/configurations', () => {
  it('are there for every agent, those with several ways more than once', () => {
    const [files, commands] = [true, false].map((isFile) =>
      all(usual).filter(({ file }) => !file !== isFile),
    );
    assert.equal(commands?.map(({ agent }) => agent).join(), 'Claude Code,Gemini CLI,Qwen Code,');
    const allAgents = files?.map(({ agent }) => agent);
    const withHooks = agentPrograms.flatMap(({ name, hooks }) => (hooks ? [name, name] : [name]));
    assert.deepEqual(allAgents, [...withHooks, 'Goose', '']);
  });

  it('the hooks of an agent are a text of their own, as Connect Agent writes them', () => {
    const of = (name: string) =>
      all(usual)
        .filter(({ agent, file }) => agent === name && file)
        .at(-1);
    const codex = of('Codex');
    assert.equal(codex?.file, '~/.codex/hooks.json');
    const [group] = JSON.parse(codex.text).hooks.Stop;
    const command = `node ${usual.shim} hook codex Stop`;
    assert.deepEqual(group, { hooks: [{ type: 'command', command, timeout: 5 }] });
    assert.equal(JSON.parse(of('Claude Code')?.text ?? '').hooks.Stop[0].hooks[0].server, 'workspace-mcp');
    assert.match(of('opencode')?.text ?? '', /^export const WorkspaceMcp/m);
  });

  it('are short in the usual case', () => {
    const { shim } = usual;
    const shown = textFor(usual, 'Claude Code', true);
    assert.equal(shown, `claude mcp add --scope user workspace-mcp -- node ${shim}`);
    assert.equal(textFor(usual, '', true), `node ${shim}`);
    const toml = textFor(usual, 'Codex', false);
    assert.equal(toml.split('\n', 2).join(), '[mcp_servers.workspace-mcp],command = "node"');
  });

  it('are commands with spaces, quotes and variables as a shell takes them', () => {
    const server = `--scope user workspace-mcp -- '/opt/VS Code (x)/code' '/it'\\''s $HOME/shim.js'`;
    const variables = `--env ELECTRON_RUN_AS_NODE=1 --env 'WORKSPACE_MCP_HOME=/it'\\''s $HOME'`;
    assert.equal(textFor(awkward, 'Claude Code', true), `claude mcp add ${variables} ${server}`);
    for (const [name, program] of Object.entries({ 'Gemini CLI': 'gemini', 'Qwen Code': 'qwen' }))
      assert.equal(
        textFor(awkward, name, true),
        `${program} mcp add ${variables} ${server.replace('-- ', '')}`,
      );
  });

  it('the JSON has command, arguments and variables, for a desktop with the whole path', () => {
    const { command, shim, env } = awkward;
    const server = { command, args: [shim], env };
    const { mcp } = JSON.parse(textFor(awkward, 'opencode', false));
    assert.deepEqual(mcp['workspace-mcp'].environment, env);
    assert.deepEqual(JSON.parse(textFor(awkward, '', false)).mcpServers, { 'workspace-mcp': server });
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

  it('the YAML of Goose has its values as JSON, and a limit that is long enough', () => {
    const yaml = textFor(awkward, 'Goose', false).split('\n');
    assert.deepEqual(yaml.slice(0, 3), ['extensions:', '  workspace-mcp:', '    enabled: true']);
    assert.ok(yaml.includes(`    args: ["/it's $HOME/shim.js"]`));
    assert.ok(yaml.includes(`    envs: ${JSON.stringify(awkward.env)}`));
    assert.equal(yaml.at(-1), '    timeout: 600');
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
