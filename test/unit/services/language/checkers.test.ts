import assert from 'node:assert/strict';
import { checkersOf } from '../../../../src/services/language/checkers.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';

describe('services/language/checkers', () => {
  it('looks at the manifests once for a language, and again when extensions change', () => {
    const { api, extensions } = FakeVscode.create({ folders: [] });
    assert.deepEqual(checkersOf(api, 'python'), []);
    extensions.installs('python');
    const found = checkersOf(api, 'python');
    const ids = found.map(({ id }) => id);
    assert.deepEqual(ids, ['vendor.python-language-features']);
    assert.equal(checkersOf(api, 'python'), found);
  });
});
