import assert from 'node:assert/strict';
import { findFiles } from '../../../../src/features/files/findFiles.ts';
import { cleanUp, openWindow, textsOf } from '../window.ts';

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

const find = async (args: object) =>
  (textsOf(await openWindow(TREE).run(findFiles, args))[0] ?? '').split('\n');

describe('features/files/findFiles', () => {
  afterEach(cleanUp);

  const QUERIES: [what: string, args: object, expected: string[]][] = [
    ['a glob with a path', { query: 'src/*.ts' }, ['src/a.test.ts', 'src/a.ts']],
    ['a glob for any depth', { query: 'src/**/*.ts' }, ['src/a.test.ts', 'src/a.ts', 'src/utils/date.ts']],
    ['a glob without a slash, in any folder', { query: '*.css' }, ['src/utils/Date.css']],
    ['alternatives', { query: '*.{css,md}' }, ['README.md', 'src/utils/Date.css']],
    ['a glob that starts with / or ./', { query: './src/*.test.ts' }, ['src/a.test.ts']],
    ['hidden folders', { query: '**/*.yml' }, ['.github/ci.yml']],
    [
      'a folder by a glob, with all in it',
      { query: '**/util?' },
      ['src/utils/Date.css', 'src/utils/date.ts'],
    ],
    ['a part of a path, in any case', { query: 'UTILS/date' }, ['src/utils/Date.css', 'src/utils/date.ts']],
    ['a part with backslashes', { query: 'utils\\date' }, ['src/utils/Date.css', 'src/utils/date.ts']],
    ['a path that looks like a glob', { query: 'app/[id]/page.tsx' }, ['app/[id]/page.tsx']],
    ['without an excluded folder', { query: 'a', exclude: ['src/', '.github', 'app/**'] }, ['README.md']],
    ['nothing that is ignored', { query: 'built' }, ['No file matches "built" among 8 files.']],
    ['no secrets', { query: '.env' }, ['No file matches ".env" among 8 files.']],
  ];
  for (const [what, args, expected] of QUERIES)
    it(`finds ${what}`, async () => assert.deepEqual(await find(args), expected));

  it('in several folders a glob holds in each of them, and with the name of one', async () => {
    const window = openWindow({ one: { 'src/a.ts': '' }, two: { 'src/a.ts': '', 'src/b.ts': '' } });
    const found = async (query: string) => textsOf(await window.run(findFiles, { query }))[0]?.split('\n');
    assert.deepEqual(await found('src/*.ts'), ['one/src/a.ts', 'two/src/a.ts', 'two/src/b.ts']);
    assert.deepEqual(await found('two/src/*.ts'), ['two/src/a.ts', 'two/src/b.ts']);
    assert.deepEqual(await found('two/src/a'), ['two/src/a.ts']);
  });

  it('in folders that share a name finds by that name, and by whole paths, but by nothing above them', async () => {
    const window = openWindow({ one: { 'src/a.ts': '' }, two: { 'src/b.ts': '' } });
    const [a, b] = ['src/a.ts', '../two/src/b.ts'].map(window.path);
    window.fake.person.opensFolders(
      ['.', '../two'].map((folder) => ({ path: window.path(folder), name: 'x' })),
    );
    const found = async (query: string) => textsOf(await window.run(findFiles, { query }))[0]?.split('\n');
    for (const query of ['src/*.ts', 'x/src/*.ts', 'X/src']) assert.deepEqual(await found(query), [a, b]);
    for (const query of [b ?? '', window.path('../two/src'), window.path('../two/**/*.ts')])
      assert.deepEqual(await found(query), [b]);
    assert.deepEqual(await found('two'), ['No file matches "two" among 4 files.']);
  });

  it('goes on by the cursor, each file once', async () => {
    const tree = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`${index + 10}.txt`, '']));
    const window = openWindow(tree);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page: string[] = textsOf(await window.run(findFiles, { query: '*.txt', limit: 10, cursor }));
      found.push(...(page[0] ?? '').split('\n'));
      cursor = page[1]?.match(/cursor "([^"]+)"/)?.[1];
      if (cursor) assert.match(page[1] ?? '', /^25 files match/);
    } while (cursor);
    assert.deepEqual(found, Object.keys(tree).sort());
  });

  it('a cursor of somebody else is refused', () =>
    assert.rejects(openWindow({ a: '' }).run(findFiles, { query: '', cursor: 'x' }), /Unknown cursor "x"/));

  it('takes 100 globs to leave out, of 1000 characters each, and no more', () => {
    const takes = (exclude: string[]) => findFiles.input.safeParse({ query: '', exclude }).success;
    assert.ok(takes(Array(100).fill('x'.repeat(1000))));
    assert.ok(!takes(Array(101).fill('x')));
    assert.ok(!takes(['x'.repeat(1001)]));
  });

  it('a glob with 2^150 alternatives is not expanded, which would stop the extension host', async () =>
    assert.deepEqual(await find({ query: '{a,b}'.repeat(150) }), [
      `No file matches "${'{a,b}'.repeat(150)}" among 8 files.`,
    ]));
});
