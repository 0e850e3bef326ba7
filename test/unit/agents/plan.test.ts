import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlans } from '../../../src/agents/applyPlans.ts';
import { examine } from '../../../src/agents/examine.ts';
import { planToConfigure } from '../../../src/agents/plan.ts';
import { backupOf } from '../../../src/agents/planFor.ts';
import type { Target } from '../../../src/agents/program.ts';
import { realPathOf } from '../../../src/util/diskPaths.ts';
import { itWithLinks, removeTemporary } from '../../temporary.ts';
import { makeMachine, type TestMachine, targetOf } from './machine.ts';

const variable = (name: string) => `$\{${name}}`;

describe('agents/plan: plans', () => {
  let made: TestMachine;
  beforeEach(() => {
    made = makeMachine();
  });
  afterEach(() => removeTemporary(made.machine.home));

  const fileOf = (target: Target) => made.fileOf(target);
  const configure = (target: Target) => made.configure(target);
  const remove = (target: Target) => made.remove(target);
  const planned = (target: Target) => planToConfigure(target, made.launch, made.machine);
  const stateOf = async (target: Target) => (await examine(target, made.launch, made.machine))?.state;
  const put = (target: Target, text: string | Buffer) => {
    mkdirSync(dirname(fileOf(target)), { recursive: true });
    writeFileSync(fileOf(target), text);
  };
  const textOf = (target: Target) => readFileSync(fileOf(target), 'utf8');
  const claude = targetOf('claude-code');
  const codex = targetOf('codex');

  it('make a file that is missing, with its folders, and remove them, also if it was written anew', async () => {
    const target = targetOf('junie');
    for (const change of [(text: string) => text, (text: string) => JSON.stringify(JSON.parse(text))]) {
      await configure(target);
      assert.ok(!existsSync(backupOf(fileOf(target))));
      put(target, change(textOf(target)));
      await remove(target);
      assert.ok(!existsSync(join(made.machine.home, '.junie')));
    }
  });

  it('keep a backup until the entry is removed, and change nothing where it is right', async () => {
    put(claude, '{ "a": 1 }\n');
    await configure(claude);
    assert.equal(readFileSync(backupOf(fileOf(claude)), 'utf8'), '{ "a": 1 }\n');
    for (const { before, after } of await planned(claude)) assert.equal(after, before);
    await remove(claude);
    assert.ok(!existsSync(backupOf(fileOf(claude))));
  });

  for (const [what, before, left] of [
    ['the entry from a file', '{"a":1}', '{\n    "a": 1,\n    "b": 2\n}'],
    ['no empty object that was there before', '{"mcpServers":{}}', '{\n    "mcpServers": {},\n    "b": 2\n}'],
  ] as const)
    it(`remove ${what}, if another program has written it anew`, async () => {
      put(claude, before);
      await configure(claude);
      put(claude, JSON.stringify({ ...JSON.parse(textOf(claude)), b: 2 }, null, 4));
      await remove(claude);
      assert.equal(textOf(claude), left);
    });

  it('keep what the user has added to the entry', async () => {
    await configure(codex);
    const old = textOf(codex)
      .replace('shim.js"]', 'shim.js", "--workspace", "/a"]')
      .replace('600', '1200')
      .concat('[mcp_servers.workspace-mcp.env]\nMINE = "1"\n');
    put(codex, old);
    assert.equal(await stateOf(codex), 'configured');
    made.launch = { ...made.launch, env: { WORKSPACE_MCP_HOME: '/elsewhere' } };
    assert.equal(await stateOf(codex), 'outdated');
    await configure(codex);
    assert.match(textOf(codex), /shim\.js", "--workspace", "\/a"\]/);
    assert.match(textOf(codex), /tool_timeout_sec = 1200/);
    assert.match(textOf(codex), /env = \{ MINE = "1", WORKSPACE_MCP_HOME = "\/elsewhere" \}/);
    assert.equal(await stateOf(codex), 'configured');
  });

  it('repair an entry whose shim or Node.js has gone, also under another name', async () => {
    const { shim } = made.launch;
    const gone = '/gone/.workspace-mcp/shim.js';
    for (const [name, command, args, problem] of [
      ['editor', 'node', [gone], `${gone} does not exist.`],
      ['workspace-mcp', '/gone/node', [shim], '/gone/node does not exist.'],
    ] as const) {
      put(claude, JSON.stringify({ mcpServers: { [name]: { command, args } } }));
      const found = await examine(claude, made.launch, made.machine);
      assert.partialDeepStrictEqual(found, { state: 'broken', problem });
      await configure(claude);
      assert.deepEqual(JSON.parse(textOf(claude)).mcpServers, { [name]: { command: 'node', args: [shim] } });
    }
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
      'workspace-mcp-vscode': { command: 'node', args: [made.launch.shim] },
    });
    await remove(claude);
    assert.equal(textOf(claude), text);
  });

  for (const [id, text, problem] of [
    ['claude-code', '{\n  "a": 1\n  "b": 2\n}', /line 3:/],
    ['codex', 'a = 1\n[b\n', /line 2:/],
    ['claude-code', '{ "mcpServers": [] }', /edited safely/],
    ['claude-code', '{ "mcpServers": {}, "mcpServers": { "a": {} } }', /edited safely/],
    ['claude-code', '[]', /edited safely/],
    ['codex', 'mcp_servers = { a = { command = "a" } }\n', /edited safely/],
    ['claude-code', '{"a":"\xe4"}', /UTF-8/],
  ] as const)
    it(`refuse a file of ${id} that is not valid, or where an edit would change more: ${JSON.stringify(text)}`, async () => {
      const target = targetOf(id);
      put(target, Buffer.from(text, 'latin1'));
      await assert.rejects(planned(target), { name: 'UserError', message: problem });
      assert.equal(readFileSync(fileOf(target), 'latin1'), text);
      if (problem.source.startsWith('line')) assert.equal(await stateOf(target), 'unreadable');
    });

  it('are not applied to a file that has changed since', async () => {
    put(claude, '{}');
    const plan = await planned(claude);
    put(claude, '{"a":1}');
    await assert.rejects(applyPlans(plan), /changed meanwhile/);
    rmSync(fileOf(claude));
    await assert.rejects(applyPlans(plan), /changed meanwhile/);
  });

  it('keep the mode of a file, and are not applied to one that is read-only', async function () {
    if (process.platform === 'win32') this.skip();
    put(claude, '{}');
    chmodSync(fileOf(claude), 0o620);
    await configure(claude);
    assert.equal(statSync(fileOf(claude)).mode & 0o777, 0o620);
    if (process.getuid?.() === 0) return; // root may write all files
    chmodSync(fileOf(claude), 0o444);
    await assert.rejects(remove(claude), /read-only/);
  });

  itWithLinks('follow a link, and keep it, but refuse one to nothing', async () => {
    const real = join(made.machine.home, 'dotfiles.json');
    symlinkSync(real, fileOf(claude));
    await assert.rejects(configure(claude), /link/);
    writeFileSync(real, '{}');
    await configure(claude);
    assert.ok(lstatSync(fileOf(claude)).isSymbolicLink());
    assert.match(readFileSync(real, 'utf8'), /workspace-mcp/);
    await remove(claude);
    assert.equal(readFileSync(real, 'utf8'), '{}');
  });

  itWithLinks('write no file if one cannot be written', async () => {
    const hooks = join(made.machine.home, '.codex', 'hooks.json');
    put(codex, 'model = "o3"\n');
    symlinkSync('/nowhere', hooks);
    await assert.rejects(configure(codex), /hooks\.json is a link/);
    assert.equal(textOf(codex), 'model = "o3"\n');
    assert.ok(!existsSync(backupOf(fileOf(codex))));
  });

  itWithLinks('leave no link to a file that they remove', async () => {
    const target = targetOf('junie');
    const real = join(made.machine.home, 'dotfiles.json');
    await configure(target);
    renameSync(fileOf(target), real);
    symlinkSync(real, fileOf(target));
    await remove(target);
    assert.ok(!existsSync(real));
    await configure(target);
    assert.equal(await stateOf(target), 'configured');
  });

  it('write an entry that others can use into the file of a project', async () => {
    made.machine = { ...made.machine, platform: 'linux' };
    const { machine, launch } = made;
    for (const [id, home] of [
      ['gemini-cli', variable('HOME')],
      ['opencode', '{env:HOME}'],
      ['cursor', variable('userHome')],
      ['vscode', variable('userHome')],
    ] as const) {
      const target = targetOf(id, 'project');
      await configure(target);
      const text = textOf(target);
      assert.ok(text.includes(`"${home}/.workspace-mcp/shim.js"`), text);
      assert.ok(!text.includes(machine.home) && !text.includes(process.execPath), text);
      assert.equal(await stateOf(target), 'configured');
    }
    rmSync(launch.shim);
    assert.equal(await stateOf(targetOf('vscode', 'project')), 'broken');
  });

  it('write the paths of this machine where others could not use the entry', async () => {
    const { machine, launch } = made;
    const target = targetOf('gemini-cli', 'project');
    const moved = { ...launch, env: { WORKSPACE_MCP_HOME: '/elsewhere' } };
    for (const { after } of [
      ...(await planToConfigure(target, launch, { ...machine, platform: 'win32' })),
      ...(await planToConfigure(target, moved, { ...machine, platform: 'linux' })),
      ...(await planToConfigure(targetOf('claude-code', 'project'), launch, machine)),
    ])
      assert.ok(after?.includes(JSON.stringify(launch.shim)), after);
  });

  it('of the local scope are for one project', async () => {
    const local = targetOf('claude-code', 'local');
    put(local, '{ "projects": { "/other": {} } }');
    await configure(local);
    assert.equal(await stateOf(claude), 'absent');
    const { folder = '' } = made.machine;
    const { projects } = JSON.parse(textOf(local));
    assert.deepEqual(projects[realPathOf(folder).replaceAll('\\', '/')], {
      mcpServers: { 'workspace-mcp': { command: 'node', args: [made.launch.shim] } },
    });
    await remove(local);
    assert.equal(textOf(local), '{ "projects": { "/other": {} } }');
  });
});
