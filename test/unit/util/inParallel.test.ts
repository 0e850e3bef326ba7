import assert from 'node:assert/strict';
import { setImmediate as afterTurn } from 'node:timers/promises';
import { CancelledError } from '../../../src/core/messages.ts';
import { inParallel, inSlices } from '../../../src/util/turns.ts';

describe('util/inParallel', () => {
  it('runs so many at a time, and keeps the order', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([3, 1, 2, 0], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn++) await afterTurn();
      running--;
      return turns * 10;
    });
    assert.deepEqual(results, [30, 10, 20, 0]);
    assert.equal(most, 2);
  });
});

describe('util/inParallel: in slices', () => {
  it('lets others have their turn meanwhile, who may cancel it', async () => {
    const controller = new AbortController();
    let visited = 0;
    setImmediate(() => controller.abort());
    const visit = () => {
      visited++;
      const until = performance.now() + 0.2;
      while (performance.now() < until);
    };
    const visiting = inSlices(Array(10_000).fill(1), visit, controller.signal);
    await assert.rejects(visiting, CancelledError);
    assert.ok(visited < 1_000, `${visited}`);
  });
});
