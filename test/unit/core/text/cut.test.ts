import assert from 'node:assert/strict';
import { cutMiddle, cutText } from '../../../../src/core/text/cut.ts';

describe('core/text/cut', () => {
  const CASES: [text: string, length: number, expected: string][] = [
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 1, ''],
  ];
  for (const [text, length, expected] of CASES)
    it(`cuts ${text} to ${length}`, () => assert.equal(cutText(text, length), expected));

  it('cuts the middle, no character in two, and says how much is left out', () => {
    assert.equal(cutMiddle('abcdef', 6), 'abcdef');
    assert.equal(cutMiddle('abcdefgh', 6), 'abc […2 characters…] fgh');
    assert.equal(cutMiddle('ab🌲cdef🌳gh', 6), 'ab […8 characters…] gh');
  });
});
