import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cleanUp, folderWith, listed, openWindow, write } from '../openWindow.ts';

const FILES = { 'f.txt': '', 'a/f.txt': '', 'b/f.txt': '', 'one/two/f.txt': '' };

/** Folders that lie beside each other, by the names that the workspace file gives them. */
const SETS: [what: string, names: string[]][] = [
  ['names of their own', ['a', 'b', 'c']],
  ['one name for two', ['a', 'a', 'b']],
  ['a slash in the name', ['we ird/na:me', 'a/b', 'a']],
  ['the name of a folder that lies in another', ['a', 'one', 'two']],
  ['a name that looks like a URI', ['file:', 'untitled:x', 'ab:']],
  ['a name that leads elsewhere', ['..', '.', '']],
  ['a name that is a path', ['/', '/etc', 'a']],
  ['a name with a line end', ['a\nb', 'a']],
  ['a backslash in the name', ['a\\b', 'a']],
];

describe('workspace/read/location', () => {
  afterEach(cleanUp);

  for (const [what, names] of SETS)
    it(`gives every file and folder one name, which leads back to it, with ${what}`, async () => {
      const root = folderWith();
      const folders = names.map((name, index) => ({ name, path: join(root, `${index}`) }));
      for (const { path } of folders) for (const file of Object.keys(FILES)) write(join(path, file));
      await leadsBack(folders);
    });

  it('gives files of a folder in a folder names that lead back', async () => {
    const outer = folderWith(FILES);
    const folders = [
      { path: outer, name: 'a' },
      { path: join(outer, 'a'), name: 'b' },
      { path: join(outer, 'b'), name: 'a' },
    ];
    await leadsBack(folders, ['', 'f.txt']);
  });

  for (const name of ['a', 'f.txt', 'x'])
    it(`of a single folder named ${name} too`, () => leadsBack([{ path: folderWith(FILES), name }]));

  it('of a single folder with names that look like URIs too', async function () {
    if (process.platform === 'win32') this.skip(); // no such names
    const path = folderWith({ 'untitled:x': '', 'ab:/f.txt': '' });
    await leadsBack([{ path, name: 'ws' }], ['untitled:x', 'ab:/f.txt', 'ab:']);
  });

  it('lists spellings that can be used where a path fits several files', async () => {
    const [one, two] = [folderWith({ 'f.txt': '' }), folderWith({ 'f.txt': '', 'g.txt': '' })];
    const { files } = openWindow({ folders: [one, two].map((path) => ({ path, name: 'a' })) });
    const shown = [one, two].map((folder) => join(folder, 'f.txt')).join(', ');
    for (const path of ['f.txt', 'a/f.txt'])
      await assert.rejects(files.locate(path), {
        message: `"${path}" is ambiguous: it matches ${shown}. Pass one of these.`,
      });
    await assert.rejects(
      files.locate('none.txt'),
      new RegExp(`"none.txt" in ${`${one}, ${two}`.replaceAll('\\', '\\\\')}\\.`),
    );
    assert.equal((await files.locate('a/g.txt')).path, join(two, 'g.txt'), 'one of them has it');
  });
});

/** Every path that is shown is another one, and leads to what it was shown for. */
async function leadsBack(
  folders: readonly { path: string; name: string }[],
  inside: readonly string[] = ['', 'a', 'one/two', ...Object.keys(FILES)],
): Promise<void> {
  const { fake, files } = openWindow({ folders, appRoot: '/no/ripgrep' });
  const paths = new Set(folders.flatMap(({ path }) => inside.map((one) => join(path, one))));
  const uris = [...paths].map((path) => fake.api.Uri.file(path));
  const shown = uris.map((uri) => files.displayPath(uri));
  assert.equal(new Set(shown).size, shown.length, shown.join('\n'));
  for (const [index, uri] of uris.entries()) {
    const { uri: found, path } = await files.locate(shown[index] ?? '');
    assert.deepEqual([path, `${found}`], [shown[index], `${uri}`]);
  }
  for (const path of await listed(files)) assert.equal((await files.locate(path)).path, path);
}
