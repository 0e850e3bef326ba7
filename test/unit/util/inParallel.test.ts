import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { inParallel } from '../../../src/util/inParallel.ts';

describe('util/inParallel', () => {
  it('runs so many at a time, and keeps the order', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([3, 1, 2, 0], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      running--;
      return turns * 10;
    });
    assert.deepEqual(results, [30, 10, 20, 0]);
    assert.equal(most, 2);
  });
});
