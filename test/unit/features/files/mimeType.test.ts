import assert from 'node:assert/strict';
import { mimeTypeOf } from '../../../../src/features/files/mimeType.ts';

describe('features/files/mimeType', () => {
  const TYPES: Record<string, string> = {
    'text/typescript': 'src/a.ts a.mts a.d.ts',
    'text/tsx': 'a.tsx',
    'text/javascript': 'a.js',
    'text/x-python': 'A.PY',
    'text/x-go': 'main.go',
    'text/x-rust': 'a.rs',
    'application/json': 'a.json x.code-snippets',
    'application/x-ipynb+json': 'a.ipynb',
    'text/markdown': 'README.md',
    'text/html': 'a.html',
    'text/css': 'a.css',
    'application/yaml': 'a.yml',
    'image/svg+xml': 'a.svg',
    'image/png': 'logo.png',
    'image/jpeg': 'a.jpeg',
    'application/pdf': 'a.pdf',
    'text/plain': 'notes.txt',
    'text/x-dockerfile': 'Dockerfile',
    'text/x-makefile': 'deep/Makefile',
    'text/x-cmake': 'CMakeLists.txt',
  };
  for (const [type, paths] of Object.entries(TYPES))
    it(`${paths} is ${type}`, () => {
      for (const path of paths.split(' ')) assert.equal(mimeTypeOf(path), type, path);
    });

  it('is not told by other names, nor by those that every JavaScript object has', () => {
    const names = 'LICENSE,go,.gitignore,a.,a.nothing-known,folder.d/file,,constructor,a.constructor';
    for (const path of `${names},a.toString,a.__proto__,src/__proto__,a.hasOwnProperty`.split(','))
      assert.equal(mimeTypeOf(path), undefined, path);
  });
});
