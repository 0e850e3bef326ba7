import assert from 'node:assert/strict';
import { mimeTypeOf } from '../../../../src/features/files/fileResources.ts';

describe('features/files/fileResources: the MIME type', () => {
  it('is told by the ending, or by a whole name', () => {
    for (const [type, ...paths] of [
      ['text/typescript', 'src/a.ts', 'a.mts', 'a.d.ts'],
      ['text/x-python', 'A.PY'],
      ['application/json', 'a.json', 'x.code-snippets'],
      ['application/x-ipynb+json', 'a.ipynb'],
      ['image/svg+xml', 'a.svg'],
      ['image/jpeg', 'a.jpeg'],
      ['text/x-dockerfile', 'Dockerfile'],
      ['text/x-makefile', 'deep/Makefile'],
    ])
      for (const path of paths) assert.equal(mimeTypeOf(path), type, path);
  });

  it('is not told by other names, nor by those that every JavaScript object has', () => {
    const names = 'LICENSE,go,.gitignore,a.,a.nothing-known,folder.d/file,,constructor,a.constructor';
    for (const path of `${names},a.toString,a.__proto__,src/__proto__`.split(','))
      assert.equal(mimeTypeOf(path), undefined, path);
  });
});
