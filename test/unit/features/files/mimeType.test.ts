import assert from 'node:assert/strict';
import { mimeTypeOf } from '../../../../src/features/files/mimeType.ts';

describe('features/files/mimeType', () => {
  const TYPES: Record<string, string | undefined> = {
    'src/a.ts': 'text/typescript',
    'a.tsx': 'text/tsx',
    'a.mts': 'text/typescript',
    'a.js': 'text/javascript',
    'A.PY': 'text/x-python',
    'a.d.ts': 'text/typescript',
    'main.go': 'text/x-go',
    'a.rs': 'text/x-rust',
    'a.json': 'application/json',
    'x.code-snippets': 'application/json',
    'a.ipynb': 'application/x-ipynb+json',
    'README.md': 'text/markdown',
    'a.html': 'text/html',
    'a.css': 'text/css',
    'a.yml': 'application/yaml',
    'a.svg': 'image/svg+xml',
    'logo.png': 'image/png',
    'a.jpeg': 'image/jpeg',
    'a.pdf': 'application/pdf',
    'notes.txt': 'text/plain',
    Dockerfile: 'text/x-dockerfile',
    'deep/Makefile': 'text/x-makefile',
    'CMakeLists.txt': 'text/x-cmake',
    LICENSE: undefined,
    go: undefined,
    '.gitignore': undefined,
    'a.': undefined,
    'a.nothing-known': undefined,
    'folder.d/file': undefined,
    '': undefined,
    // names that every JavaScript object has
    constructor: undefined,
    'a.constructor': undefined,
    'a.toString': undefined,
    'a.__proto__': undefined,
    'src/__proto__': undefined,
    'a.hasOwnProperty': undefined,
  };
  for (const [path, type] of Object.entries(TYPES))
    it(`${path || '(no name)'} is ${type ?? 'not told by its name'}`, () =>
      assert.equal(mimeTypeOf(path), type));
});
