import assert from 'node:assert/strict';
import { terminalText } from '../../../src/services/runs.ts';

const CASES: [what: string, raw: string, shown: string][] = [
  ['plain lines', '[1] 完成 🎉\r\nb\n', '[1] 完成 🎉\nb\n'],
  ['colours and moves of the cursor', '\x1b[1;31mred\x1b[0m\x1b[?25h!', 'red!'],
  ['titles and marks of the shell', '\x1b]0;title\x07a\x1b]633;C\x07', 'a'],
  ['links', '\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['a title whose end has not come', 'a\x1b]0;tit', 'a'],
  ['a title that has no end', 'a\x1b]0;tit\nb', 'a\nb'],
  ['a sequence whose end has not come', 'a\x1b[31', 'a'],
  ['what single commands say', '\x1b(Ba\x1b=b\x1b7', 'ab'],
  ['a bar of progress', '1%\r50%\r100%\r\ndone', '100%\ndone'],
  [
    'a spinner that is gone',
    'a\n⠙\x1b[1G\x1b[0K⠹\x1b[1G\x1b[0K\n⠙\r\x1b[K\n⠙\x1b[2K\x1b[1Gdone\r\n',
    'a\n\n\ndone\n',
  ],
  ['backspaces', 'ab\b\bcd\bx\n\b', 'cx\n'],
  ['bells and other control characters', 'a\x07\x00b\tc', 'ab\tc'],
];

describe('services/terminalRuns', () => {
  for (const [what, raw, shown] of CASES) it(what, () => assert.equal(terminalText(raw), shown));

  it('takes no time for hostile texts', () => {
    for (const piece of ['\x1b]', '\x1b[0', '\x1b[1G', '\r', '\b', '\x1bP\x1b'])
      assert.ok(terminalText(piece.repeat(20_000)) !== piece);
  });
});
