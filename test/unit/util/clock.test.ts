import assert from 'node:assert/strict';
import { delay, timeout } from '../../../src/util/clock.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('util/clock', () => {
  const clock = holdClock();

  it('ends a delay in time, or with the reason of a signal at once', async () => {
    const stop = new AbortController();
    const [whole, stopped] = [delay(100), delay(100, stop.signal)];
    stop.abort(new Error('stopped'));
    await assert.rejects(stopped, /stopped/);
    await assert.rejects(delay(100, stop.signal), /stopped/);
    assert.deepEqual(clock.waits, [100]);
    clock.tick(100);
    await whole;
  });

  it('aborts a signal in time, with the reason of a timeout', () => {
    const signal = timeout(100);
    clock.tick(99);
    assert.equal(signal.aborted, false);
    clock.tick(1);
    assert.equal(signal.reason.name, 'TimeoutError');
  });
});
