import assert from 'node:assert/strict';
import { bounded } from '../../../src/util/runBounded.ts';

describe('util/bounded', () => {
  it('gives what is done in time', () =>
    assert.equal(
      bounded(() => 'a'.replace(/a/, 'b'), 1000),
      'b',
    ));

  it('ends an expression that does not end', () =>
    assert.throws(() => bounded(() => /^(a+)+$/.test(`${'a'.repeat(50)}b`), 20), /timed out/));

  it('hands on what is thrown', () =>
    assert.throws(() => {
      bounded(() => {
        throw new RangeError('mine');
      }, 1000);
    }, RangeError));
});
