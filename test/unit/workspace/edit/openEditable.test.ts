import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { readFile } from '../../../../src/features/files/readFile.ts';
import { KeyedQueue } from '../../../../src/util/queues.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { cleanUp, openWindow, type Tree, textsOf, type Window } from '../../features/window.ts';

function open(tree: Tree): Window {
  const window = openWindow(tree);
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  window.consent.always = ['edit'];
  return window;
}

const edit = (window: Window, path: string, newText = 'b', oldText = 'a') =>
  window.run(editFile, { path, edits: [{ oldText, newText }] });

const disk = (window: Window, path: string) => readFileSync(window.path(path), 'latin1');

describe('workspace/edit/openEditable', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('reads a file that has changed from the disk, and edits it once VS Code has seen that, but not before', async () => {
    const window = open({ x: 'a\n' });
    const document = window.fake.person.opensTab(window.path('x'));
    writeFileSync(window.path('x'), 'a\nmore\n');
    assert.deepEqual(textsOf(await window.run(readFile, { path: 'x' })), ['a\nmore\n']);
    await assert.rejects(clock.settle(edit(window, 'x'), 50), /x changed on the disk.*Try again/);
    assert.deepEqual([document.getText(), disk(window, 'x')], ['a\n', 'a\nmore\n']);
    const editing = edit(window, 'x');
    await clock.passWait(50);
    assert.equal(document.getText(), 'a\n');
    document.reload();
    assert.match(textsOf(await clock.settle(editing, 50))[0] ?? '', /, saved\./);
    assert.equal(disk(window, 'x'), 'b\nmore\n');
  });

  it("leaves the person's text unsaved where the disk has changed as well", async () => {
    const window = open({ x: 'a\n' });
    const document = window.fake.person.opensTab(window.path('x'));
    window.fake.person.types(document, 'a typed\n');
    writeFileSync(window.path('x'), 'other\n');
    assert.match(textsOf(await edit(window, 'x'))[0] ?? '', /not saved/);
    assert.deepEqual([document.getText(), disk(window, 'x')], ['b typed\n', 'other\n']);
  });

  it('refuses bytes that are no text in the encoding of the document: saving would damage them', async () => {
    const window = open({ x: Buffer.from('caf\xe9\na\n', 'latin1') });
    window.fake.decodes = (bytes) => new TextDecoder('utf-8').decode(bytes);
    await assert.rejects(edit(window, 'x'), /x is not valid in the encoding.*utf8.*Change File Encoding/);
    assert.equal(disk(window, 'x'), 'caf\xe9\na\n');
    const other = open({ x: '\ufffd a\n' }); // the character that stands for such bytes
    await edit(other, 'x');
    assert.equal(readFileSync(other.path('x'), 'utf8'), '\ufffd b\n');
  });

  it('refuses what the encoding of the document does not have', async () => {
    const window = open({ x: `${'e\n'.repeat(20_000)}a` });
    window.fake.person.loads(window.path('x')).encoding = 'iso88591';
    const refusal = /x is unchanged: its encoding \(iso88591\) cannot represent "→"/;
    await assert.rejects(edit(window, 'x', '→'), refusal);
    await edit(window, 'x', 'é');
  });

  it('refuses what an encoding would write in another way', async () => {
    const window = open({ x: Buffer.from([0xfa, 0x4a, 0x0a, 0x61]) });
    window.fake.person.loads(window.path('x'), '\u2160\na').encoding = 'shiftjis';
    window.fake.decodes = () => '\u2160\na';
    window.fake.encodes = () => Buffer.from([0x87, 0x54, 0x0a, 0x61]);
    await assert.rejects(edit(window, 'x'), /x is not valid in the encoding.*shiftjis/);
  });

  describe('with redacted text in it', () => {
    function latin(text: string) {
      const window = open({ x: Buffer.from(text, 'latin1') });
      window.fake.person.sets('workspaceMcp.access.redact', ['k\\S+']);
      const document = window.fake.person.loads(window.path('x'), text);
      document.encoding = 'iso88591';
      return { window, document };
    }

    it('does not quote what is redacted where the encoding lacks it', async () => {
      const { window, document } = latin('1\nkey\n');
      window.fake.person.types(document, '1\nk\u0142\n');
      const refusal =
        /^x is unchanged: its encoding \(iso88591\) cannot represent (all characters of the redacted text|"→")/;
      for (const newText of ['b', '→'])
        await assert.rejects(
          edit(window, 'x', newText, '1'),
          ({ message }: Error) => refusal.test(message) && !message.includes('\u0142'),
        );
    });

    it('is not made what would be taken for UTF-16 or no text once it is closed', async () => {
      const refusal = /x is unchanged: the new text would make it look like a binary file/;
      const { window: utf16 } = latin('1\nkéy\n');
      await assert.rejects(edit(utf16, 'x', 'ÿþ', '1'), refusal);
      await edit(utf16, 'x', 'ÿa', '1');
      const { window } = latin('1\nkéy\n');
      const [from, to] = ['~', '\0'];
      window.fake.encodes = (text) => Buffer.from(text.replaceAll(from, to), 'latin1');
      window.fake.decodes = (bytes) => Buffer.from(bytes).toString('latin1').replaceAll(to, from);
      await assert.rejects(edit(window, 'x', '~', '1'), refusal);
      assert.equal(disk(window, 'x'), '1\nkéy\n');
      window.fake.person.sets('workspaceMcp.access.redact', []);
      await edit(window, 'x', '~', '1');
    });
  });

  it('says that it has made mixed line ends alike', async () => {
    const window = open({ x: 'one\r\na\nthree\n', y: 'a\r\nb\r\n' });
    assert.match(textsOf(await edit(window, 'x'))[0] ?? '', /, saved\.\nThe file had mixed line endings/);
    assert.doesNotMatch(textsOf(await edit(window, 'y', 'c'))[0] ?? '', /mixed/);
  });

  it('lets no edit grow a file out of the reach of agents', async () => {
    const window = open({ x: 'a\n' });
    window.fake.person.sets('workspaceMcp.access.maxFileSize', 1000);
    const growing = edit(window, 'x', 'b'.repeat(1000));
    await assert.rejects(growing, /x is unchanged: it would have 1001 bytes.*maxFileSize/);
    assert.equal(disk(window, 'x'), 'a\n');
  });

  it('looks again at what was allowed when the turn of an edit comes', async () => {
    const window = open({ x: 'a\n' });
    const take = mock.method(KeyedQueue.prototype, 'take');
    take.mock.mockImplementation((_key, run) => {
      window.fake.person.sets('workspaceMcp.approvals', { edit: 'deny' });
      return run();
    });
    await assert.rejects(edit(window, 'x'), /switched "edit" off/).finally(() => take.mock.restore());
    assert.deepEqual([take.mock.callCount(), disk(window, 'x')], [1, 'a\n']);
  });

  it('does not edit underneath a notebook with unsaved changes, which is read with a word about it', async () => {
    const path = 'n.ipynb';
    const window = open({ [path]: '{"a": 1}\n' });
    const notebook = { uri: window.fake.api.Uri.parse(window.uri(path)), isDirty: true };
    window.fake.notebooks.push(notebook);
    await assert.rejects(edit(window, path), /n\.ipynb is a notebook with unsaved changes/);
    const [text, note] = textsOf(await window.run(readFile, { path, startLine: 1 }));
    assert.equal(text, '{"a": 1}\n');
    assert.match(note ?? '', /changes to this notebook.*not in this text/);
    notebook.isDirty = false;
    await edit(window, path);
  });
});
