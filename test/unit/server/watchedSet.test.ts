import assert from 'node:assert/strict';
import { WatchedSet } from '../../../src/server/watchedSet.ts';

describe('server/watchedSet', () => {
  it('tells of each change, and of nothing else', () => {
    const seen: string[][] = [];
    const set: WatchedSet<string> = new WatchedSet(['a'], () => seen.push([...set]));
    set.add('a').add('b');
    set.delete('c');
    set.delete('a');
    set.clear();
    set.clear();
    assert.deepEqual(seen, [['a', 'b'], ['b'], []]);
  });
});
