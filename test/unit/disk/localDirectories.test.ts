import assert from 'node:assert/strict';
import { statfsSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NearDisk } from '../../../src/util/diskPaths.ts';
import { holdClock } from '../../fakes/clock.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('disk/localDirectories', () => {
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
