import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { listDirectory } from '../../../../src/features/files/listDirectory.ts';
import { FileList } from '../../../../src/workspace/list/fileList.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const TREE = {
  '.gitignore': 'out/\n*.log\n',
  '.env': 'SECRET=1',
  'README.md': '# Hello\n',
  'out/built.js': '',
  'run.log': '',
  'src/a.ts': 'const a = 1;\n',
  'src/a b/c.ts': '',
  'src/a b/d.ts': '',
  'src/a-b.ts': '',
  'src/grün/🌲.ts': '',
  'src/utils/deep/date.ts': '',
};

const list = async (window: Window, args: object = {}) => textsOf(await window.run(listDirectory, args));

describe('features/files/listDirectory', () => {
  afterEach(cleanUp);

  const WITH_EMPTY = ['.gitignore (11)', 'README.md (8)', 'empty/', 'src/'].join('\n');
  const SRC = ['a b/', 'a-b.ts (0)', 'a.ts (13)', 'grün/', 'utils/'].join('\n');
  it('lists the top, without what is ignored or closed, and other folders, also those without anything', async () => {
    const window = openWindow(TREE);
    mkdirSync(window.path('empty/deep'), { recursive: true });
    mkdirSync(window.path('closed'));
    writeFileSync(window.path('closed/.env'), '');
    for (const [args, expected] of [
      [{}, WITH_EMPTY],
      [{ path: '' }, WITH_EMPTY],
      [{ path: 'empty' }, 'deep/'],
      [{ path: 'empty/deep' }, 'empty/deep is empty.'],
      [{ path: 'closed' }, 'closed has nothing that agents may see.'],
      [{ path: './src/' }, SRC],
      [{ path: 'src/a b' }, 'c.ts (0)\nd.ts (0)'],
      [{ path: 'src/grün' }, '🌲.ts (0)'],
    ] as const)
      assert.deepEqual(await list(window, args), [expected]);
    assert.deepEqual(await list(window, { path: 'out' }), [
      'built.js (0)',
      'This folder is ignored or excluded: searches skip it unless include names it.',
    ]);
    await assert.rejects(list(window, { path: 'README.md' }), /README\.md is not a folder\. Use/);
    assert.deepEqual(await list(openWindow({}, { folders: [] })), ['No folder is open in this window.']);
  });

  it('of several folders lists their names at the top, and each by its name, also one that lies in another', async () => {
    const window = openWindow({ one: { a: '' }, two: { 'sub/b': 'b' } });
    assert.deepEqual(await list(window), ['one/\ntwo/']);
    assert.deepEqual(await list(window, { path: 'two' }), ['.keep (0)\nsub/']);
    assert.deepEqual(await list(window, { path: 'two/sub' }), ['b (1)']);
    window.fake.person.opensFolders([window.path('../two'), window.path('../two/sub')]);
    assert.deepEqual(await list(window, { path: 'two' }), ['.keep (0)\nsub/']);
    assert.deepEqual(await list(window, { path: 'sub' }), ['b (1)']);
  });

  it('goes on by the cursor, each name once', async () => {
    const window = openWindow({ a: '', 'b/x': '', c: '' });
    const [first, note = ''] = await list(window, { limit: 2 });
    assert.equal(first, 'a (0)\nb/');
    const [, cursor] = /^3 entries\. For more pass cursor "([^"]+)"/.exec(note) ?? [];
    assert.deepEqual(await list(window, { limit: 2, cursor }), ['c (0)']);
  });

  itWithLinks(
    'lists a link with what it leads to, unless that is closed, and what is opened outside',
    async () => {
      const outside = openWindow({ 'b.txt': 'b', 'sub/c': '', '.env': '' });
      symlinkSync('/etc', outside.path('link'));
      const window = openWindow(TREE, { user: { 'workspaceMcp.access.allowedPaths': [outside.path('.')] } });
      symlinkSync(window.path('src'), window.path('link'));
      symlinkSync('README.md', window.path('readme'));
      symlinkSync('/etc', window.path('out-of-here'));
      symlinkSync('.env', window.path('to-closed'));
      assert.deepEqual(await list(window), [
        '.gitignore (11)\nREADME.md (8)\nlink -> src/\nreadme -> README.md\nsrc/',
      ]);
      assert.deepEqual(await list(window, { path: 'link' }), [SRC]);
      assert.deepEqual(await list(window, { path: outside.path('.') }), ['b.txt (1)\nsub/']);
      assert.deepEqual(await list(window, { path: outside.path('sub') }), ['c (0)']);
    },
  );

  it('skips what lies in folders: it may be a hundred thousand files', async () => {
    const window = openWindow({ 'src/a.ts': '' });
    const [part] = (await window.ctx.files.list()).parts;
    assert.ok(part);
    const tails = Array.from({ length: 1_000 }, (_, index) => `src/x${String(index).padStart(3, '0')}`);
    let read = 0;
    const counted = new Proxy(tails, {
      get(of, name) {
        read++;
        return Reflect.get(of, name);
      },
    });
    window.ctx.files.list = async () => new FileList([{ ...part, tails: counted }]);
    assert.deepEqual(await list(window), ['src/']);
    assert.ok(read < 100, `${read} of them were read`);
  });
});
