import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { HOME_VARIABLE } from '../../../../src/ipc/windowRecord.ts';
import { memento } from '../../../fakes/stores.ts';
import { useDirectory } from '../../../temporary.ts';

const { serverDefinition } = await import('../../../../src/ui/connectAgent/serverDefinition.ts');
const { rememberStopped } = await import('../../../../src/ui/settings.ts');

describe('ui/connectAgent/serverDefinition', () => {
  const home = useDirectory();
  const before = process.env[HOME_VARIABLE];
  let shim = '';
  beforeEach(() => {
    process.env[HOME_VARIABLE] = home.path;
    shim = join(home.path, 'shim.js');
    writeFileSync(shim, '');
  });
  after(() => {
    if (before === undefined) delete process.env[HOME_VARIABLE];
    else process.env[HOME_VARIABLE] = before;
  });

  /** A window whose server has not started yet. */
  function open(outcome: { id?: string; error?: Error } = { id: 'w1' }) {
    const server = { start: async () => void Object.assign(server, outcome) };
    const workspaceState = memento();
    const controls = { server, context: { workspaceState } } as never;
    return { workspaceState, definition: () => serverDefinition(controls) };
  }

  it('starts the shim for this window, once its server runs', async () => {
    const { name, command, args, env } = await open().definition();
    assert.deepEqual([name, args], ['workspace-mcp', [shim, '--window', 'w1']]);
    assert.ok(isAbsolute(command));
    assert.equal(env[HOME_VARIABLE], home.path);
  });

  it('says that the user has stopped the server, and does not start it', async () => {
    const { workspaceState, definition } = open();
    await rememberStopped(workspaceState, true);
    await assert.rejects(definition(), /The server of this window does not run\. Start it first with/);
    await rememberStopped(workspaceState, false);
    await definition();
  });

  it('says why the server cannot start, and that the shim is missing', async () => {
    await assert.rejects(open({ error: new Error('no room') }).definition(), /could not start: no room/);
    await assert.rejects(open({}).definition(), /does not run/); // stopped while it starts
    rmSync(shim);
    await assert.rejects(open().definition(), /shim\.js is missing: run "Workspace MCP: Restart Server"/);
  });
});
