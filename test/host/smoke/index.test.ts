/** That the host is a real VS Code with our workspace open: when this fails, nothing else here means anything. */
import { strict as assert } from 'node:assert';
import { basename } from 'node:path';
import * as vscode from 'vscode';

describe('the host', () => {
  it('is a VS Code that the extension supports', () => {
    assert.match(vscode.version, /^1\.\d+\.\d+/);
  });

  it('has the workspace open', () => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    assert.deepEqual(
      folders.map(({ uri }) => basename(uri.fsPath)),
      ['workspace'],
    );
  });

  it('has the extension installed', () => {
    assert.ok(vscode.extensions.getExtension('workspace-mcp.workspace-mcp'));
  });
});
