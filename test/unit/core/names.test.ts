import assert from 'node:assert/strict';
import { mayBeRenamed } from '../../../src/core/names.ts';

describe('core/names', () => {
  it('refuses keywords and what is no name, where servers rename to anything', () => {
    for (const [language, to, kind] of [
      ['python', 'class'],
      ['python', 'a-b'],
      ['python', '1a'],
      ['python', 'a$'],
      ['typescript', 'class'],
      ['javascript', 'a-b'],
      ['javascript', 'new', 'function'],
      ['shellscript', 'done'],
      ['go', 'a b'],
    ] as const)
      assert.equal(mayBeRenamed('only', to, language, kind), false, `${language} ${to}`);
    for (const [language, to, kind] of [
      ['python', 'klass'],
      ['python', 'match'],
      ['javascriptreact', 'class', 'property'],
      ['typescript', '#secret', 'property'],
      ['shellscript', 'make-it'],
      ['cpp', 'class'],
      ['markdown', 'Two words'],
    ] as const)
      assert.equal(mayBeRenamed('only', to, language, kind), true, `${language} ${to}`);
    assert.ok(mayBeRenamed('# One', 'Two words', 'python'));
  });
});
