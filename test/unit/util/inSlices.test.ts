import assert from 'node:assert/strict';
import { CancelledError } from '../../../src/core/errors.ts';
import { inSlices } from '../../../src/util/inSlices.ts';

describe('util/inSlices', () => {
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
