import assert from 'node:assert/strict';
import { CancelledError } from '../../../src/core/errors.ts';
import { inSlices } from '../../../src/util/inSlices.ts';

const busy = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('util/inSlices', () => {
  it('visits all, in their order', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => index);
    const visited: number[] = [];
    await inSlices(items, (item) => void visited.push(item), new AbortController().signal);
    assert.deepEqual(visited, items);
  });

  it('lets others have their turn meanwhile, who may cancel it', async () => {
    const controller = new AbortController();
    let visited = 0;
    setImmediate(() => controller.abort());
    const visit = () => {
      visited++;
      busy(0.2);
    };
    const visiting = inSlices(Array(10_000).fill(1), visit, controller.signal);
    await assert.rejects(visiting, CancelledError);
    assert.ok(visited < 1_000, `${visited}`);
  });
});
