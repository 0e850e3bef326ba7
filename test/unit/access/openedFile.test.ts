import assert from 'node:assert/strict';
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameFile, OpenedFile } from '../../../src/access/openedFile.ts';
import { cleanUp, folderWith } from './workspace.ts';

describe('access/openedFile', () => {
  afterEach(cleanUp);

  for (const [what, size] of Object.entries({ small: 10, large: 300_000 })) {
    it(`reads a ${what} file as long as it was when it was opened`, async () => {
      const path = join(folderWith({ 'a.txt': 'x'.repeat(size) }), 'a.txt');
      const file = await OpenedFile.open(path);
      appendFileSync(path, 'more');
      assert.equal(Buffer.from(await file.read()).toString(), 'x'.repeat(size));
      file.close();
    });

    it(`reads what is left of a ${what} file`, async () => {
      const path = join(folderWith({ 'a.txt': 'x'.repeat(size) }), 'a.txt');
      const file = await OpenedFile.open(path);
      truncateSync(path, 5);
      assert.equal(Buffer.from(await file.read()).toString(), 'xxxxx');
      file.close();
    });
  }

  it('knows whether it is still what a path leads to', async () => {
    const path = join(folderWith({ 'a.txt': '' }), 'a.txt');
    const file = await OpenedFile.open(path);
    assert.equal(await file.isAt(await file.realpath(path)), true);
    renameSync(path, `${path}.old`);
    writeFileSync(path, '');
    assert.equal(await file.isAt(path), false);
    assert.equal(await file.isAt(`${path}.old`), true);
    file.close();
  });

  it('knows the file again where the system tells half of the number of its volume', () => {
    const [path, handle] = [
      { ino: 7n, dev: 0x1234_5678_9abc_def0n },
      { ino: 7n, dev: 0x9abc_def0n },
    ];
    assert.equal(isSameFile(path, handle), true);
    assert.equal(isSameFile(path, { ...handle, ino: 8n }), false);
    assert.equal(isSameFile(path, { ...handle, dev: 1n }), false);
  });
});
