import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../src/ipc/replaceFile.ts';
import { makeTemporary, removeTemporary } from '../../temporary.ts';

describe('ipc/replaceFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTemporary();
    writeFileSync(join(folder, 'a'), 'old');
  });
  afterEach(() => removeTemporary(folder));

  /** A file that a reader has open for the first so many tries. */
  function replace(openFor: number, platform: NodeJS.Platform, code = 'EPERM'): void {
    let tries = 0;
    const rename = (from: string, to: string) => {
      if (++tries <= openFor) throw Object.assign(new Error(`${code}: in use`), { code });
      renameSync(from, to);
    };
    replaceFile(join(folder, 'a'), 'new', { mode: 0o600, platform, rename });
  }

  const content = () => readFileSync(join(folder, 'a'), 'utf8');

  it('waits on Windows for a reader of the old file', () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) replace(2, 'win32', code);
    assert.equal(content(), 'new');
  });

  it('gives up in the end, at once elsewhere or for another reason, and leaves no draft', () => {
    assert.throws(() => replace(99, 'win32'), /in use/);
    assert.throws(() => replace(1, 'win32', 'ENOSPC'), /in use/);
    assert.throws(() => replace(1, 'linux'), /in use/);
    assert.deepEqual([content(), readdirSync(folder)], ['old', ['a']]);
  });
});
