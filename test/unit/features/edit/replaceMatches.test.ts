import assert from 'node:assert/strict';
import { type Pattern, regexOf, replaceMatches } from '../../../../src/features/edit/replaceMatches.ts';

const TEXT: Pattern = { query: '', isRegex: false, caseSensitive: false, wholeWord: false };

function replaced(text: string, pattern: Partial<Pattern>, replacement: string, more: object = {}) {
  const whole = { ...TEXT, ...pattern };
  const how = whole.isRegex ? replacement : () => replacement;
  return replaceMatches(text, { regex: regexOf(whole), replacement: how, isMultiline: false, ...more });
}

describe('features/edit/replaceMatches', () => {
  it('replaces text, or an expression, within lines, and tells which', () => {
    for (const [text, pattern, replacement, after] of [
      ['a.b A.B axb', { query: 'a.b' }, '$&', '$& $& axb'],
      ['ab AB', { query: 'ab', caseSensitive: true }, 'c', 'c AB'],
      ['tö töt ttö', { query: 'tö', wholeWord: true }, 'x', 'x töt ttö'],
      ['f(a, b)', { query: 'f\\((\\w), (\\w)\\)', isRegex: true }, '$$ $2 $1 $&', '$ b a f(a, b)'],
      ['a \n b', { query: 'a\\s*', isRegex: true }, 'x', 'x\n b'],
      ['a\n\nb\n', { query: '^', isRegex: true }, '//', '//a\n//\n//b\n'],
      ['aж', { query: '\\p{Script=Cyrillic}', isRegex: true }, 'x', 'ax'],
    ] as const)
      assert.equal(replaced(text, pattern, replacement).text, after);
    assert.deepEqual(replaced('a\nb\naa', { query: 'a' }, 'c').lines, new Set([1, 3]));
  });

  it('replaces over lines', () => {
    const pattern = { query: 'a\\nb', isRegex: true };
    const { text, count } = replaced('a\nb\na\nb\n', pattern, 'x', { isMultiline: true });
    assert.deepEqual([text, count], ['x\nx\n', 2]);
  });

  it('leaves matches that touch the mark', () => {
    const mark = '[redacted]';
    const { text, count } = replaced('key [redacted]\na red\n', { query: 'red' }, 'x', { mark });
    assert.deepEqual([text, count], ['key [redacted]\na x\n', 1]);
    assert.equal(replaced('a[redacted]', { query: 'a' }, 'x', { mark }).count, 0);
    assert.equal(replaced('a [redacted]', { query: 'a' }, 'x', { mark }).count, 1);
  });

  it('refuses what JavaScript does not know', () => {
    for (const query of ['(?i)a', 'a(', '[[:alpha:]]', 'a\\-b', 'a)(?:b'])
      assert.throws(
        () => regexOf({ ...TEXT, query, isRegex: true, wholeWord: true }),
        /has to be one of both\. For JavaScript: \S/,
      );
  });
});
