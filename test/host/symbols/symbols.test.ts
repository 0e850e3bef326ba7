/** The tools for symbols, beside what VS Code's own commands answer. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, windowRecord } from '../agent.ts';

const [folder] = vscode.workspace.workspaceFolders ?? [];
const root = folder?.uri.fsPath ?? '';
const at = (path: string) => vscode.Uri.file(join(root, path));

describe('the tools for symbols', () => {
  let agent: HostAgent;
  before(async () => {
    await windowRecord();
    agent = await connectAgent(root);
  });
  after(() => agent[Symbol.asyncDispose]());

  it('see unsaved text', async () => {
    const document = await vscode.workspace.openTextDocument(at('src/index.ts'));
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(document.lineCount, 0), 'export const fresh = invoice;\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.match(
      await agent.call('get_symbol', { symbol: 'fresh' }),
      /\n\d+: export const fresh = invoice;$/,
    );
    assert.match(await agent.call('find_references', { symbol: 'Invoice' }), /in 2 files/);
    assert.match(await agent.call('find_references', { path: 'src/index.ts', line: 4 }), /fresh = invoice;/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('go from an ambiguous or wrong name to the right one', async () => {
    await assert.rejects(
      agent.call('find_references', { symbol: 'cents' }),
      /names 3 symbols[\s\S]*Money\/cents/,
    );
    await assert.rejects(
      agent.call('find_references', { symbol: 'Invocie' }),
      /Nearest:\n {2}Invoice {2}class/,
    );
    await assert.rejects(agent.call('get_symbol', { symbol: 'X', path: '.env' }), /closed to agents/);
  });
});
