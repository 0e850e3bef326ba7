/** A window with several folders, to which the person adds one. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';

const base = join(vscode.workspace.workspaceFile?.fsPath ?? '', '..');
const rootsSchema = z.object({ roots: z.array(z.object({ uri: z.string(), name: z.string() })) });

describe('an agent in a window with several folders', () => {
  let agent: HostAgent;
  const roots = async () => (await agent.client.request({ method: 'roots/list' }, rootsSchema)).roots;

  before(async () => {
    await windowRecord();
    agent = await connectAgent(join(base, 'web'));
  });

  after(() => agent[Symbol.asyncDispose]());

  it('names files by their folder', async () => {
    assert.equal(await agent.call('find_files', { query: 'index' }), 'api/index.ts\nweb/index.ts');
    assert.equal(await agent.call('read_file', { path: 'web/index.ts' }), 'export const web = 1;\n');
    await assert.rejects(
      agent.call('read_file', { path: 'index.ts' }),
      /ambiguous: it matches api\/index\.ts, web\/index\.ts/,
    );
  });

  it('cannot read a folder that is not open', async () => {
    await assert.rejects(agent.call('read_file', { path: join(base, 'docs/guide.md') }), /outside/);
  });

  it('hears of a folder that the person adds, and takes away', async () => {
    assert.deepEqual(
      (await roots()).map(({ name }) => name),
      ['api', 'web'],
    );
    await agent.client.listResources();
    const uri = vscode.Uri.file(join(base, 'docs'));
    assert.ok(vscode.workspace.updateWorkspaceFolders(2, 0, { uri }));
    await agent.notified('notifications/roots/list_changed');
    await agent.notified('notifications/resources/list_changed');
    assert.deepEqual((await roots()).at(-1), { uri: uri.toString(), name: 'docs' });
    const { resources } = await agent.client.listResources();
    assert.ok(resources.some(({ name }) => name === 'docs/guide.md'));
    assert.equal(await agent.call('read_file', { path: 'docs/guide.md' }), '# Docs\n');
    await until('the record', async () =>
      (await windowRecord()).workspaceFolders.length === 3 ? true : undefined,
    );
    await using another = await connectAgent(join(base, 'docs'));
    assert.match(await another.call('get_workspace'), /docs/);
    assert.ok(vscode.workspace.updateWorkspaceFolders(2, 1));
    await agent.notified('notifications/roots/list_changed');
    await assert.rejects(agent.call('read_file', { path: join(base, 'docs/guide.md') }), /outside/);
  });
});
