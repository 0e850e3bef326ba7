/** Edits and their undo in files of all kinds, in a real VS Code. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { agentOfSuite, at, closeAll, edit, settingsUntil } from '../inside.ts';

const kind = (path: string) => at(join('kinds', path));

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
  const agent = agentOfSuite();
  const set = settingsUntil(after);
  const editIn = (name: string) => edit(agent, `kinds/${name}`, 'two', '2');

  before(async () => {
    mkdirSync(kind('.'));
    await set('workspaceMcp.approvals', { edit: 'allow', delete: 'allow' });
  });

  after(async () => {
    rmSync(kind('.'), { recursive: true });
  });

  for (const [what, name, before, after] of KINDS)
    it(`leave ${what} as it was, byte by byte, also if the file is deleted in between`, async () => {
      writeFileSync(kind(name), before);
      await editIn(name);
      assert.deepEqual(readFileSync(kind(name)), after);
      await agent.call('delete_path', { path: `kinds/${name}` });
      assert.ok(!existsSync(kind(name)));
      await agent.call('undo_edit');
      assert.deepEqual(readFileSync(kind(name)), after);
      await agent.call('undo_edit');
      assert.deepEqual(readFileSync(kind(name)), before);
    });

  it('leave what another program wrote meanwhile', async () => {
    writeFileSync(kind('log.txt'), 'one\ntwo\nthree\nfour\n');
    await editIn('log.txt');
    appendFileSync(kind('log.txt'), 'five\n');
    await agent.call('undo_edit');
    assert.equal(readFileSync(kind('log.txt'), 'utf8'), 'one\ntwo\nthree\nfour\nfive\n');
  });

  it('are refused, and leave the text, if VS Code holds the file read-only', async () => {
    writeFileSync(kind('locked.txt'), 'one\ntwo\n');
    await editIn('locked.txt');
    await set('files.readonlyInclude', { '**/locked.txt': true });
    const refused = () => agent.call('undo_edit').catch(({ message }: Error) => message);
    const message = await until('a refusal', async () => {
      const told = await refused();
      return /read-only/.test(told) ? told : undefined;
    });
    assert.match(message, /holds kinds\/locked\.txt read-only/);
    assert.equal(readFileSync(kind('locked.txt'), 'utf8'), 'one\n2\n');
    const said = await agent.call('undo_edit', { list: true });
    assert.match(said, /^\d+ edit_file, [^\n]*: kinds\/locked\.txt$/m);
    await set('files.readonlyInclude', undefined);
  });

  /** Runs a test with a disk of 16 KB at `small`. */
  const onSmallDisk = (run: () => Promise<void>) =>
    async function (this: Mocha.Context) {
      mkdirSync(kind('small'), { recursive: true });
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'none', kind('small')], { stdio: 'ignore' });
      } catch {
        return this.skip(); // only root may
      }
      await run().finally(() => execFileSync('umount', ['-l', kind('small')]));
    };

  it(
    'keep the text in the editor if the disk is full, and work once there is room',
    onSmallDisk(async () => {
      const before = `${'x'.repeat(9_000)}\ntwo\n`;
      writeFileSync(kind('small/a.txt'), before);
      await agent.call('edit_file', {
        path: 'kinds/small/a.txt',
        edits: [{ oldText: before, newText: 'one\n2\n' }],
      });
      assert.equal(readFileSync(kind('small/a.txt'), 'utf8'), 'one\n2\n');
      writeFileSync(kind('small/filler'), Buffer.alloc(8_192));
      const refusal = await agent.call('undo_edit').catch(({ message }: Error) => message);
      assert.match(refusal, /is not saved whole.*The edit was reverted/s);
      const document = await vscode.workspace.openTextDocument(kind('small/a.txt'));
      assert.equal(document.getText(), 'one\n2\n');
      rmSync(kind('small/filler'));
      await vscode.window.showTextDocument(document);
      await until('a saved text', async () => (await document.save()) || undefined);
      await agent.call('undo_edit');
      assert.equal(readFileSync(kind('small/a.txt'), 'utf8'), before);
      await closeAll();
    }),
  );

  it(
    'of ten files are none if the disk is full at the seventh',
    onSmallDisk(async () => {
      const names = Array.from({ length: 9 }, (_, index) => `ten/${index}.txt`);
      mkdirSync(kind('ten'), { recursive: true });
      for (const name of names) writeFileSync(kind(name), 'one\ntwo\n');
      const edits = names.map((name) => `*** Update File: kinds/${name}\n@@\n one\n-two\n+2\n`);
      const full = `*** Add File: kinds/small/full.txt\n${`+${'x'.repeat(99)}\n`.repeat(400)}`;
      const patch = `*** Begin Patch\n${[...edits.slice(0, 6), full, ...edits.slice(6)].join('')}*** End Patch`;
      await assert.rejects(agent.call('apply_patch', { patch }), /The edit was reverted/);
      for (const name of names) assert.equal(readFileSync(kind(name), 'utf8'), 'one\ntwo\n');
      assert.ok(!existsSync(kind('small/full.txt')));
      writeFileSync(kind('ten/large.txt'), 'x'.repeat(40_000));
      const paths = { source: 'kinds/ten/large.txt', destination: 'kinds/small/new/copy.txt' };
      for (const copy of [true, false]) {
        await assert.rejects(agent.call('move_path', { ...paths, copy }), /VS Code failed at/);
        assert.equal(readFileSync(kind('ten/large.txt'), 'utf8').length, 40_000);
        assert.ok(!existsSync(kind('small/new')), `copy: ${copy}`);
      }
      assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
    }),
  );

  it('move a folder of files, with unsaved text in one of them', async () => {
    mkdirSync(kind('many/deep'), { recursive: true });
    const names = Array.from({ length: 40 }, (_, index) =>
      index % 2 ? `deep/${index}.txt` : `${index}.txt`,
    );
    for (const name of names) writeFileSync(kind(`many/${name}`), name);
    const document = await vscode.workspace.openTextDocument(kind('many/0.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), 'typed ');
    await vscode.workspace.applyEdit(typing);
    const text = await agent.call('move_path', { source: 'kinds/many', destination: 'kinds/moved/all' });
    assert.match(text, /^kinds\/many: moved to kinds\/moved\/all with 40 files\./);
    for (const name of names) assert.equal(readFileSync(kind(`moved/all/${name}`), 'utf8'), name);
    assert.ok(!existsSync(kind('many')));
    assert.match(await agent.call('read_file', { path: 'kinds/moved/all/0.txt' }), /typed 0\.txt/);
    await agent.call('undo_edit');
    for (const name of names) assert.equal(readFileSync(kind(`many/${name}`), 'utf8'), name);
    assert.ok(!existsSync(kind('moved')));
    assert.match(await agent.call('read_file', { path: 'kinds/many/0.txt' }), /typed 0\.txt/);
    await vscode.commands.executeCommand('workbench.action.files.saveAll');
  });
});
