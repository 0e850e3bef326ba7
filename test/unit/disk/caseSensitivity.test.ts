import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ignoresCaseIn } from '../../../src/disk/caseSensitivity.ts';
import { cleanUp, folderWith } from '../workspace/openWindow.ts';

describe('disk/caseSensitivity', () => {
  afterEach(cleanUp);

  it('finds out as the file system does, and says no of a folder with nothing to tell by, or that is not there', () => {
    const folder = folderWith({ '1': '', Letters: '' });
    assert.equal(ignoresCaseIn(folder), existsSync(join(folder, 'lETTERS')));
    const other = folderWith({ '1': '' });
    assert.deepEqual([other, join(other, 'none')].map(ignoresCaseIn), [false, false]);
  });

  it('is not taken in by two files of names that differ in case only', function () {
    const folder = folderWith({ Letters: 'a', lETTERS: 'b' });
    if (existsSync(join(folder, 'LETTERS'))) this.skip();
    assert.equal(ignoresCaseIn(folder), false);
  });
});
