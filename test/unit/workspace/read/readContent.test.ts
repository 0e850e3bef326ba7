import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundError, UserError } from '../../../../src/core/errors.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, find, folderWith, openWindow, write } from '../openWindow.ts';

describe('workspace/read/readContent', () => {
  afterEach(cleanUp);

  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const texts: [string, Buffer | string, string][] = [
    ['UTF-8', 'grün 🌲', 'grün 🌲'],
    ['UTF-8 with a byte order mark', '\ufeffgrün', 'grün'],
    ['UTF-16', utf16('grün'), 'grün'],
    ['UTF-16 without a mark, as VS Code guesses it', Buffer.from('a b\n', 'utf16le'), 'a b\n'],
    ['what VS Code takes for another encoding', Buffer.from('gr\xfcn', 'latin1'), 'grün'],
    ['nothing', '', ''],
  ];
  for (const [what, bytes, expected] of texts)
    it(`reads ${what} as text`, async () => {
      const { fake, files } = openWindow({ folders: [folderWith({ 'a.txt': bytes })] });
      fake.decodes = (given) =>
        new TextDecoder(given[0] === 0xff || given[1] === 0 ? 'utf-16le' : 'latin1').decode(given);
      const content = await files.read(await files.locate('a.txt'));
      assert.deepEqual(content, { kind: 'text', text: expected });
    });

  it('reads what holds a NUL as bytes, and what VS Code refuses to decode; tells a folder', async () => {
    const ws = folderWith({
      'a.bin': Buffer.from([1, 0, 2]),
      'b.bin': Buffer.from([0xff, 0xff]),
      'src/a': '',
    });
    const { fake, files } = openWindow({ folders: [ws] });
    fake.decodes = () => {
      throw new Error('File seems to be binary');
    };
    const kindOf = async (path: string) => (await files.read(await files.locate(path))).kind;
    const kinds = await Promise.all(['a.bin', 'b.bin', 'src', '.'].map(kindOf));
    assert.deepEqual(kinds, ['binary', 'binary', 'folder', 'folder']);
  });

  it('goes by the encoding that the settings name, also when they change', async () => {
    const { fake, files } = openWindow({ folders: [folderWith({ 'a.txt': 'gr\u00fcn' })] });
    const read = async () => files.read(await files.locate('a.txt'));
    assert.deepEqual(await read(), { kind: 'text', text: 'gr\u00fcn' });
    fake.person.sets('files.encoding', 'windows1252');
    assert.deepEqual(await read(), { kind: 'text', text: 'gr\u00c3\u00bcn' });
    fake.person.sets('files.encoding', 'utf8');
    assert.deepEqual(await read(), { kind: 'text', text: 'gr\u00fcn' });
  });

  itWithLinks("reads the editor's text before the disk's, under each name of the file", async () => {
    const ws = folderWith({ 'a.ts': 'on the disk' });
    symlinkSync('a.ts', join(ws, 'link.ts'));
    const { fake, files } = openWindow({ folders: [ws] });
    fake.person.types(fake.person.loads(join(ws, 'a.ts')), 'unsaved');
    for (const path of ['a.ts', 'link.ts']) {
      const content = await files.read(await files.locate(path));
      assert.equal(content.kind === 'text' && content.text, 'unsaved', path);
    }
  });

  it('refuses what is too large, on the disk and in the editor', async () => {
    const ws = folderWith({ 'a.txt': 'x'.repeat(101), 'b.txt': 'x'.repeat(100) });
    const { fake, files } = openWindow({ folders: [ws], user: { 'workspaceMcp.access.maxFileSize': 100 } });
    await assert.rejects(files.read(await files.locate('a.txt')), /101 bytes.*limit is 100 bytes/);
    assert.equal((await files.read(await files.locate('b.txt'))).kind, 'text');
    fake.person.types(fake.person.loads(join(ws, 'b.txt')), 'y'.repeat(200));
    await assert.rejects(files.read(await files.locate('b.txt')), /200 bytes.*limit is 100 bytes/);
  });

  itWithLinks('goes by the size that holds where a link leads', async () => {
    const [small, large] = [folderWith({ 'a.txt': 'x'.repeat(101) }), folderWith()];
    symlinkSync(join(small, 'a.txt'), join(large, 'link.txt'));
    const { fake, files } = openWindow({ folders: [small, large] });
    const read = fake.api.workspace.getConfiguration;
    fake.api.workspace.getConfiguration = ((section: string, scope?: { fsPath?: string }) => {
      const whole = read(section, scope as never);
      const inspect = (key: string) => ({ ...whole.inspect(key), workspaceFolderValue: 100 });
      const isSmall = scope?.fsPath === small;
      return {
        ...whole,
        inspect: (key: string) =>
          isSmall && key === 'access.maxFileSize' ? inspect(key) : whole.inspect(key),
      };
    }) as never;
    fake.person.sets('workspaceMcp.access.deniedPaths', []); // settings are read again
    await assert.rejects(files.read(await files.locate(join(large, 'link.txt'))), /limit is 100 bytes/);
  });

  it('reads nothing where reading is switched off', async () => {
    const user = { 'workspaceMcp.access.allowedOperations': ['edit'] };
    const { files } = openWindow({ folders: [folderWith({ 'a.txt': '' })], user });
    await assert.rejects(files.read(await files.locate('a.txt')), /"read" is switched off/);
  });

  itWithLinks('judges what it has opened: a link swapped in after the check', async () => {
    const outside = folderWith({ 'secret.txt': 'secret', 'b.txt': 'secret' });
    const ws = folderWith({ 'a.txt': 'harmless', '.env': 'KEY=1', 'sub/b.txt': 'harmless' });
    const { files } = openWindow({ folders: [ws] });
    for (const [path, name, target] of [
      ['a.txt', 'a.txt', join(outside, 'secret.txt')],
      ['a.txt', 'a.txt', join(ws, '.env')],
      ['sub/b.txt', 'sub', outside],
    ] as const) {
      rmSync(join(ws, 'a.txt'));
      write(join(ws, 'a.txt'), 'harmless');
      const location = await files.locate(path);
      rmSync(join(ws, name), { recursive: true });
      symlinkSync(target, join(ws, name));
      await assert.rejects(files.read(location), UserError);
    }
  });

  it('says that a file has gone since it was located', async () => {
    const ws = folderWith({ 'a.txt': '', 'sub/b.txt': '' });
    const { files } = openWindow({ folders: [ws] });
    const locations = [await files.locate('a.txt'), await files.locate('sub/b.txt')];
    for (const name of ['a.txt', 'sub']) rmSync(join(ws, name), { recursive: true });
    write(join(ws, 'sub'));
    for (const location of locations) await assert.rejects(files.read(location), NotFoundError);
  });

  it('does not wait for the writer of a FIFO', async function () {
    if (process.platform === 'win32') this.skip();
    const ws = folderWith();
    execFileSync('mkfifo', [join(ws, 'pipe')]);
    const { files } = openWindow({ folders: [ws] });
    const location = await files.locate('pipe');
    await assert.rejects(files.read(location), /neither a file nor a folder/);
    assert.partialDeepStrictEqual(await files.look(location, true), { isFile: false });
  });
});

