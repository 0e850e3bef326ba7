import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '../../../src/util/keyedQueue.ts';

describe('util/turns', () => {
  it('one after the other for the same key, at once for others, and nothing is kept', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const run = (name: string, ms: number) => async () => {
      seen.push(`${name} begins`);
      await delay(ms);
      seen.push(`${name} ends`);
      return name;
    };
    const all = [turns.take('a', run('a1', 15)), turns.take('a', run('a2', 1)), turns.take('b', run('b', 5))];
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'b']);
    assert.deepEqual(seen, ['a1 begins', 'b begins', 'b ends', 'a1 ends', 'a2 begins', 'a2 ends']);
    await delay(0);
    assert.equal(turns.size, 0);
  });

  it('goes on after a failure, which only its own caller sees', async () => {
    const turns = new Turns();
    const failing = turns.take('a', () => Promise.reject(new Error('no')));
    const next = turns.take('a', async () => 'yes');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'yes');
  });
});
