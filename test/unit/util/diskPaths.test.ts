import assert from 'node:assert/strict';
import { linkSync, renameSync, statfsSync, symlinkSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { literalPaths, NearDisk, realPathOf, resolveLinks } from '../../../src/util/diskPaths.ts';
import { holdClock } from '../../fakes/clock.ts';
import { itWithLinks } from '../../temporary.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('util/diskPaths: literalPaths', () => {
  it('reads URIs whose `#`, `?` and `%` stand for themselves', () => {
    assert.deepEqual(literalPaths('file:///ws/a%20#b', 'linux'), ['/ws/a%20#b', '/ws/a #b']);
    assert.deepEqual(literalPaths('untitled:a', 'linux'), []);
  });

  it('on Windows only as paths with a drive, whose colon VS Code encodes', () => {
    for (const uri of ['file:///c%3A/ws/a%20b', 'file:///c:/ws/a%20b'])
      assert.deepEqual(literalPaths(uri, 'win32'), ['c:/ws/a%20b', 'c:/ws/a b']);
    assert.deepEqual(literalPaths('file:///ws/a', 'win32'), []);
  });
});

describe('util/diskPaths: resolveLinks', () => {
  afterEach(cleanUp);

  for (const above of ['a', 'a/b'])
    itWithLinks(`sees at once that a link has replaced ${above} of a/b/c.txt`, async () => {
      const near = new NearDisk(new Set([statfsSync(tmpdir()).type]));
      const folder = folderWith({ 'a/b/c.txt': '', 'other/b/c.txt': '', 'other/c.txt': '' });
      const path = join(folder, 'a/b/c.txt');
      await near.look(path);
      assert.equal(near.has(path), process.platform === 'linux');
      assert.equal((await resolveLinks(near, path)).realPath, realPathOf(path));
      renameSync(join(folder, above), join(folder, 'moved'));
      symlinkSync(join(folder, 'other'), join(folder, above));
      const now = join(realPathOf(folder), above === 'a' ? 'other/b/c.txt' : 'other/c.txt');
      assert.deepEqual(await resolveLinks(near, path), { realPath: now });
    });

  it('has the real names of what Windows gives short names too, which Linux does not list', async function () {
    if (process.platform !== 'linux') this.skip();
    const { readdir } = fs;
    const folder = folderWith({ '.env': '', '.git/config': '', 'own~1': '' });
    for (const [name, short] of [
      ['.env', 'ENV~1'],
      ['.git/config', '.git/CONFI~1'],
    ] as const)
      linkSync(join(folder, name), join(folder, short));
    const listed = async (path: string) => (await readdir(path)).filter((name) => !/^[A-Z]+~1$/.test(name));
    Object.assign(fs, { readdir: listed });
    syncBuiltinESMExports();
    try {
      const names = ['ENV~1', '.git/CONFI~1', 'own~1'].map((name) => join(folder, name));
      const found = await Promise.all(names.map((name) => resolveLinks(new NearDisk(new Set()), name)));
      const shown = found.map(({ realPath }) => realPath.slice(folder.length + 1));
      assert.deepEqual(shown, ['.env', '.git/config', 'own~1']);
    } finally {
      Object.assign(fs, { readdir });
      syncBuiltinESMExports();
    }
  });
});

describe('util/diskPaths: NearDisk', () => {
  const clock = holdClock();
  /** Whatever the file system of this machine is. */
  const local = new Set<number>();

  before(function () {
    if (process.platform !== 'linux') this.skip();
    local.add(statfsSync(tmpdir()).type);
  });
  afterEach(cleanUp);

  it('knows the files of a directory once it has looked, for a time, those that are not there as well', async () => {
    const near = new NearDisk(local);
    const folder = folderWith({ 'a.txt': '' });
    const has = () => ['a.txt', 'missing', 'deeper/a.txt'].map((path) => near.has(join(folder, path)));
    assert.deepEqual(has(), [false, false, false]);
    await near.look(join(folder, 'a.txt'));
    assert.deepEqual(has(), [true, true, false]);
    clock.tick(5_000);
    assert.deepEqual(has(), [false, false, false]);
  });

  it('trusts no directory that a link leads to', async () => {
    const near = new NearDisk(local);
    const folder = folderWith({ 'real/a.txt': '' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    await near.look(join(folder, 'link/a.txt'));
    assert.equal(near.has(join(folder, 'link/a.txt')), false);
  });

  it('trusts no file system that it does not know, and nothing that is not there', async () => {
    const near = new NearDisk();
    for (const path of ['/proc/version', '/nowhere/at/all']) {
      await near.look(path);
      assert.equal(near.has(path), false);
    }
  });
});
