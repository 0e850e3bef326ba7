import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { explained } from '../../../src/ipc/replaceFile.ts';

const failure = (code: string): Error =>
  Object.assign(new Error(`${code}: as the system says it, open '/x'`), { code });

describe('ipc/fileErrors', () => {
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
    assert.match(
      explained(full, '/state').message,
      /\(ENOSPC: no space left on device, write, in \/state\)$/,
    );
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
