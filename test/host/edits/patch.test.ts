/** Patches and replacements over several files, in a real VS Code. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { agentOfSuite, at, closeAll, settingsUntil } from '../inside.ts';

const inside = (path: string) => at(join('patched', path));
const texts = (...paths: string[]) =>
  paths.map((path) => (existsSync(inside(path)) ? readFileSync(inside(path), 'utf8') : undefined));

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
  const agent = agentOfSuite();
  const set = settingsUntil(after);

  before(async () => {
    await set('workspaceMcp.approvals', { edit: 'allow', delete: 'allow' });
    mkdirSync(inside(''), { recursive: true });
  });

  after(async () => {
    await closeAll();
    rmSync(inside(''), { recursive: true, force: true });
  });

  it('edits, creates, renames and deletes with one patch', async () => {
    writeFileSync(inside('typed.txt'), 'one\ntwo\n');
    writeFileSync(inside('old.txt'), 'a\r\nb\r\n');
    writeFileSync(inside('gone.txt'), 'gone\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(inside('typed.txt')));
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
