import assert from 'node:assert/strict';
import { bounded } from '../../../src/util/runBounded.ts';

describe('util/runBounded', () => {
  it('gives what is done in time, and what is thrown', () => {
    const shown = bounded(() => 'b', 1000);
    assert.equal(shown, 'b');
    assert.throws(() => bounded(() => assert.fail('mine'), 1000), /mine/);
  });

  it('ends an expression that does not end', () =>
    assert.throws(() => bounded(() => /^(a+)+$/.test(`${'a'.repeat(50)}b`), 20), /timed out/));

  it('runs again what had no time on a processor', () => {
    let times = 0;
    const waits = new Int32Array(new SharedArrayBuffer(4));
    const run = () => {
      if (++times === 1) Atomics.wait(waits, 0, 0, 400);
      return times;
    };
    assert.equal(bounded(run, 200), 2);
  });
});
