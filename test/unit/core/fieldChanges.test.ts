import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { fieldChanges, fieldTexts } from '../../../src/core/fieldChanges.ts';

const changes = (before: unknown, after: unknown) => fieldChanges(fieldTexts(before), fieldTexts(after));

describe('core/fieldChanges', () => {
  it('has each field that differs, by its path', () =>
    assert.deepEqual(changes({ a: { b: [1, 'x'] }, c: [] }, { a: { b: ['1'] }, 'd e': null }), [
      { field: 'a.b[0]', before: '1', after: '"1"' },
      { field: '["d e"]', after: 'null' },
      { field: 'a.b[1]', before: 'x' },
      { field: 'c', before: '[]' },
    ]));

  it('is empty only if nothing differs', () => {
    const key = fc.constantFrom('a', 'b', 'a.b', 'a[0]', '["a"]', '');
    const leaf = fc.constantFrom('', 'x', '1', 1, 'null', null, '[]', true, 'true', '"x"', '{}');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(key, tie('value'), { maxKeys: 2, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (before, after) =>
        assert.equal(changes(before, after).length === 0, isDeepStrictEqual(before, after)),
      ),
    );
  });
});
