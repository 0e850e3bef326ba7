/** A window without workspace trust, on a repository whose settings try to open more than the person did. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, windowRecord } from '../agent.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

describe('an agent in a window without workspace trust', () => {
  let agent: HostAgent;

  before(async () => {
    assert.equal(vscode.workspace.isTrusted, false, 'the case needs a window that is not trusted');
    assert.equal((await windowRecord()).trusted, false);
    agent = await connectAgent(root);
  });

  after(() => agent[Symbol.asyncDispose]());

  it('is told so', async () => {
    assert.match(await agent.call('get_workspace'), /not trusted: agents may only read/);
  });

  it('can read', async () => {
    assert.equal(await agent.call('read_file', { path: 'hello.txt' }), 'Hello from a stranger.\n');
    assert.match(await agent.call('search_text', { query: 'stranger' }), /hello\.txt/);
  });

  it('is not let out by the settings of the repository, which may narrow only', async () => {
    await assert.rejects(agent.call('read_file', { path: '/etc/hostname' }), /outside/);
    await assert.rejects(agent.call('read_file', { path: 'long.txt' }), /101 bytes; the limit is 64 bytes/);
    await assert.rejects(agent.call('read_file', { path: 'private/notes.txt' }), /closed to agents/);
  });
});
