import assert from 'node:assert/strict';
import { cleanUp, folderWith, openWindow } from '../openWindow.ts';

describe('workspace/read/redactor: lines', () => {
  afterEach(cleanUp);

  for (const [what, bytes] of Object.entries({
    'each kind of line end': 'a\r\nb\rc\n\nd',
    'a byte order mark and other letters': '\ufeffgrün\n🌲\n',
    'another encoding': Buffer.from('\ufeffa\nb\nc', 'utf16le'),
    nothing: '',
  }))
    it(`has the lines of the whole text, in a file with ${what}`, async () => {
      const { fake, files } = openWindow({ folders: [folderWith({ 'a.txt': bytes })] });
      fake.decodes = (given) => new TextDecoder('utf-16le').decode(given);
      const location = await files.locate('a.txt');
      const content = await files.read(location);
      assert(content.kind === 'text');
      const all = content.text.split(/\r\n?|\n/).map((text, line) => [line, text] as const);
      assert.deepEqual(await files.lines(location, [...all.keys(), 99].reverse()), new Map(all));
      assert.deepEqual(await files.lines(location, [0]), new Map(all.slice(0, 1)));
    });

  it('has the unsaved text, redacts, and has none of a binary file or a folder', async () => {
    const tree = { 'a.txt': 'disk\nKEY=1', 'b/a.bin': Buffer.from([1, 0, 2]) };
    const { fake, files } = openWindow({ folders: [folderWith(tree)] });
    const linesOf = async (path: string) => [...(await files.lines(await files.locate(path), [1])).values()];
    fake.person.sets('workspaceMcp.access.redact', ['KEY=\\d']);
    assert.deepEqual(await linesOf('a.txt'), ['[redacted]']);
    fake.person.sets('workspaceMcp.access.redact', []);
    fake.person.types(fake.person.loads((await files.locate('a.txt')).uri.fsPath), 'mine\nunsaved');
    assert.deepEqual(await linesOf('a.txt'), ['unsaved']);
    for (const path of ['b/a.bin', 'b']) assert.deepEqual(await linesOf(path), []);
  });
});
