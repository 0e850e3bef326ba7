import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { findLaunch, type NodeFinder } from '../../../src/agents/program.ts';

const machine = (more: Partial<NodeFinder> = {}): NodeFinder => ({
  env: {},
  execPath: '/opt/VS Code/code',
  isElectron: true,
  node: async () => undefined,
  ...more,
});
const node = (version: string) => ({ node: async () => ({ version, path: '/usr/bin/node' }) });

describe('agents/program', () => {
  it('is the node on the PATH, and its absolute path for those who have another one', async () =>
    assert.deepEqual(await findLaunch(machine(node('22.3.0'))), {
      command: 'node',
      program: '/usr/bin/node',
      shim: join(homedir(), '.workspace-mcp', 'shim.js'),
      env: {},
      isOwn: false,
    }));

  it('is VS Code itself where the node on the PATH is too old, or none', async () => {
    for (const version of ['18.20.1', 'v22', '']) {
      const launch = await findLaunch(machine(node(version)));
      const [code, env] = ['/opt/VS Code/code', { ELECTRON_RUN_AS_NODE: '1' }];
      assert.partialDeepStrictEqual(launch, { command: code, program: code, env, isOwn: true }, version);
    }
  });

  it('is the Node of a remote VS Code, which needs no variable', async () => {
    const launch = await findLaunch(machine({ isElectron: false, execPath: '/srv/node' }));
    assert.partialDeepStrictEqual(launch, { command: '/srv/node', env: {} });
  });

  it('hands on where the state directory is, if that has been moved', async () => {
    const { shim, env } = await findLaunch(machine({ env: { WORKSPACE_MCP_HOME: 'moved' } }));
    assert.equal(shim, resolve('moved', 'shim.js'));
    assert.deepEqual(env, { ELECTRON_RUN_AS_NODE: '1', WORKSPACE_MCP_HOME: resolve('moved') });
  });

  it('is found on this machine', async () => {
    const { program } = await findLaunch();
    assert.ok(program.includes('node'));
  });
});
