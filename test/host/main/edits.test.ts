/** What agents change, and what the person decides about it, in a real VS Code. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, windowRecord } from '../agent.ts';
import { retry } from '../patience.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const at = (path: string) => join(root, path);
const disk = (path: string) => readFileSync(at(path), 'utf8');

const edit = (agent: HostAgent, path: string, edits: Record<string, string>, more: object = {}) =>
  agent.call('edit_file', {
    path,
    edits: Object.entries(edits).map(([oldText, newText]) => ({ oldText, newText })),
    ...more,
  });

/** Gives the person's answer as soon as there is a question that takes one. */
async function answering<T>(choice: 'allowOnce' | 'allowForSession', call: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  call.then(done, done);
  for (; !isDone; await delay(300)) await vscode.commands.executeCommand(`workspaceMcp.${choice}`);
  return call;
}

const { Global, Workspace } = vscode.ConfigurationTarget;

/** Changes a setting until the test is over. */
const changed: (() => PromiseLike<void>)[] = [];
async function set(key: string, value: unknown, target = Global): Promise<void> {
  const update = (value: unknown) =>
    vscode.workspace.getConfiguration('workspaceMcp').update(key, value, target);
  changed.push(() => update(undefined));
  await update(value);
}

describe('an agent that edits', () => {
  let agent: HostAgent;

  before(async () => {
    await windowRecord();
    agent = await connectAgent(root);
  });

  afterEach(async () => {
    for (const undo of changed.splice(0)) await undo();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => agent[Symbol.asyncDispose]());

  it('shows a diff without asking anybody', async () => {
    const diff = await edit(agent, 'README.md', { '# ': '# The ' }, { dryRun: true });
    assert.match(diff, /^--- README\.md\tbefore\n\+\+\+ README\.md\tafter\n@@ /);
  });

  it('edits once the person has agreed, and one undo brings the text back', async () => {
    const before = disk('src/invoice.ts');
    const edits = {
      'Money = 490': 'Money = money(490)',
      '  text: string;\n': '  text: string;\n  tax?: Money;\n',
    };
    const text = await answering('allowOnce', edit(agent, 'src/invoice.ts', edits));
    assert.match(
      text,
      /^src\/invoice\.ts: 2 replacements, version \d+, saved\.\nNo problems\.\nGone problems:\n[\s\S]*not assignable/,
    );
    assert.match(disk('src/invoice.ts'), /money\(490\)/);
    const document = await vscode.workspace.openTextDocument(at('src/invoice.ts'));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
    await document.save();
  });

  it('reads the problems that its edit has made', async () => {
    await set('approvals', { edit: 'allow' });
    const wrong = 'const wrong: number = "text";\n\n';
    const text = await edit(agent, 'src/money.ts', { 'export const add': `${wrong}export const add` });
    assert.match(
      text,
      /saved\.\nNew problems:\nsrc\/money\.ts\n {2}\d+:7 error Type 'string' is not assignable/,
    );
    assert.match(
      await edit(agent, 'src/money.ts', { [wrong]: '' }),
      /saved\.\nNo problems\.\nGone problems:/,
    );
  });

  it('keeps the line ends and the byte order mark of a file that no editor shows', async () => {
    await set('approvals', { edit: 'allow' });
    writeFileSync(at('crlf.txt'), '\ufeffone\r\ntwo\r\nthree');
    const text = await edit(agent, 'crlf.txt', { 'one\ntwo\n': 'one\n2\n2½\n', three: '3' });
    assert.match(text, /^crlf\.txt: 2 replacements, version \d+, saved\./);
    assert.equal(disk('crlf.txt'), '\ufeffone\r\n2\r\n2½\r\n3');
    rmSync(at('crlf.txt'));
  });

  it("keeps the person's unsaved text unsaved", async () => {
    await set('approvals', { edit: 'allow' });
    writeFileSync(at('notes.txt'), 'one\ntwo\n');
    const document = await vscode.workspace.openTextDocument(at('notes.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((typing) => typing.insert(new vscode.Position(0, 0), 'typed '));
    assert.match(
      await edit(agent, 'notes.txt', { two: '2' }),
      /not saved: the file has other unsaved changes/,
    );
    assert.deepEqual([document.getText(), document.isDirty], ['typed one\n2\n', true]);
    assert.equal(disk('notes.txt'), 'one\ntwo\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'typed one\ntwo\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('several at once in one file all come through', async () => {
    await set('approvals', { edit: 'allow' });
    writeFileSync(at('many.txt'), '0\n1\n2\n3\n4\n');
    const edits = [0, 1, 2, 3, 4].map((digit) => edit(agent, 'many.txt', { [`${digit}`]: `<${digit}>` }));
    for (const text of await Promise.all(edits)) assert.match(text, /, saved\./);
    assert.equal(disk('many.txt'), '<0>\n<1>\n<2>\n<3>\n<4>\n');
  });

  it('is asked for once in a session, and another agent anew; what is switched off is denied', async () => {
    writeFileSync(at('session.txt'), 'a\n');
    await using other = await connectAgent(root);
    await answering('allowForSession', edit(other, 'session.txt', { a: 'b' }));
    await edit(other, 'session.txt', { b: 'c' });
    await answering('allowOnce', edit(agent, 'session.txt', { c: 'd' }));
    await set('approvals', { edit: 'deny' });
    await assert.rejects(edit(other, 'session.txt', { d: 'e' }), /switched "edit" off/);
    assert.equal(disk('session.txt'), 'd\n');
  });

  it('lists a folder', async () => {
    assert.match(
      await agent.call('list_directory', { path: 'src' }),
      /^index\.ts \(\d+\)\ninvoice\.ts \(\d+\)\nmoney\.ts \(\d+\)$/,
    );
    const top = (await agent.call('list_directory')).split('\n');
    assert.ok(top.includes('src/') && top.includes('media/'), top.join());
    assert.ok(!top.includes('ignored/') && !top.some((name) => name.startsWith('.env')), top.join());
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

  it('loses the tools that are switched off, and hears of it; a repository brings none back', async () => {
    const names = async () => (await agent.client.listTools()).tools.map(({ name }) => name);
    await set('tools.groups', { edit: false });
    await agent.notified('notifications/tools/list_changed');
    assert.ok(!(await names()).includes('edit_file'));
    await assert.rejects(
      edit(agent, 'README.md', { '# ': '' }),
      /switched off here by the setting workspaceMcp\.tools\.groups/,
    );
    await set('tools.groups', { edit: true }, Workspace);
    await set('tools.disabled', ['find_files'], Workspace);
    await agent.notified('notifications/tools/list_changed');
    const left = await names();
    assert.ok(!left.includes('edit_file') && !left.includes('find_files') && left.includes('read_file'));
  });
});
