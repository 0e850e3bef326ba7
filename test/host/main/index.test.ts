/** The whole way in a real VS Code: agent → shim → socket → editor, and back. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { until, windowRecord } from '../agent.ts';
import { agentOfSuite, at, closeAll, folder, revert, root, saveNothingByItself } from '../inside.ts';
import { PATIENCE, retry } from '../patience.ts';
import './closed.test.ts';
import './documented.test.ts';
import './lsp.test.ts';
import './state.test.ts';

const uriOf = (path: string) => vscode.Uri.file(join(root, path)).toString();

/** Changes a document as typing does: nothing is saved. */
async function type(path: string, from: string, to: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(join(root, path));
  const at = document.getText().indexOf(from);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  edit.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(edit));
  return document;
}

before(saveNothingByItself);

describe('an agent in a window', () => {
  const agent = agentOfSuite(at('src'));

  it('lists the files, without what is ignored or secret', async () => {
    const { resources } = await agent.client.listResources();
    const names = resources.map(({ name }) => name);
    assert.ok(names.includes('src/invoice.ts'));
    assert.ok(names.includes('media/logo.png'));
    assert.ok(!names.some((name) => name.includes('ignored/') || name === '.env'), names.join());
    const own = resources.find(({ uri }) => uri === folder?.uri.toString());
    assert.equal(own?.mimeType, 'inode/directory');
    const file = resources.find(({ name }) => name === 'src/invoice.ts');
    assert.equal(file?.mimeType, 'text/typescript');
    assert.ok((file?.size ?? 0) > 100);
  });

  it('sees text that is not saved, and the problems of it, in a tab as well', async () => {
    const document = await type('src/invoice.ts', 'Money = 490', 'Money = money(490)');
    assert.match(await agent.call('read_file', { path: 'src/invoice.ts' }), /unsaved[\s\S]*money\(490\)/);
    const { contents } = await agent.client.readResource({ uri: uriOf('src/invoice.ts') });
    assert.match((contents[0] as { text: string }).text, /money\(490\)/);
    assert.match(await agent.call('search_text', { query: 'money(490)' }), /src\/invoice\.ts\n23:/);
    assert.match(await agent.call('search_text', { query: 'Money = 490' }), /^No hit/);
    assert.equal(await agent.call('get_diagnostics', { path: 'src/invoice.ts' }), 'No problems.');
    await vscode.window.showTextDocument(document);
    assert.equal(await agent.call('get_diagnostics', { path: 'src/invoice.ts' }), 'No problems.');
    await type('src/invoice.ts', 'money(490)', '"much"');
    const told = await agent.call('get_diagnostics', { path: 'src/invoice.ts' });
    assert.match(told, /23:14 error Type 'string'/);
    assert.match(await agent.call('get_workspace'), /Unsaved: src\/invoice\.ts/);
    await revert(document);
  });

  it('reports problems of a language whose server looks only at tabs, and leaves no tab behind', async () => {
    writeFileSync(join(root, 'broken.json'), '{ "a": 1,, }\n');
    assert.match(await agent.call('get_diagnostics', { path: 'broken.json' }), /1:10 error/);
    assert.match(await agent.call('get_diagnostics', { path: 'broken.json' }), /1:10 error/);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
    rmSync(join(root, 'broken.json'));
  });

  it('shows a file to the person, at a line', async () => {
    const told = await agent.call('open_file', { path: 'src/money.ts', line: 2, column: 3 });
    assert.match(told, /open at line 2/);
    const editor = await until('an editor', () => vscode.window.activeTextEditor);
    assert.equal(editor.document.uri.fsPath, join(root, 'src/money.ts'));
    await until('the cursor', () =>
      editor.selection.active.isEqual(new vscode.Position(1, 2)) ? true : undefined,
    );
    await closeAll();
  });

  it('sees what the person has selected, and their tabs', async () => {
    const document = await vscode.workspace.openTextDocument(at('src/index.ts'));
    const selection = new vscode.Range(0, 0, 0, 6);
    await vscode.window.showTextDocument(document, { selection, preview: true });
    // the window tells the extension host of tabs and of what is in sight when it has the time
    await retry('the state of the editor', async () => {
      const { structuredContent } = await agent.client.callTool({ name: 'get_editor_state' });
      assert.partialDeepStrictEqual(structuredContent, {
        active: {
          path: 'src/index.ts',
          language: 'typescript',
          unsaved: false,
          line: 1,
          column: 7,
          visible: [{ startLine: 1 }],
          selections: [{ line: 1, column: 1, endColumn: 7, text: document.getText(selection) }],
        },
        groups: [{ active: true, tabs: [{ path: 'src/index.ts', front: true, preview: true }] }],
      });
    });
  });

  it('is named in the terminals of the window', async () => {
    const { id } = await windowRecord();
    const out = join(root, 'window.txt');
    const print = `require('fs').writeFileSync(${JSON.stringify(out)}, process.env.WORKSPACE_MCP_WINDOW ?? 'none')`;
    // No shell: each quotes in its own way. On a desktop the executable is Electron.
    const env = { ELECTRON_RUN_AS_NODE: '1' };
    const program = { shellPath: process.execPath, shellArgs: ['-e', print] };
    const terminal = vscode.window.createTerminal({ name: 'test', cwd: root, env, ...program });
    // empty for a moment
    const read = () => (existsSync(out) && readFileSync(out, 'utf8')) || undefined;
    assert.equal(await until('the terminal', read), id);
    terminal.dispose();
    rmSync(out);
  });
});

describe('another extension in a window', () => {
  it('starts an agent’s server for it: by the exported API, and by the command', async () => {
    const api = await vscode.extensions.getExtension('workspace-mcp.workspace-mcp')?.activate();
    const { name, command, args, env } = await api.getServerDefinition();
    const same = await vscode.commands.executeCommand('workspaceMcp.getServerDefinition');
    assert.deepEqual(same, { name, command, args, env });
    const transport = new StdioClientTransport({ command, args, env, cwd: tmpdir(), stderr: 'ignore' });
    const client = new Client({ name, version: '1.0.0' });
    await client.connect(transport, { timeout: PATIENCE });
    try {
      const told = await client.callTool({ name: 'get_workspace', arguments: {} });
      assert.match(JSON.stringify(told), new RegExp((await windowRecord()).id));
    } finally {
      await client.close();
    }
  });
});
