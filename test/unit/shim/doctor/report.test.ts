import assert from 'node:assert/strict';
import { bad, exitCode, ok, render, warn } from '../../../../src/shim/doctor/report.ts';

const section = (...findings: ReturnType<typeof ok>[]) => ({ title: 'Here', findings });

describe('shim/doctor/report', () => {
  it('is 0 with a window, 1 without, and 2 where something is broken, with a window or without', () => {
    const fine = [section(ok('a'), warn('b'))];
    assert.deepEqual([exitCode(fine, true), exitCode(fine, false)], [0, 1]);
    const broken = [...fine, section(bad('c'))];
    assert.deepEqual([exitCode(broken, true), exitCode(broken, false)], [2, 2]);
  });

  it('has a line for each finding, with its mark, and no line that a name could forge', () => {
    const text = render([section(ok('fine'), warn('first\nsecond'), bad('a\r\u202eb'))], 2);
    assert.equal(
      text,
      'Here\n  ✔ fine\n  ! first\n      second\n  ✘ a\\u{d}\\u{202e}b\n\n' +
        'Something is broken: see the lines with ✘. (exit code 2)\n',
    );
  });
});
