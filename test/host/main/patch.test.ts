/** Patches and replacements over several files, in a real VS Code. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, windowRecord } from '../agent.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const at = (path: string) => join(root, 'patched', path);
const texts = (...paths: string[]) =>
  paths.map((path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined));

const PATCH = `--- a/patched/typed.txt
+++ b/patched/typed.txt
@@ -1,2 +1,2 @@
 one
-two
+2
diff --git a/patched/old.txt b/patched/sub/moved.txt
rename from patched/old.txt
rename to patched/sub/moved.txt
--- a/patched/old.txt
+++ b/patched/sub/moved.txt
@@ -1,2 +1,2 @@
 a
-b
+B
--- /dev/null
+++ b/patched/sub/new.txt
@@ -0,0 +1 @@
+new
--- a/patched/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
`;

describe('an agent with changes of several files', () => {
  let agent: HostAgent;
  const approvals = (value: object | undefined) =>
    vscode.workspace
      .getConfiguration('workspaceMcp')
      .update('approvals', value, vscode.ConfigurationTarget.Global);

  before(async () => {
    await windowRecord();
    agent = await connectAgent(root);
    await approvals({ edit: 'allow', delete: 'allow' });
    mkdirSync(at(''), { recursive: true });
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await approvals(undefined);
    rmSync(at(''), { recursive: true, force: true });
    await agent[Symbol.asyncDispose]();
  });

  it('edits, creates, renames and deletes with one patch', async () => {
    writeFileSync(at('typed.txt'), 'one\ntwo\n');
    writeFileSync(at('old.txt'), 'a\r\nb\r\n');
    writeFileSync(at('gone.txt'), 'gone\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(at('typed.txt')));
    await editor.edit((typing) => typing.insert(new vscode.Position(0, 0), 'typed\n'));
    const answer = await agent.call('apply_patch', { patch: PATCH });
    assert.match(
      answer,
      /^patched\/typed\.txt: 1 hunk \(hunk 1 at line 2, 1 line below the stated one\), .* not saved/,
    );
    assert.equal(editor.document.getText(), 'typed\none\n2\n');
    assert.deepEqual(texts('typed.txt', 'old.txt', 'sub/moved.txt', 'sub/new.txt', 'gone.txt'), [
      'one\ntwo\n',
      undefined,
      'a\r\nB\r\n',
      'new\n',
      undefined,
    ]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
});
