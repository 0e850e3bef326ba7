import assert from 'node:assert/strict';
import { isUnwantedFor } from '../../../src/core/cancelled.ts';

describe('core/cancelled', () => {
  it('takes any reason that a client may send', () => {
    const reasons = [undefined, 'User pressed Esc', 'Request timed out', null, 1, {}];
    assert.deepEqual(reasons.map(isUnwantedFor), [true, true, false, false, false, false]);
  });
});
