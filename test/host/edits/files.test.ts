/** Edits and their undo in files of all kinds, in a real VS Code. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectAgent, type HostAgent, until, windowRecord } from '../agent.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const at = (path: string) => join(root, 'kinds', path);

const KINDS: [what: string, name: string, before: Buffer, after: Buffer][] = [
  ['CRLF', 'crlf.txt', Buffer.from('one\r\ntwo\r\n'), Buffer.from('one\r\n2\r\n')],
  ['a byte order mark', 'bom.txt', Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\n2\n')],
  [
    'UTF-16',
    'wide.txt',
    Buffer.from('\ufeffone\ntwo é\n', 'utf16le'),
    Buffer.from('\ufeffone\n2 é\n', 'utf16le'),
  ],
  ['no newline at the end', 'end.txt', Buffer.from('one\ntwo'), Buffer.from('one\n2')],
];

describe('an edit and its undo', () => {
  let agent: HostAgent;
  const set = (section: string, key: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Global);
  const edit = (name: string) =>
    agent.call('edit_file', { path: `kinds/${name}`, edits: [{ oldText: 'two', newText: '2' }] });

  before(async () => {
    await windowRecord();
    agent = await connectAgent(root);
    mkdirSync(at('.'));
    await set('workspaceMcp', 'approvals', { edit: 'allow', delete: 'allow' });
    await set('files', 'autoSave', 'off');
  });

  after(async () => {
    await set('workspaceMcp', 'approvals', undefined);
    await set('files', 'readonlyInclude', undefined);
    await set('files', 'autoSave', undefined);
    await agent[Symbol.asyncDispose]();
    rmSync(at('.'), { recursive: true });
  });

  for (const [what, name, before, after] of KINDS)
    it(`leave ${what} as it was, byte by byte, also if the file is deleted in between`, async () => {
      writeFileSync(at(name), before);
      await edit(name);
      assert.deepEqual(readFileSync(at(name)), after);
      await agent.call('delete_path', { path: `kinds/${name}` });
      assert.ok(!existsSync(at(name)));
      await agent.call('undo_edit');
      assert.deepEqual(readFileSync(at(name)), after);
      await agent.call('undo_edit');
      assert.deepEqual(readFileSync(at(name)), before);
    });

  it('leave what another program wrote meanwhile', async () => {
    writeFileSync(at('log.txt'), 'one\ntwo\nthree\nfour\n');
    await edit('log.txt');
    appendFileSync(at('log.txt'), 'five\n');
    await agent.call('undo_edit');
    assert.equal(readFileSync(at('log.txt'), 'utf8'), 'one\ntwo\nthree\nfour\nfive\n');
  });

  it('are refused if the file is gone', async () => {
    writeFileSync(at('gone.txt'), 'one\ntwo\n');
    await edit('gone.txt');
    rmSync(at('gone.txt'));
    await assert.rejects(agent.call('undo_edit'), /no longer on the disk|There is no file/);
    assert.ok(!existsSync(at('gone.txt')));
  });

  it('are refused, and leave the text, if VS Code holds the file read-only', async () => {
    writeFileSync(at('locked.txt'), 'one\ntwo\n');
    await edit('locked.txt');
    await set('files', 'readonlyInclude', { '**/locked.txt': true });
    const refused = () => agent.call('undo_edit').catch(({ message }: Error) => message);
    const message = await until('a refusal', async () => {
      const told = await refused();
      return /read-only/.test(told) ? told : undefined;
    });
    assert.match(message, /holds kinds\/locked\.txt read-only/);
    assert.equal(readFileSync(at('locked.txt'), 'utf8'), 'one\n2\n');
    assert.match(
      await agent.call('undo_edit', { list: true }),
      /^\d+ edit_file, [^\n]*: kinds\/locked\.txt$/m,
    );
    await set('files', 'readonlyInclude', undefined);
  });

  /** Runs a test with a disk of 16 KB at `small`. */
  const onSmallDisk = (run: () => Promise<void>) =>
    async function (this: Mocha.Context) {
      mkdirSync(at('small'), { recursive: true });
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'none', at('small')], { stdio: 'ignore' });
      } catch {
        return this.skip(); // only root may
      }
      await run().finally(() => execFileSync('umount', ['-l', at('small')]));
    };

  it(
    'keep the text in the editor if the disk is full, and work once there is room',
    onSmallDisk(async () => {
      const before = `${'x'.repeat(9_000)}\ntwo\n`;
      writeFileSync(at('small/a.txt'), before);
      await agent.call('edit_file', {
        path: 'kinds/small/a.txt',
        edits: [{ oldText: before, newText: 'one\n2\n' }],
      });
      assert.equal(readFileSync(at('small/a.txt'), 'utf8'), 'one\n2\n');
      writeFileSync(at('small/filler'), Buffer.alloc(8_192));
      const refusal = await agent.call('undo_edit').catch(({ message }: Error) => message);
      assert.match(refusal, /is not saved whole.*The edit was reverted/s);
      const document = await vscode.workspace.openTextDocument(at('small/a.txt'));
      assert.equal(document.getText(), 'one\n2\n');
      rmSync(at('small/filler'));
      await vscode.window.showTextDocument(document);
      await until('a saved text', async () => (await document.save()) || undefined);
      await agent.call('undo_edit');
      assert.equal(readFileSync(at('small/a.txt'), 'utf8'), before);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }),
  );

  it(
    'of ten files are none if the disk is full at the seventh',
    onSmallDisk(async () => {
      const names = Array.from({ length: 9 }, (_, index) => `ten/${index}.txt`);
      mkdirSync(at('ten'), { recursive: true });
      for (const name of names) writeFileSync(at(name), 'one\ntwo\n');
      const edits = names.map((name) => `*** Update File: kinds/${name}\n@@\n one\n-two\n+2\n`);
      const full = `*** Add File: kinds/small/full.txt\n${`+${'x'.repeat(99)}\n`.repeat(400)}`;
      const patch = `*** Begin Patch\n${[...edits.slice(0, 6), full, ...edits.slice(6)].join('')}*** End Patch`;
      await assert.rejects(agent.call('apply_patch', { patch }), /The edit was reverted/);
      for (const name of names) assert.equal(readFileSync(at(name), 'utf8'), 'one\ntwo\n');
      assert.ok(!existsSync(at('small/full.txt')));
      writeFileSync(at('ten/large.txt'), 'x'.repeat(40_000));
      const copy = { source: 'kinds/ten/large.txt', destination: 'kinds/small/new/copy.txt' };
      for (const tool of ['copy_path', 'move_path']) {
        await assert.rejects(agent.call(tool, copy), /VS Code failed at/);
        assert.equal(readFileSync(at('ten/large.txt'), 'utf8').length, 40_000);
        assert.ok(!existsSync(at('small/new')), tool);
      }
      assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    }),
  );

  it('are 500 in one patch', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}`);
    const text = `${lines.join('\n')}\n`;
    writeFileSync(at('long.txt'), text);
    const changed = lines.map((line, index) => (index % 4 === 0 ? `${line}, changed` : line));
    const hunks = changed.flatMap((line, index) =>
      index % 4 === 0
        ? [`@@ -${index + 1},2 +${index + 1},2 @@\n-line ${index}\n+${line}\n line ${index + 1}\n`]
        : [],
    );
    assert.equal(hunks.length, 500);
    await agent.call('apply_patch', { patch: `--- kinds/long.txt\n+++ kinds/long.txt\n${hunks.join('')}` });
    assert.equal(readFileSync(at('long.txt'), 'utf8'), `${changed.join('\n')}\n`);
    await agent.call('undo_edit');
    assert.equal(readFileSync(at('long.txt'), 'utf8'), text);
  });

  it('move a folder of 1,000 files, with unsaved text in one of them', async () => {
    mkdirSync(at('many/deep'), { recursive: true });
    const names = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 ? `deep/${index}.txt` : `${index}.txt`,
    );
    for (const name of names) writeFileSync(at(`many/${name}`), name);
    const document = await vscode.workspace.openTextDocument(at('many/0.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'typed ');
    await vscode.workspace.applyEdit(typing);
    const text = await agent.call('move_path', { source: 'kinds/many', destination: 'kinds/moved/all' });
    assert.match(text, /^kinds\/many: moved to kinds\/moved\/all with 1000 files\./);
    for (const name of names) assert.equal(readFileSync(at(`moved/all/${name}`), 'utf8'), name);
    assert.ok(!existsSync(at('many')));
    assert.match(await agent.call('read_file', { path: 'kinds/moved/all/0.txt' }), /typed 0\.txt/);
    await agent.call('undo_edit');
    for (const name of names) assert.equal(readFileSync(at(`many/${name}`), 'utf8'), name);
    assert.ok(!existsSync(at('moved')));
    assert.match(await agent.call('read_file', { path: 'kinds/many/0.txt' }), /typed 0\.txt/);
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
  });

  it('save_files writes unsaved text to the disk', async () => {
    writeFileSync(at('typed.txt'), 'one\n');
    const document = await vscode.workspace.openTextDocument(at('typed.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(1, 0), 'typed');
    await vscode.workspace.applyEdit(typing);
    assert.match(await agent.call('save_files', { dryRun: true }), /\+typed/);
    assert.match(await agent.call('save_files'), /^kinds\/typed\.txt: saved, version \d+\.$/);
    assert.deepEqual([readFileSync(at('typed.txt'), 'utf8'), document.isDirty], ['one\ntyped', false]);
  });
});
