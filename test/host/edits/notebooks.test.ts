/** Edits of notebooks in a real VS Code: outputs, unsaved changes and undo. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withDeadline } from '../../../src/util/clock.ts';
import { agentOfSuite, closeAll, root, settingsUntil } from '../inside.ts';
import { PATIENCE, retry } from '../patience.ts';

const path = join(root, 'scratch.ipynb');
const uri = vscode.Uri.file(path);

const output = { output_type: 'stream', name: 'stdout', text: ['2\n'] };
const code = (id: string, source: string, outputs: object[] = []) => ({
  cell_type: 'code',
  id,
  source: [source],
  outputs,
  execution_count: outputs.length > 0 ? 3 : null,
  metadata: { tags: [id] },
});
const BOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    { cell_type: 'markdown', id: 'aaaa', metadata: {}, source: ['# Title'] },
    code('bbbb', 'print(1 + 1)', [output]),
    code('cccc', 'x = 1'),
  ],
};

const onDisk = () => JSON.parse(readFileSync(path, 'utf8')) as typeof BOOK;
const sources = () => onDisk().cells.map(({ source }) => source.join(''));

describe('an agent that edits a notebook', () => {
  const agent = agentOfSuite();
  const set = settingsUntil(after);

  const inTime = <T>(what: string, answer: Thenable<T>) => withDeadline(answer, what, PATIENCE);
  const undo = () => inTime('undoing', vscode.commands.executeCommand('undo'));
  const edit = (...edits: object[]) => agent.call('edit_notebook', { path: 'scratch.ipynb', edits });
  /** The user's editor of the notebook, which may still be loaded as the test before left it. */
  const opened = async () => {
    const notebook = await inTime('opening it', vscode.workspace.openNotebookDocument(uri));
    await inTime('showing it', vscode.window.showNotebookDocument(notebook)); // loads a page of its own
    await retry('the notebook of the disk', async () => assert.deepEqual(textsOf(notebook), sources()));
    return notebook;
  };
  const textsOf = (notebook: vscode.NotebookDocument) =>
    notebook.getCells().map(({ document }) => document.getText());

  before(() => set('workspaceMcp.approvals', { edit: 'allow' }));

  beforeEach(() => writeFileSync(path, JSON.stringify(BOOK, undefined, 1)));

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeAll();
    rmSync(path);
  });

  it('inserts, replaces, moves and deletes cells of a closed one, and saves it', async () => {
    const said = await edit(
      { action: 'insert', cell: 2, source: 'import math' },
      { action: 'replace', id: 'bbbb', source: 'print(2 + 2)' },
      { action: 'move', id: 'bbbb', to: 1 },
      { action: 'delete', id: 'cccc' },
    );
    assert.match(said, /^scratch\.ipynb: 4 cell edits, version \d+, saved\./);
    assert.deepEqual(sources(), ['print(2 + 2)', '# Title', 'import math']);
    const [moved, , added] = onDisk().cells as ReturnType<typeof code>[];
    assert.deepEqual([moved?.outputs, moved?.id, moved?.metadata], [[output], 'bbbb', { tags: ['bbbb'] }]);
    assert.match(added?.id ?? '', /^[\da-f]{8}$/);
    await retry('the notebook stays saved', async () => {
      const ours = vscode.workspace.notebookDocuments.filter((one) => one.uri.fsPath === path);
      assert.ok(!ours.some(({ isDirty }) => isDirty));
    });
  });

  it('is one undo step', async () => {
    for (const edits of [
      [
        { action: 'replace', cell: 2, source: 'a' },
        { action: 'replace', cell: 3, source: 'b' },
      ],
      [{ action: 'delete', cell: 1 }, { action: 'replace', cell: 1, source: 'a' }, { action: 'insert' }],
    ]) {
      const notebook = await opened();
      const before = textsOf(notebook);
      await edit(...edits);
      assert.notDeepEqual(textsOf(notebook), before);
      await undo();
      await retry('undone', async () => assert.deepEqual(textsOf(notebook), before));
      assert.equal(notebook.cellAt(1).outputs.length, 1);
      await inTime('saving it', notebook.save());
    }
  });

  it("is an edit of the text if it is one cell's", async () => {
    const notebook = await opened();
    const { document } = notebook.cellAt(2);
    await edit({ action: 'replace', cell: 3, source: 'x = 2' });
    assert.equal(notebook.cellAt(2).document, document);
    const editor = vscode.window.activeNotebookEditor;
    if (editor) editor.selections = [new vscode.NotebookRange(2, 3)];
    await vscode.commands.executeCommand('notebook.cell.edit');
    await undo();
    await retry('undone', async () => assert.equal(document.getText(), 'x = 1'));
    await inTime('saving it', notebook.save());
  });

  it("keeps the user's unsaved changes unsaved, and outputs of a replaced cell", async () => {
    const notebook = await opened();
    const typing = new vscode.WorkspaceEdit();
    typing.insert(notebook.cellAt(2).document.uri, new vscode.Position(0, 0), '# typed\n');
    await vscode.workspace.applyEdit(typing);
    const said = await edit({ action: 'replace', cell: 2, source: 'print(4)' });
    assert.match(said, /not saved: the file has other unsaved changes/);
    assert.deepEqual(textsOf(notebook), ['# Title', 'print(4)', '# typed\nx = 1']);
    assert.deepEqual([notebook.isDirty, notebook.cellAt(1).outputs.length], [true, 1]);
    assert.deepEqual(sources(), ['# Title', 'print(1 + 1)', 'x = 1']);
  });

  it('sees what another program has just written', async () => {
    await opened();
    writeFileSync(path, JSON.stringify({ ...BOOK, cells: [code('dddd', 'y = 2')] }));
    // A machine on which VS Code takes longer to reload it than agents are kept waiting: they are told to try again.
    await retry('the edit', () => edit({ action: 'insert', source: 'z = 3' }));
    assert.deepEqual(sources(), ['y = 2', 'z = 3']);
  });
});
