import assert from 'node:assert/strict';
import { findFiles } from '../../../../src/features/files/findFiles.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const TREE = {
  '.gitignore': 'out/\n',
  '.github/ci.yml': '',
  'README.md': '',
  'out/built.ts': '',
  'src/a.ts': '',
  'src/a.test.ts': '',
  'src/utils/date.ts': '',
  'src/utils/Date.css': '',
  'app/[id]/page.tsx': '',
  '.env': '',
};

const finder =
  (window: Window) =>
  async (query: string, more: object = {}) =>
    (textsOf(await window.run(findFiles, { query, ...more }))[0] ?? '').split('\n');

describe('features/files/findFiles', () => {
  afterEach(cleanUp);

  it('finds by a glob, or by a part of a path, without what is ignored, closed or excluded', async () => {
    const found = finder(openWindow(TREE));
    const utils = ['src/utils/Date.css', 'src/utils/date.ts'];
    for (const [query, ...expected] of [
      ['app/[id]', 'app/[id]/page.tsx'],
      ['[id]/page', 'app/[id]/page.tsx'],
      ['src/*.ts', 'src/a.test.ts', 'src/a.ts'],
      ['src/**/*.ts', 'src/a.test.ts', 'src/a.ts', 'src/utils/date.ts'],
      ['*.{css,md}', 'README.md', 'src/utils/Date.css'],
      ['./src/*.test.ts', 'src/a.test.ts'],
      ['**/util?', ...utils],
      ['UTILS/date', ...utils],
      ['utils\\date', ...utils],
      ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
      ['built', 'No file matches "built" among 8 files.'],
      ['.env', 'No file matches ".env" among 8 files.'],
    ] as [string, ...string[]][])
      assert.deepEqual(await found(query), expected);
    for (const app of ['app/**', 'app/[id]'])
      assert.deepEqual(await found('a', { exclude: ['src/', '.github', app] }), ['README.md']);
  });

  it('says what is there, but in no list', async () => {
    const window = openWindow(TREE);
    const note = async (query: string) => textsOf(await window.run(findFiles, { query }))[1];
    const shown = await note('out/built.ts');
    assert.equal(shown, 'out/built.ts is there, but ignored or excluded: read_file reads it.');
    assert.equal(await note('out'), 'out is a folder: list_directory lists it.');
    assert.deepEqual([await note('.env'), await note('none')], [undefined, undefined]);
  });

  it('in several folders a glob holds in each of them, and with the name of one', async () => {
    const window = openWindow({ one: { 'src/a.ts': '' }, two: { 'src/a.ts': '', 'src/b.ts': '' } });
    const found = finder(window);
    assert.deepEqual(await found('src/*.ts'), ['one/src/a.ts', 'two/src/a.ts', 'two/src/b.ts']);
    assert.deepEqual(await found('two/src/*.ts'), ['two/src/a.ts', 'two/src/b.ts']);
    assert.deepEqual(await found('two/src/a'), ['two/src/a.ts']);
  });

  it('in folders that share a name finds by that name, and by whole paths, but by nothing above them', async () => {
    const window = openWindow({ one: { 'src/a.ts': '' }, two: { 'src/b.ts': '' } });
    const [a, b] = ['src/a.ts', '../two/src/b.ts'].map(window.path);
    const folders = ['.', '../two'].map((folder) => ({ path: window.path(folder), name: 'x' }));
    window.fake.person.opensFolders(folders);
    const found = finder(window);
    for (const query of ['src/*.ts', 'x/src/*.ts', 'X/src']) assert.deepEqual(await found(query), [a, b]);
    for (const query of [b ?? '', window.path('../two/src'), window.path('../two/**/*.ts')])
      assert.deepEqual(await found(query), [b]);
    assert.deepEqual(await found('two'), ['No file matches "two" among 4 files.']);
  });

  it('goes on by the cursor, each file once', async () => {
    const window = openWindow({ 'a.txt': '', 'b.txt': '', 'c.txt': '' });
    const find = async (more: object = {}) =>
      textsOf(await window.run(findFiles, { query: '*.txt', limit: 2, ...more }));
    const [first, note = ''] = await find();
    assert.equal(first, 'a.txt\nb.txt');
    const [, cursor] = /^3 files match.* cursor "([^"]+)"/.exec(note) ?? [];
    assert.deepEqual(await find({ cursor }), ['c.txt']);
    await assert.rejects(find({ cursor: 'x' }), /Unknown cursor "x"/);
  });
});
