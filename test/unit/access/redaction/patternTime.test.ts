import assert from 'node:assert/strict';
import { PatternsTooSlow, PatternTime } from '../../../../src/access/redaction/patternTime.ts';

describe('access/redaction/patternTime', () => {
  /** Patterns that take so many milliseconds for a text, by a clock of our own. */
  function timed() {
    let now = 0;
    const limits: number[] = [];
    const time = new PatternTime(
      (find, ms) => {
        limits.push(ms);
        const takes = find() as number;
        now += Math.min(takes, ms);
        if (takes > ms) throw Object.assign(new Error(), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
        return takes as never;
      },
      () => now,
    );
    const run = (takes: number, length = 41) => time.run(length, () => takes);
    return { run, limits, passes: (ms: number) => (now += ms), now: () => now };
  }

  for (const takes of [900, 60_000])
    it(`stops the extension host for no more than 4 s in all, if each of 40 texts takes ${takes} ms`, () => {
      const { run, now } = timed();
      for (let times = 0; times < 40; times++)
        try {
          run(takes);
        } catch (error) {
          assert.ok(error instanceof PatternsTooSlow);
        }
      assert.ok(now() < 4_000, `${now()}`);
    });

  it('gives time for slow texts again after a while, and always enough for usual ones', () => {
    const { run, passes, limits } = timed();
    for (let times = 0; times < 40; times++) assert.throws(() => run(60_000), PatternsTooSlow);
    for (let times = 0; times < 1_000; times++) run(20);
    run(200, 1_000_000);
    passes(60_000);
    limits.length = 0;
    assert.throws(() => run(60_000), PatternsTooSlow);
    assert.deepEqual(limits, [1_000]);
  });
});
