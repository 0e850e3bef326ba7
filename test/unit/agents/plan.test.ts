import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlan } from '../../../src/agents/applyPlan.ts';
import { examine } from '../../../src/agents/examine.ts';
import type { Launch } from '../../../src/agents/launch.ts';
import { backupOf, planToConfigure, planToRemove } from '../../../src/agents/plan.ts';
import type { Machine, Target } from '../../../src/agents/program.ts';
import { UserError } from '../../../src/core/errors.ts';
import { itWithLinks, removeTemporary } from '../../temporary.ts';
import { makeMachine, targetOf } from './machine.ts';

const variable = (name: string) => `$\{${name}}`;

describe('agents/plan: plans', () => {
  let machine: Machine;
  let launch: Launch;
  beforeEach(() => {
    ({ machine, launch } = makeMachine());
  });
  afterEach(() => removeTemporary(machine.home));

  const fileOf = ({ place }: Target) => place.files(machine).at(-1) ?? '';
  const configure = async (target: Target) => applyPlan(await planToConfigure(target, launch, machine));
  const remove = async (target: Target) => applyPlan(await planToRemove(target, launch, machine));
  const stateOf = async (target: Target) => (await examine(target, launch, machine))?.state;
  const put = (target: Target, text: string) => {
    mkdirSync(dirname(fileOf(target)), { recursive: true });
    writeFileSync(fileOf(target), text);
  };
  const textOf = (target: Target) => readFileSync(fileOf(target), 'utf8');
  const claude = targetOf('claude-code');
  const codex = targetOf('codex');

  it('make a file that is missing, with its folders, and remove them', async () => {
    const target = targetOf('junie');
    await configure(target);
    assert.ok(!existsSync(backupOf(fileOf(target))));
    await remove(target);
    assert.ok(!existsSync(join(machine.home, '.junie')));
  });

  it('keep a backup until the entry is removed', async () => {
    put(claude, '{ "a": 1 }\n');
    await configure(claude);
    assert.equal(readFileSync(backupOf(fileOf(claude)), 'utf8'), '{ "a": 1 }\n');
    await remove(claude);
    assert.ok(!existsSync(backupOf(fileOf(claude))));
  });

  it('change nothing where the entry is right', async () => {
    await configure(claude);
    const plan = await planToConfigure(claude, launch, machine);
    assert.equal(plan.after, plan.before);
  });

  it('remove the entry from a file that another program has written anew', async () => {
    put(claude, '{"numStartups":1}');
    await configure(claude);
    put(claude, JSON.stringify({ ...JSON.parse(textOf(claude)), numStartups: 2 }, null, 4));
    await remove(claude);
    assert.equal(textOf(claude), '{\n    "numStartups": 2\n}');
  });

  it('keep empty objects that were there before', async () => {
    put(claude, '{"mcpServers":{}}');
    await configure(claude);
    put(claude, JSON.stringify({ ...JSON.parse(textOf(claude)), b: 1 }));
    await remove(claude);
    assert.equal(textOf(claude), '{"mcpServers":{},"b":1}');
  });

  it('remove a file that was made for the entry, also if it was written anew', async () => {
    await configure(claude);
    put(claude, JSON.stringify(JSON.parse(textOf(claude))));
    await remove(claude);
    assert.ok(!existsSync(fileOf(claude)));
  });

  it('keep what the user has added to the entry', async () => {
    await configure(codex);
    const old = textOf(codex)
      .replace('shim.js"]', 'shim.js", "--workspace", "/a"]')
      .replace('600', '1200')
      .concat('[mcp_servers.workspace-mcp.env]\nMINE = "1"\n');
    put(codex, old);
    assert.equal(await stateOf(codex), 'configured');
    launch = { ...launch, env: { WORKSPACE_MCP_HOME: '/elsewhere' } };
    assert.equal(await stateOf(codex), 'outdated');
    await configure(codex);
    assert.match(textOf(codex), /shim\.js", "--workspace", "\/a"\]/);
    assert.match(textOf(codex), /tool_timeout_sec = 1200/);
    assert.match(textOf(codex), /env = \{ MINE = "1", WORKSPACE_MCP_HOME = "\/elsewhere" \}/);
    assert.equal(await stateOf(codex), 'configured');
  });

  it('find an entry under another name, and repair it there', async () => {
    const old = '/gone/.workspace-mcp/shim.js';
    put(claude, JSON.stringify({ mcpServers: { editor: { command: 'node', args: [old] } } }));
    const found = await examine(claude, launch, machine);
    assert.deepEqual(
      [found?.state, found?.name, found?.problem],
      ['broken', 'editor', `${old} does not exist.`],
    );
    await configure(claude);
    assert.deepEqual(JSON.parse(textOf(claude)).mcpServers, {
      editor: { command: 'node', args: [launch.shim] },
    });
  });

  it('repair an entry whose Node.js has gone', async () => {
    put(
      claude,
      JSON.stringify({ mcpServers: { 'workspace-mcp': { command: '/gone/node', args: [launch.shim] } } }),
    );
    assert.equal(await stateOf(claude), 'broken');
    await configure(claude);
    assert.equal(JSON.parse(textOf(claude)).mcpServers['workspace-mcp'].command, 'node');
  });

  it('keep the entry of another server that has our name', async () => {
    const other = { command: 'npx', args: ['other'] };
    const text = JSON.stringify({ mcpServers: { 'workspace-mcp': other } });
    put(claude, text);
    assert.equal(await stateOf(claude), 'absent');
    await remove(claude);
    assert.equal(textOf(claude), text);
    await configure(claude);
    assert.equal(await stateOf(claude), 'configured');
    assert.deepEqual(JSON.parse(textOf(claude)).mcpServers, {
      'workspace-mcp': other,
      'workspace-mcp-vscode': { command: 'node', args: [launch.shim] },
    });
    await remove(claude);
    assert.equal(textOf(claude), text);
  });

  for (const [id, text, line] of [
    ['claude-code', '{\n  "a": 1\n  "b": 2\n}', 3],
    ['codex', 'a = 1\n[b\n', 2],
    ['goose', 'a: 1\nb: [1\nc: 2\n', 3],
  ] as const) {
    it(`refuse ${id}'s file where it is not valid, with the line`, async () => {
      const target = targetOf(id);
      put(target, text);
      assert.equal(await stateOf(target), 'unreadable');
      await assert.rejects(planToConfigure(target, launch, machine), (error: Error) => {
        assert.ok(error instanceof UserError);
        assert.match(error.message, new RegExp(`line ${line}:`));
        return true;
      });
    });
  }

  for (const [id, text] of [
    ['claude-code', '{ "mcpServers": [] }'],
    ['claude-code', '{ "mcpServers": {}, "mcpServers": { "a": {} } }'],
    ['claude-code', '[]'],
    ['codex', 'mcp_servers = { a = { command = "a" } }\n'],
    ['goose', 'extensions: { a: { cmd: a } }\n'],
  ] as const) {
    it(`refuse ${id}'s file where an edit would change more: ${text.trim()}`, async () => {
      put(targetOf(id), text);
      await assert.rejects(planToConfigure(targetOf(id), launch, machine), /edited safely/);
      assert.equal(textOf(targetOf(id)), text);
    });
  }

  it('refuse a file that is not UTF-8', async () => {
    put(claude, '');
    writeFileSync(fileOf(claude), Buffer.from('{"a":"\xe4"}', 'latin1'));
    await assert.rejects(planToConfigure(claude, launch, machine), /UTF-8/);
  });

  it('are not applied to a file that has changed since', async () => {
    put(claude, '{}');
    const plan = await planToConfigure(claude, launch, machine);
    put(claude, '{"a":1}');
    await assert.rejects(applyPlan(plan), /changed meanwhile/);
    rmSync(fileOf(claude));
    await assert.rejects(applyPlan(plan), /changed meanwhile/);
  });

  it('are not applied to a file that is read-only', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip(); // root may write all files
    put(claude, '{}');
    chmodSync(fileOf(claude), 0o444);
    await assert.rejects(configure(claude), /read-only/);
    assert.equal(textOf(claude), '{}');
  });

  it('keep the mode of a file', async function () {
    if (process.platform === 'win32') this.skip();
    put(claude, '{}');
    chmodSync(fileOf(claude), 0o620);
    await configure(claude);
    assert.equal(statSync(fileOf(claude)).mode & 0o777, 0o620);
  });

  itWithLinks('follow a link, and keep it', async () => {
    const real = join(machine.home, 'dotfiles.json');
    writeFileSync(real, '{}');
    symlinkSync(real, fileOf(claude));
    await configure(claude);
    assert.ok(lstatSync(fileOf(claude)).isSymbolicLink());
    assert.match(readFileSync(real, 'utf8'), /workspace-mcp/);
    await remove(claude);
    assert.equal(readFileSync(real, 'utf8'), '{}');
  });

  itWithLinks('refuse a link to nothing', async () => {
    symlinkSync(join(machine.home, 'nothing'), fileOf(claude));
    await assert.rejects(configure(claude), /link/);
  });

  for (const [id, home] of [
    ['gemini-cli', variable('HOME')],
    ['opencode', '{env:HOME}'],
    ['cursor', variable('userHome')],
    ['vscode', variable('userHome')],
  ] as const) {
    it(`write an entry of ${id} that others can use into the file of a project`, async () => {
      machine = { ...machine, platform: 'linux' };
      const target = targetOf(id, 'project');
      await configure(target);
      const text = textOf(target);
      assert.ok(text.includes(`"${home}/.workspace-mcp/shim.js"`), text);
      assert.ok(!text.includes(machine.home) && !text.includes(process.execPath), text);
      assert.equal(await stateOf(target), 'configured');
      rmSync(launch.shim);
      assert.equal(await stateOf(target), 'broken');
    });
  }

  it('write the paths of this machine where others could not use the entry', async () => {
    const target = targetOf('gemini-cli', 'project');
    const moved = { ...launch, env: { WORKSPACE_MCP_HOME: '/elsewhere' } };
    for (const { after } of [
      await planToConfigure(target, launch, { ...machine, platform: 'win32' }),
      await planToConfigure(target, moved, { ...machine, platform: 'linux' }),
      await planToConfigure(targetOf('claude-code', 'project'), launch, machine),
    ])
      assert.ok(after?.includes(JSON.stringify(launch.shim)), after);
  });

  it('of the local scope are for one project', async () => {
    const local = targetOf('claude-code', 'local');
    put(local, '{ "projects": { "/other": {} } }');
    await configure(local);
    assert.equal(await stateOf(claude), 'absent');
    const { folder = '' } = machine;
    const { projects } = JSON.parse(textOf(local));
    assert.deepEqual(projects[folder.replaceAll('\\', '/')], {
      mcpServers: { 'workspace-mcp': { command: 'node', args: [launch.shim] } },
    });
    await remove(local);
    assert.equal(textOf(local), '{ "projects": { "/other": {} } }');
  });
});
