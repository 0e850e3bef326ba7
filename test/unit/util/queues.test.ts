import assert from 'node:assert/strict';
import { setTimeout as delay, setImmediate as settle } from 'node:timers/promises';
import { CancelledError } from '../../../src/core/errors.ts';
import { FairQueue, inParallel, inSlices, KeyedQueue } from '../../../src/util/queues.ts';

describe('util/queues: keys', () => {
  it('one after the other for the same key, at once for others, and nothing is kept', async () => {
    const turns = new KeyedQueue();
    const seen: string[] = [];
    const run = (name: string, ms: number) => async () => {
      seen.push(`${name} begins`);
      await delay(ms);
      seen.push(`${name} ends`);
      return name;
    };
    const failing = assert.rejects(
      turns.take('a', () => Promise.reject(new Error('no'))),
      /^Error: no$/,
    );
    const all = [turns.take('a', run('a1', 15)), turns.take('a', run('a2', 1)), turns.take('b', run('b', 5))];
    await failing;
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'b']);
    assert.equal(seen.join(), 'b begins,a1 begins,b ends,a1 ends,a2 begins,a2 ends');
    await delay(0);
    assert.equal(turns.size, 0);
  });
});

const never = new AbortController().signal;

describe('util/queues: fair', () => {
  let turns: FairQueue;
  let seen: string[];

  beforeEach(() => {
    turns = new FairQueue();
    seen = [];
  });

  /** Takes a turn that lasts until the returned promise is resolved. */
  function take(owner: string, name: string, ended = never) {
    const { promise, resolve } = Promise.withResolvers<string>();
    const taken = turns.take(owner, ended, () => {
      seen.push(name);
      return promise;
    });
    return { taken, finish: () => resolve(name) };
  }

  it('one at a time; the owner that was served longest ago is next, and nothing is kept', async () => {
    const all = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3'), take('b', 'b1'), take('c', 'c1')];
    await settle();
    assert.deepEqual(seen, ['a1']);
    all[0]?.finish();
    await settle();
    assert.deepEqual(seen, ['a1', 'b1']);
    all.push(take('b', 'b2'));
    for (const { finish } of all) finish();
    const results = await Promise.all(all.map(({ taken }) => taken));
    assert.deepEqual(results, ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
    assert.deepEqual(seen, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    assert.equal(turns.size, 0);
  });

  it('an aborted turn ends at once: in the queue it is never run, and a running one waits for nothing', async () => {
    const [running, waiting] = [new AbortController(), new AbortController()];
    const all = [take('a', 'a1', running.signal), take('b', 'b1', waiting.signal), take('c', 'c1')];
    await settle();
    waiting.abort();
    assert.equal(await all[1]?.taken, undefined);
    assert.deepEqual([seen, turns.size], [['a1'], 2]);
    running.abort();
    assert.equal(await all[0]?.taken, undefined);
    await settle();
    assert.deepEqual([seen, turns.size], [['a1', 'c1'], 1]);
    const failing = turns.take('a', never, () => Promise.reject(new Error('no')));
    all[2]?.finish();
    await all[2]?.taken;
    await assert.rejects(failing, /no/);
    assert.equal(await turns.take('a', AbortSignal.abort(), async () => 'late'), undefined);
    assert.equal(turns.size, 0);
  });
});

describe('util/queues: inParallel', () => {
  it('runs so many at a time, and keeps the order', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([3, 1, 2, 0], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn++) await settle();
      running--;
      return turns * 10;
    });
    assert.deepEqual(results, [30, 10, 20, 0]);
    assert.equal(most, 2);
  });
});

describe('util/queues: in slices', () => {
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
