import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CancelledError } from '../../../../src/core/errors.ts';
import { itWithLinks } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { cleanUp, folderWith, listed, openWindow, write } from '../openWindow.ts';

/** Windows takes no line end and no question mark in a name. */
const HARD_NAMES = ['a b.ts', 'a\nb.ts', 'grün.ts', '🌲.ts', '%41.ts', '#?.ts', '-rf', "it's.ts"].filter(
  (name) => process.platform !== 'win32' || !/[\n?]/.test(name),
);

/** A window without ripgrep that waits while it lists, until it is told to go on. */
function slowWindow() {
  const ws = folderWith({ a: '', '.gitignore': '', 'sub/c': '' });
  const { fake, window } = openWindow({ folders: [ws], appRoot: '/no/ripgrep' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { reading: 0, goOn: resolve };
  fake.fileSystem.beforeReading = () => {
    slow.reading++;
    return promise;
  };
  return { ws, window, fake: slow };
}

const excludes = (files: object, search: object = {}) => ({
  'files.exclude': files,
  'search.exclude': search,
});

const treeOf = (paths: string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, '']));

describe('workspace/list/listing', () => {
  afterEach(cleanUp);

  /** The files, what is left of them, and what the settings exclude. */
  type Case = [files: string | Record<string, string>, left: string, user?: Record<string, object>];
  const cases: Record<string, Case> = {
    'hidden files, in the order of their URIs': ['b.ts a.ts .hidden sub/.x/y', '.hidden a.ts b.ts sub/.x/y'],
    'nested .gitignore files without a repository': [
      { '.gitignore': '*.log\n', 'sub/.gitignore': '!keep.log\nx\n', 'sub/keep.log': '', 'sub/x': '', x: '' },
      '.gitignore sub/.gitignore sub/keep.log x',
    ],
    'no inside of version control': [
      { ...treeOf(['a', '.git/config', '.hg/x']), 'sub/.git': 'gitdir: /x' },
      'a',
    ],
    'no secrets': ['a .env deploy/id_rsa .ssh/config .env.example', '.env.example a'],
    'files.exclude at the top only': ['out/a b/out/a x.js', 'b/out/a', excludes({ out: true, '*.js': true })],
    'files.exclude at any depth': ['out/a sub/out/a b', 'b', excludes({ '**/out': true })],
    'files.exclude that is off': ['out/a', 'out/a', excludes({ out: false, '**/a': null })],
    'search.exclude, which may take back': ['x/a y/b', 'x/a', excludes({ x: true }, { x: false, y: true })],
    'braces in excludes': ['a/x b/x c/a/x c/d/x', 'c/a/x', excludes({ '{a,b}': true, '{**/d,x}': true })],
    'files.exclude beside a sibling': [
      'a.js a.ts b.js sub/c.js sub/c.ts $&.js',
      '$&.js a.ts b.js sub/c.ts',
      excludes({ '**/*.js': { when: '$(basename).ts' } }),
    ],
  };
  cases['names that are hard to spell'] = [treeOf(HARD_NAMES), HARD_NAMES.toSorted().join('|')];
  for (const [what, [names, joined, user]] of Object.entries(cases))
    it(what, async () => {
      const tree = typeof names === 'string' ? treeOf(names.split(' ')) : names;
      const left = joined.split(joined.includes('|') ? '|' : ' ');
      const { files } = openWindow({ folders: [folderWith(tree)], ...(user && { user }) });
      assert.deepEqual(await listed(files), left);
      for (const file of await files.list()) {
        assert.equal(file.key, file.uri.toString());
        assert.equal((await files.locateUri(file.key)).path, file.path);
      }
      const keys = [...(await files.list())].map(({ key }) => key);
      assert.deepEqual(keys, [...keys].sort());
    });

  it('takes a backslash for a part of a name where the system does', async function () {
    if (process.platform === 'win32') this.skip();
    const ws = folderWith({ '..\\..\\etc\\passwd': '', 'a\\b': '' });
    const { files } = openWindow({ folders: [ws] });
    assert.deepEqual(await listed(files), ['..\\..\\etc\\passwd', 'a\\b']);
    assert.equal((await files.locate('a\\b')).path, 'a\\b');
    for (const { uri } of await files.list()) assert.equal(uri.fsPath.startsWith(`${ws}/`), true);
  });

  itWithLinks('lists no links, and nothing through them', async () => {
    const ws = folderWith({ a: '' });
    symlinkSync(folderWith({ secret: '' }), join(ws, 'folder'));
    symlinkSync('/etc/passwd', join(ws, 'file'));
    assert.deepEqual(await listed(openWindow({ folders: [ws] }).files), ['a']);
  });

  it("honours the .gitignore files above a folder up to its repository's root, and no others", async () => {
    const top = folderWith({ '.gitignore': '*.ts\n', 'repo/.gitignore': '*.log\n', 'repo/.git/HEAD': '' });
    for (const folder of ['repo/sub', 'ws'])
      for (const name of ['a.ts', 'a.log']) write(join(top, folder, name));
    const listedIn = (folder: string) => listed(openWindow({ folders: [join(top, folder)] }).files);
    assert.deepEqual(await listedIn('repo/sub'), ['a.ts']);
    assert.deepEqual(await listedIn('ws'), ['a.log', 'a.ts']);
  });

  it('names a file of nested folders once, as one of the innermost, and goes without a folder that is gone', async () => {
    const [outer, gone] = [folderWith({ 'a.ts': '', 'sub/b.ts': '', 'subway/c.ts': '' }), folderWith()];
    rmSync(gone, { recursive: true });
    const { files } = openWindow({ folders: [outer, join(outer, 'sub'), gone] });
    const name = basename(outer);
    assert.deepEqual(await listed(files), [`${name}/a.ts`, `${name}/subway/c.ts`, 'sub/b.ts'].sort());
    assert.deepEqual(await listed(openWindow({ folders: [] }).files), []);
  });

  it("narrows by the settings and by the client's roots, also as they change", async () => {
    const ws = folderWith({ 'a/x': '', 'b/x': '', 'b/y': '' });
    const { fake, files } = openWindow({ folders: [ws] }, [join(ws, 'b')]);
    assert.deepEqual(await listed(files), ['b/x', 'b/y']);
    fake.person.sets('workspaceMcp.access.deniedPaths', ['**/y'], 'workspace');
    assert.deepEqual(await listed(files), ['b/x']);
    fake.person.sets('workspaceMcp.access.allowedOperations', []);
    assert.deepEqual(await listed(files), []);
  });

  it('goes on while anyone waits for it, and stops with the last who does', async () => {
    const { fake, window } = slowWindow();
    const [one, two] = [new AbortController(), new AbortController()];
    const runs = [one, two].map(({ signal }) => window.listing.files(signal));
    await until(() => fake.reading === 1, 'reading');
    one.abort();
    await assert.rejects(runs[0] as Promise<unknown>, CancelledError);
    two.abort();
    await assert.rejects(runs[1] as Promise<unknown>, CancelledError);
    fake.goOn();
    const list = await window.listing.files(new AbortController().signal);
    assert.deepEqual([list.count, fake.reading], [3, 2], 'read again');
    await assert.rejects(window.listing.files(AbortSignal.abort()), CancelledError);
    assert.equal(await window.listing.files(), list, 'a list that is there is kept');
  });

  it('is made again when it is asked for after a change, once for all who ask', async () => {
    const ws = folderWith({ a: '' });
    const { listing } = openWindow({ folders: [ws] }).window;
    const first = await listing.files();
    write(join(ws, 'b'));
    assert.equal(await listing.files(), first, 'nobody has told of it');
    listing.touch();
    const [one, two] = await Promise.all([listing.files(), listing.files()]);
    assert.deepEqual([one === two, one.count], [true, 2]);
    const differences = listing.differences().map(({ inside }) => inside);
    assert.deepEqual(differences, ['b']);
    assert.deepEqual(listing.differences(), []);
    listing.touch();
    assert.equal(await listing.files(), one, 'nothing differs');
  });

  it('has what came while it was made, for those who ask afterwards; one run at a time', async () => {
    const { fake, window, ws } = slowWindow();
    const first = window.listing.files();
    await until(() => fake.reading === 1, 'reading');
    write(join(ws, 'sub/b'));
    window.listing.touch();
    const later = [window.listing.files(), window.listing.files()];
    window.listing.touch(); // they have not begun
    later.push(window.listing.files());
    assert.equal(fake.reading, 1);
    fake.goOn();
    await first;
    const lists = await Promise.all(later);
    assert.deepEqual([fake.reading, new Set(lists).size, lists[0]?.count], [2, 1, 4]);
  });

  it('is made anew after a failure', async () => {
    const { fake, window } = openWindow({ folders: [folderWith({ a: '' })] });
    fake.person.sets('files.exclude', { '**/[': true });
    await assert.rejects(window.listing.files(), /ripgrep failed/);
    fake.person.sets('files.exclude', {});
    assert.equal([...(await window.listing.files())].length, 1);
  });
});
