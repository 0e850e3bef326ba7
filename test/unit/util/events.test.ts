import assert from 'node:assert/strict';
import { debounce } from '../../../src/util/events.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('util/events: debounce', () => {
  const clock = holdClock();

  function counted(atMost?: number) {
    const run = { count: 0 };
    return {
      run,
      call: debounce(() => run.count++, atMost === undefined ? 100 : () => ({ quiet: 100, atMost })),
    };
  }

  it('runs once after a burst', () => {
    const { run, call } = counted();
    for (let count = 0; count < 5; count++) {
      call();
      clock.tick(99);
    }
    assert.equal(run.count, 0);
    clock.tick(1);
    assert.equal(run.count, 1);
    clock.tick(5000);
    assert.equal(run.count, 1);
  });

  it('does not wait for the end of a burst that does not end', () => {
    const { run, call } = counted(300);
    for (let count = 0; count < 10; count++) {
      call();
      clock.tick(50);
    }
    assert.equal(run.count, 1);
  });

  it('runs no more once disposed of', () => {
    const { run, call } = counted();
    call();
    call.dispose();
    call();
    clock.tick(5000);
    assert.equal(run.count, 0);
  });
});
