import assert from 'node:assert/strict';
import { delay, timeout, withDeadline } from '../../../src/util/clock.ts';
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

describe('util/clock: a deadline', () => {
  it('gives the answer, or the error, that comes in time', async () => {
    assert.equal(await withDeadline(Promise.resolve(1), 'waiting', 1000), 1);
    await assert.rejects(withDeadline(Promise.reject(new Error('no')), 'waiting', 1000), /^Error: no$/);
  });

  it('says for what it has waited in vain, and takes an error that comes too late for nothing', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const message = /^UserError: .*did not answer within 0\.001 s while opening src\/a\.ts/;
    await assert.rejects(withDeadline(promise, 'opening src/a.ts', 1), message);
    reject(new Error('late')); // an unhandled rejection would fail the run
    await new Promise((resolve) => setImmediate(resolve));
  });
});
