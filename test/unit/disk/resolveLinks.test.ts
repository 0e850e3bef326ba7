import assert from 'node:assert/strict';
import { linkSync, renameSync, statfsSync, symlinkSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NearDisk, resolveLinks } from '../../../src/util/diskPaths.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('disk/resolveLinks', () => {
  afterEach(cleanUp);

  for (const above of ['a', 'a/b'])
    it(`sees at once that a link has replaced ${above} of a/b/c.txt`, async () => {
      const near = new NearDisk(new Set([statfsSync(tmpdir()).type]));
      const folder = folderWith({ 'a/b/c.txt': '', 'other/b/c.txt': '', 'other/c.txt': '' });
      const path = join(folder, 'a/b/c.txt');
      await near.look(path);
      assert.equal(near.has(path), process.platform === 'linux');
      assert.equal((await resolveLinks(near, path)).realPath, path);
      renameSync(join(folder, above), join(folder, 'moved'));
      symlinkSync(join(folder, 'other'), join(folder, above));
      const now = join(folder, above === 'a' ? 'other/b/c.txt' : 'other/c.txt');
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
      assert.deepEqual(
        found.map(({ realPath }) => realPath.slice(folder.length + 1)),
        ['.env', '.git/config', 'own~1'],
      );
    } finally {
      Object.assign(fs, { readdir });
      syncBuiltinESMExports();
    }
  });
});
