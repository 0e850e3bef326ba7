import assert from 'node:assert/strict';
import { cutText } from '../../../src/core/cutText.ts';

describe('core/cutText', () => {
  const CASES: [text: string, length: number, expected: string][] = [
    ['abc', 5, 'abc'],
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['😀', 1, ''],
    ['abc', 0, ''],
  ];
  for (const [text, length, expected] of CASES)
    it(`cuts ${text} to ${length}`, () => assert.equal(cutText(text, length), expected));
});
