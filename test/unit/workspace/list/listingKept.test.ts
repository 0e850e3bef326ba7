import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { Listing } from '../../../../src/workspace/list/listing.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow, write } from '../openWindow.ts';

const namesOf = async (listing: Listing) => [...(await listing.files())].map(({ path }) => path);

/** A list that is kept, beside what a new one has. */
function kept(folders: string[], user: Record<string, unknown> = {}) {
  const { fake, window } = openWindow({ folders, user });
  const { listing } = window;
  const uri = (path: string) => fake.api.Uri.file(join(folders[0] ?? '', path));
  return {
    fake,
    listing,
    touch: (...paths: string[]) => {
      for (const path of paths) listing.touch(uri(path));
    },
    async check(expected?: string[]) {
      const names = await namesOf(listing);
      assert.deepEqual(names, await namesOf(new Listing(fake.api)));
      if (expected) assert.deepEqual(names, expected);
    },
  };
}

describe('access/listing, kept current', () => {
  afterEach(cleanUp);

  interface Case {
    files: Record<string, string>;
    user?: Record<string, unknown>;
    change(ws: string): void;
    touched: string[];
    expected: string[];
  }
  const cases: Record<string, Case> = {
    'a file that comes, and one that goes': {
      files: { a: '', b: '' },
      change: (ws) => {
        write(join(ws, 'sub/c'));
        rmSync(join(ws, 'b'));
      },
      touched: ['sub/c', 'b'],
      expected: ['a', 'sub/c'],
    },
    'files that are ignored by any rule on their way': {
      files: { '.gitignore': 'out/\n*.log\n', 'sub/.gitignore': 'x\n!keep.log\n', a: '' },
      change: (ws) => {
        for (const name of ['out/deep/a', 'sub/b.log', 'sub/keep.log', 'sub/x', 'sub/x2', '.git/config'])
          write(join(ws, name));
      },
      touched: ['out', 'out/deep/a', 'sub/b.log', 'sub/keep.log', 'sub/x', 'sub/x2', '.git/config'],
      expected: ['.gitignore', 'a', 'sub/.gitignore', 'sub/keep.log', 'sub/x2'],
    },
    'files that the settings exclude': {
      files: { a: '' },
      user: { 'files.exclude': { '**/*.tmp': true }, 'search.exclude': { '**/node_modules': true } },
      change: (ws) => {
        for (const name of ['b.tmp', 'node_modules/c/d.js', 'e']) write(join(ws, name));
      },
      touched: ['b.tmp', 'node_modules/c/d.js', 'e'],
      expected: ['a', 'e'],
    },
    'files that are excluded beside others': {
      files: { 'a.js': '' },
      user: { 'files.exclude': { '**/*.js': { when: '$(basename).ts' } } },
      change: (ws) => write(join(ws, 'a.ts')),
      touched: ['a.ts'],
      expected: ['a.ts'],
    },
    'a folder that is moved in, told as itself alone': {
      files: { a: '' },
      change: (ws) =>
        renameSync(folderWith({ 'b/c': '', d: '', '.gitignore': 'e\n', e: '' }), join(ws, 'moved')),
      touched: ['moved'],
      expected: ['a', 'moved/.gitignore', 'moved/b/c', 'moved/d'],
    },
    'a folder that goes, told as itself alone': {
      files: { 'sub/a': '', 'sub/b/c': '', 'sub.txt': '', subway: '' },
      change: (ws) => rmSync(join(ws, 'sub'), { recursive: true }),
      touched: ['sub'],
      expected: ['sub.txt', 'subway'],
    },
    'a file in the place of a folder': {
      files: { 'a/b': '' },
      change: (ws) => {
        rmSync(join(ws, 'a'), { recursive: true });
        write(join(ws, 'a'));
      },
      touched: ['a', 'a/b'],
      expected: ['a'],
    },
    'another case': {
      files: { 'a.ts': '' },
      change: (ws) => renameSync(join(ws, 'a.ts'), join(ws, 'A.ts')),
      touched: ['a.ts', 'A.ts'],
      expected: ['A.ts'],
    },
    'names that rules take for something else': {
      files: { a: '' },
      change: (ws) => {
        for (const name of ['#b', '!c', 'd [1].ts', 'ü/x y', '%41', '{e}', 'f\\g', '🌲'])
          write(join(ws, name));
      },
      touched: ['#b', '!c', 'd [1].ts', 'ü/x y', '%41', '{e}', 'f\\g', '🌲'],
      expected: ['!c', '#b', '%41', 'd [1].ts', '🌲', 'ü/x y', 'f\\g', 'a', '{e}'],
    },
  };
  for (const [what, { files, user, change, touched, expected }] of Object.entries(cases)) {
    it(what, async function () {
      if (process.platform === 'win32' && touched.some((path) => path.includes('\\'))) this.skip();
      const ws = folderWith(files);
      const { listing, touch, check } = kept([ws], user);
      await listing.files();
      change(ws);
      touch(...touched);
      assert.deepEqual((await namesOf(listing)).sort(), expected.sort());
      await check();
    });
  }

  itWithLinks('lists no links that come', async () => {
    const ws = folderWith({ a: '' });
    const { listing, touch, check } = kept([ws]);
    await listing.files();
    symlinkSync(folderWith({ b: '' }), join(ws, 'link'));
    touch('link', 'link/b');
    await check(['a']);
  });

  it('keeps nested folders apart', async () => {
    const outer = folderWith({ a: '', 'in/b': '', z: '' });
    const { listing, touch, check } = kept([outer, join(outer, 'in')]);
    await listing.files();
    for (const name of ['c', 'in/d']) write(join(outer, name));
    touch('c', 'in/d');
    await check();
    rmSync(join(outer, 'in'), { recursive: true });
    touch('in');
    await check();
  });

  it('has what came while it was made, and while it was made anew', async () => {
    const ws = folderWith({ a: '' });
    const { listing, touch, check } = kept([ws]);
    const first = listing.files();
    write(join(ws, 'b'));
    touch('b');
    await first;
    await check(['a', 'b']);
    listing.outdate();
    const anew = listing.settle();
    write(join(ws, 'c'));
    touch('c');
    assert.deepEqual(await namesOf(listing), ['a', 'b'], 'the list before meanwhile');
    await anew;
    await check(['a', 'b', 'c']);
  });

  it('is made anew after more changes than are worth to be looked at one by one', async () => {
    const ws = folderWith({ a: '' });
    const { listing, touch, check } = kept([ws]);
    await listing.files();
    const names = Array.from({ length: 1001 }, (_, index) => `sub/${index}`);
    for (const name of names) write(join(ws, name));
    touch(...names);
    assert.deepEqual([await namesOf(listing), listing.isStormy], [['a'], true]);
    await listing.settle();
    await check(['a', ...names].sort());
    assert.equal(listing.isStormy, false);
    assert.equal(listing.differences().length, 1001);
    assert.equal(listing.differences().length, 0);
  });

  it('is what a new list is, whatever came and went', async function () {
    this.timeout(60_000);
    const part = fc.constantFrom('a', 'b', 'x.log', 'out', 'a b', 'ä');
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const step = fc.record({ path, isThere: fc.boolean(), isFolder: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 4 }), async (bursts) => {
        const ws = folderWith({ '.gitignore': 'out/\n*.log\n!a/x.log\n', 'b/.gitignore': 'a\n' });
        const { listing, touch, check } = kept([ws]);
        await listing.files();
        for (const burst of bursts) {
          for (const { path, isThere, isFolder } of burst) {
            rmSync(join(ws, path), { recursive: true, force: true });
            if (isThere) make(ws, isFolder ? `${path}/inside` : path);
            touch(path);
          }
          await check();
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** Where a file stands in the way nothing is made. */
function make(ws: string, path: string): void {
  try {
    mkdirSync(dirname(join(ws, path)), { recursive: true });
    write(join(ws, path));
  } catch {}
}
