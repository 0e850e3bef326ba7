/** What agents change, and what the person decides about it, in a real VS Code. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { agentOfSuite, at, closeAll, disk, edit, settingsUntil } from '../inside.ts';
import { retry } from '../patience.ts';

describe('an agent that edits', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(afterEach);

  afterEach(closeAll);

  it("keeps the person's unsaved text unsaved", async () => {
    await set('workspaceMcp.approvals', { edit: 'allow' });
    writeFileSync(at('notes.txt'), 'one\ntwo\n');
    const document = await vscode.workspace.openTextDocument(at('notes.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((typing) => typing.insert(new vscode.Position(0, 0), 'typed '));
    assert.match(await edit(agent, 'notes.txt', 'two', '2'), /not saved: the file has other unsaved changes/);
    assert.deepEqual([document.getText(), document.isDirty], ['typed one\n2\n', true]);
    assert.equal(disk('notes.txt'), 'one\ntwo\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'typed one\ntwo\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
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
});