const TEXT = 'free\npassword=hunter2-secret1\nend.\n';

describe('workspace/read/readContent: other encodings', () => {
  afterEach(cleanUp);

  /** A repository says that its files are in an encoding in which no pattern matches. */
  function open(encoding: string, bytes: string | Buffer = TEXT) {
    const ws = folderWith({ 'a.txt': bytes });
    const { fake, files } = openWindow({
      folders: [ws],
      user: { 'workspaceMcp.access.redact': ['(?<=password=)\\S+'] },
      workspace: { 'files.encoding': encoding },
    });
    const name = encoding as 'utf16le';
    fake.decodes = (raw) => Buffer.from(raw).toString(name);
    fake.encodes = (text) => Buffer.from(text, name);
    const types = (text: string) => {
      const document = fake.person.loads(join(ws, 'a.txt'), Buffer.from(text).toString(name));
      Object.assign(document, { encoding, isDirty: true });
      return document;
    };
    return { files, types };
  }

  const read = async ({ files }: ReturnType<typeof open>) => files.read(await files.locate('a.txt'));
  const REFUSAL = /^UserError: .*\(setting files\.encoding\) would reveal redacted text/;

  for (const encoding of ['utf16le', 'hex', 'base64']) {
    it(`reads no file that has redacted text as UTF-8, and none as ${encoding}`, async () => {
      await assert.rejects(read(open(encoding)), REFUSAL);
      const content = await read(open(encoding, 'free\nend.'));
      assert.equal(content.kind, 'text', 'others are read');
    });

    it(`hands out no part of such an unsaved text in ${encoding}`, async () => {
      const window = open(encoding, 'x');
      const document = window.types(TEXT);
      const { redactor } = window.files;
      await assert.rejects(read(window), REFUSAL);
      assert.equal((await redactor.partsOf(document as never))(0), '[redacted]');
      assert.deepEqual(await find(window.files, { query: '.', isRegex: true }), []);
      assert.equal(await redactor.decoded(document.getText(), 'a.txt', document.uri), '[redacted]');
    });
  }

  it('reads and redacts a file that is in the encoding that is named', async () => {
    const bytes = Buffer.from('gr\u00fcn password=s\u00fc\u00df1 end\n', 'latin1');
    const content = await read(open('latin1', bytes));
    assert.equal(content.kind === 'text' && content.text, 'gr\u00fcn password=[redacted] end\n');
  });
});
