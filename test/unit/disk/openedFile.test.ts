import assert from 'node:assert/strict';
import {
  appendFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSameFile, OpenedFile } from '../../../src/disk/openedFile.ts';
import { NearDisk, realPathOf, resolveLinks } from '../../../src/util/diskPaths.ts';
import { itWithLinks } from '../../temporary.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('disk/openedFile', () => {
  afterEach(cleanUp);

  const near = new NearDisk();
  for (const [what, size] of Object.entries({ small: 10, large: 300_000 }))
    it(`reads a ${what} file as long as it was when it was opened, or as far as it is left`, async () => {
      const path = join(folderWith({ 'a.txt': 'x'.repeat(size) }), 'a.txt');
      for (const [change, left] of [
        [() => appendFileSync(path, 'more'), size],
        [() => truncateSync(path, 5), 5],
      ] as const) {
        const file = await OpenedFile.open(path, near);
        change();
        assert.equal(Buffer.from(await file.read()).toString(), 'x'.repeat(left));
        file.close();
      }
    });

  it('reads what lies near, and fails in the same way', async function () {
    if (process.platform !== 'linux') this.skip();
    const path = join(folderWith({ 'a.txt': 'a' }), 'a.txt');
    const near = new NearDisk(new Set([statfsSync(path).type]));
    await near.look(path);
    assert.ok(near.has(path));
    const file = await OpenedFile.open(path, near);
    assert.equal(Buffer.from(await file.read()).toString(), 'a');
    file.close();
    await assert.rejects(OpenedFile.open(`${path}.missing`, near), { code: 'ENOENT' });
    symlinkSync(path, `${path}.link`);
    const followed = await OpenedFile.open(`${path}.link`, near);
    assert.equal(await followed.realpath(`${path}.link`), path);
    followed.close();
    assert.deepEqual(await resolveLinks(near, `${path}.link`), { realPath: path });
  });

  it('knows where what was opened really is, whatever its path leads to by now', async () => {
    const path = join(folderWith({ 'a.txt': '' }), 'a.txt');
    const file = await OpenedFile.open(path, near);
    assert.equal(await file.realpath(path), realPathOf(path));
    renameSync(path, `${path}.old`);
    writeFileSync(path, '');
    assert.equal(await file.realpath(path), process.platform === 'linux' ? `${path}.old` : undefined);
    rmSync(`${path}.old`);
    assert.equal(await file.realpath(path), undefined, 'it is nowhere');
    file.close();
  });

  itWithLinks('is not where the link leads that is in its place now', async () => {
    const folder = folderWith({ 'a.txt': 'a', 'b.txt': 'b' });
    symlinkSync(join(folder, 'b.txt'), join(folder, 'link'));
    const file = await OpenedFile.open(join(folder, 'link'), near);
    rmSync(join(folder, 'link'));
    symlinkSync(join(folder, 'a.txt'), join(folder, 'link'));
    const real = await file.realpath(join(folder, 'link'));
    assert.equal(real, process.platform === 'linux' ? join(folder, 'b.txt') : undefined);
    file.close();
  });

  it('knows the file again where the system tells half of the number of its volume', () => {
    const path = { ino: 7n, dev: 0x1234_5678_9abc_def0n };
    const handle = { ...path, dev: 0x9abc_def0n };
    assert.equal(isSameFile(path, handle), true);
    assert.equal(isSameFile(path, { ...handle, ino: 8n }), false);
    assert.equal(isSameFile(path, { ...handle, dev: 1n }), false);
  });
});
