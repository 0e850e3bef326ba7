import assert from 'node:assert/strict';
import { familyOf, languagesBy } from '../../../../src/services/language/languages.ts';

describe('services/language/languages', () => {
  const languages = languagesBy(
    [
      { id: 'python', extensions: ['.py', '.PYI'], filenames: ['SConstruct'] },
      { id: 'typescript', extensions: ['.ts'] },
      { id: 'map', extensions: ['.ts.map'] },
      { id: 'log', filenamePatterns: ['*.log.?'] },
      { id: 'cpp', extensions: ['.h'] },
      { id: 'objective-c', extensions: ['.h'] },
    ],
    { '*.inc': 'php', '**/hooks/*': 'shellscript', '*.d.ts': 'declarations' },
  );

  it('are known by the name of a file: by what the user says, whole name, pattern and longest ending', () => {
    for (const [path, language] of [
      ['/a/b.py', 'python'],
      ['/a/B.PYi', 'python'],
      ['/a/SConstruct', 'python'],
      ['/a/b.ts', 'typescript'],
      ['/a/b.ts.map', 'map'],
      ['/a/b.d.ts', 'declarations'],
      ['/a/b.log.1', 'log'],
      ['/a/b.inc', 'php'],
      ['/git/hooks/pre-commit', 'shellscript'],
      ['/a/b.h', 'objective-c'],
      ['/a/py', undefined],
      ['/a.py/b', undefined],
    ] as const)
      assert.equal(languages.of(path), language, path);
  });

  it('have globs, those of C and C++ together', () => {
    assert.deepEqual(languages.globs(['python']), ['*.py', '*.PYI', 'SConstruct']);
    assert.deepEqual(languages.globs(familyOf('c')), ['*.h']);
    assert.deepEqual(languages.globs(['php']), ['*.inc']);
    assert.deepEqual(familyOf('go'), ['go']);
  });
});
