import assert from 'node:assert/strict';
import { PatternsTooSlow, PatternTime } from '../../../../src/access/redaction/patterns.ts';
import { setBounded } from '../../../../src/util/runBounded.ts';
import { holdClock } from '../../../fakes/clock.ts';

describe('access/redaction/patterns: their time', () => {
  const clock = holdClock();
  let limits: number[];
  let time: PatternTime;

  beforeEach(() => {
    limits = [];
    time = new PatternTime();
    setBounded((find, ms) => {
      limits.push(ms);
      const takes = Number(find());
      clock.tick(Math.min(takes, ms));
      if (takes > ms) throw Object.assign(new Error(), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
      return takes as never;
    });
  });
  afterEach(() => setBounded());

  /** Patterns that take so many milliseconds for a text. */
  const run = (takes: number, length = 41) => time.run(length, () => takes);

  for (const takes of [900, 60_000])
    it(`stops the extension host for no more than 4 s in all, if each of 40 texts takes ${takes} ms`, () => {
      const start = clock.now();
      for (let times = 0; times < 40; times++)
        try {
          run(takes);
        } catch (error) {
          assert.ok(error instanceof PatternsTooSlow);
        }
      assert.ok(clock.now() - start < 4_000, `${clock.now() - start}`);
    });

  it('gives time for slow texts again after a while, and always enough for usual ones', () => {
    for (let times = 0; times < 40; times++) assert.throws(() => run(60_000), PatternsTooSlow);
    for (let times = 0; times < 1_000; times++) run(20);
    run(200, 1_000_000);
    clock.tick(60_000);
    limits = [];
    assert.throws(() => run(60_000), PatternsTooSlow);
    assert.deepEqual(limits, [1_000]);
  });
});
