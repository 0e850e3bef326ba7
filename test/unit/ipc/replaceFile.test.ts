import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explained, replaceFile } from '../../../src/ipc/replaceFile.ts';
import { useDirectory } from '../../temporary.ts';

describe('ipc/replaceFile', () => {
  const folder = useDirectory();
  beforeEach(() => writeFileSync(join(folder.path, 'a'), 'old'));

  /** A file that a reader has open for the first so many tries. */
  function replace(openFor: number, platform: NodeJS.Platform, code = 'EPERM'): void {
    let tries = 0;
    const rename = (from: string, to: string) => {
      if (++tries <= openFor) throw Object.assign(new Error(`${code}: in use`), { code });
      renameSync(from, to);
    };
    replaceFile(join(folder.path, 'a'), 'new', { mode: 0o600, platform, rename });
  }

  const content = () => readFileSync(join(folder.path, 'a'), 'utf8');

  it('waits on Windows for a reader of the old file', () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) replace(2, 'win32', code);
    assert.equal(content(), 'new');
  });

  it('gives up in the end, at once elsewhere or for another reason, and leaves no draft', () => {
    assert.throws(() => replace(99, 'win32'), /in use/);
    assert.throws(() => replace(1, 'win32', 'ENOSPC'), /in use/);
    assert.throws(() => replace(1, 'linux'), /in use/);
    assert.deepEqual([content(), readdirSync(folder.path)], ['old', ['a']]);
  });
});

const failure = (code: string): Error =>
  Object.assign(new Error(`${code}: as the system says it, open '/x'`), { code });

describe('ipc/replaceFile: errors', () => {
  for (const [code, words] of [
    ['ENOSPC', /^The disk is full\. Free some space there\. \(ENOSPC: as the system says it, open '\/x'\)$/],
    ['EROFS', /^The file system is read-only\. Set WORKSPACE_MCP_HOME/],
    ['EACCES', /^Permission denied/],
    ['EDQUOT', /^Your quota/],
  ] as const) {
    it(`says what ${code} means and what to do`, () => {
      const error = explained(failure(code));
      assert.match(error.message, words);
      assert.equal((error as NodeJS.ErrnoException).code, code);
    });
  }

  it('names the place where the system does not', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const told = explained(full, '/state').message;
    assert.match(told, /\(ENOSPC: no space left on device, write, in \/state\)$/);
    assert.match(explained(failure('EROFS'), '/x').message, /open '\/x'\)$/);
  });

  it('leaves other errors unchanged', () => {
    for (const error of [new Error('x'), failure('EIO'), Object.assign(new Error('own'), { code: 'EACCES' })])
      assert.equal(explained(error), error);
  });

  it('explains what the file system really throws', () => {
    const read = () => readFileSync('.');
    assert.throws(read, (error) =>
      /^There is a directory where a file is needed/.test(explained(error).message),
    );
  });
});
