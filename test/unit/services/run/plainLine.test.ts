import assert from 'node:assert/strict';
import { plainLine } from '../../../../src/services/run/plainLine.ts';

const CASES: [what: string, raw: string, shown: string][] = [
  ['a plain line', '[1] 完成 🎉\r', '[1] 完成 🎉'],
  ['colours and moves of the cursor', '\x1b[1;31mred\x1b[0m\x1b[?25h!', 'red!'],
  ['titles, links and marks of the shell', '\x1b]0;title\x07a\x1b]8;;https://x\x1b\\b\x1b]633;C\x07', 'ab'],
  ['a title or sequence whose end has not come', 'a\x1b[1m\x1b]0;tit', 'a'],
  ['a sequence whose end has not come', 'a\x1b[31', 'a'],
  ['what single commands say', '\x1b(Ba\x1b=b\x1b7', 'ab'],
  ['a bar of progress', '1%\r50%\r100%\r\r', '100%'],
  ['backspaces', 'ab\b\bcd\bx', 'cx'],
  ['bells and other control characters', 'a\x07\x00b\tc', 'ab\tc'],
];

describe('services/run/plainLine', () => {
  for (const [what, raw, shown] of CASES) it(what, () => assert.equal(plainLine(raw), shown));

  it('takes no time for hostile texts', () => {
    for (const piece of ['\x1b]', '\x1b[0', '\x1b[1G', '\r', '\b', '\x1bP\x1b'])
      assert.ok(plainLine(piece.repeat(20_000)) !== piece);
  });
});
