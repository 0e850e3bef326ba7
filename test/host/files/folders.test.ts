/** A window with several folders, which the person adds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';

const base = join(vscode.workspace.workspaceFile?.fsPath ?? '', '..');
const rootsSchema = z.object({ roots: z.array(z.object({ uri: z.string(), name: z.string() })) });
const recordHas = (folders: number) =>
  until(`${folders} folders in the record`, async () =>
    (await windowRecord()).workspaceFolders.length === folders ? true : undefined,
  );

describe('an agent in a window with several folders', () => {
  let agent: HostAgent;
  const roots = async () => (await agent.client.request({ method: 'roots/list' }, rootsSchema)).roots;

  before(async () => {
    const folder = (name: string) => ({ uri: vscode.Uri.file(join(base, name)) });
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, folder('api'), folder('web')));
    await recordHas(3);
    agent = await connectAgent(join(base, 'web'));
  });

  after(async () => {
    await agent[Symbol.asyncDispose]();
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 2));
    await recordHas(1);
  });

  it('names files by their folder', async () => {
    assert.equal(
      await agent.call('find_files', { query: 'index' }),
      'api/index.ts\nweb/index.ts\napp/src/index.ts',
    );
    assert.equal(await agent.call('read_file', { path: 'web/index.ts' }), 'export const web = 1;\n');
    await assert.rejects(
      agent.call('read_file', { path: 'index.ts' }),
      /ambiguous: it fits api\/index\.ts, web\/index\.ts/,
    );
  });

  it('cannot read a folder that is not open', async () => {
    await assert.rejects(agent.call('read_file', { path: join(base, 'docs/guide.md') }), /outside/);
  });

  it('hears of a folder that the person adds, and takes away', async () => {
    assert.deepEqual(
      (await roots()).map(({ name }) => name),
      ['app', 'api', 'web'],
    );
    await agent.client.listResources();
    const uri = vscode.Uri.file(join(base, 'docs'));
    assert.ok(vscode.workspace.updateWorkspaceFolders(3, 0, { uri }));
    await agent.notified('notifications/roots/list_changed');
    await agent.notified('notifications/resources/list_changed');
    assert.deepEqual((await roots()).at(-1), { uri: uri.toString(), name: 'docs' });
    const { resources } = await agent.client.listResources();
    assert.ok(resources.some(({ name }) => name === 'docs/guide.md'));
    assert.equal(await agent.call('read_file', { path: 'docs/guide.md' }), '# Docs\n');
    await recordHas(4);
    await using another = await connectAgent(join(base, 'docs'));
    assert.match(await another.call('get_workspace'), /docs/);
    assert.ok(vscode.workspace.updateWorkspaceFolders(3, 1));
    await agent.notified('notifications/roots/list_changed');
    await assert.rejects(agent.call('read_file', { path: join(base, 'docs/guide.md') }), /outside/);
  });
});
