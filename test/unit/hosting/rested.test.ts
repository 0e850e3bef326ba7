import assert from 'node:assert/strict';
import { rested } from '../../../src/hosting/lifecycle/rested.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('hosting/rested', () => {
  const clock = holdClock();

  it('reads the lists of a server that changes them all the time in a twentieth of the time at most', async () => {
    let readings = 0;
    const changes = rested(async () => {
      readings++;
      clock.tick(100);
    });
    const readingsIn = async (ms: number) => {
      const before = readings;
      for (const end = clock.now() + ms; clock.now() < end; await clock.pass(300)) changes();
      return readings - before;
    };
    assert.equal(await readingsIn(900), 1);
    assert.equal(await readingsIn(8_100), 4);
    changes.dispose();
    assert.equal(await readingsIn(3_000), 0);
  });
});
