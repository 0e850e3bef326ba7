import assert from 'node:assert/strict';
import { renameSync, statfsSync, symlinkSync } from 'node:fs';
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
});
