import assert from 'node:assert/strict';
import { type Pattern, regexOf, replaceMatches } from '../../../../src/features/edit/replaceMatches.ts';

const TEXT: Pattern = { query: '', isRegex: false, caseSensitive: false, wholeWord: false };

function replaced(text: string, pattern: Partial<Pattern>, replacement: string, more: object = {}) {
  const whole = { ...TEXT, ...pattern };
  const how = whole.isRegex ? replacement : () => replacement;
  return replaceMatches(text, { regex: regexOf(whole), replacement: how, isMultiline: false, ...more });
}

describe('features/edit/replaceMatches', () => {
  const cases: [what: string, text: string, pattern: Partial<Pattern>, replacement: string, after: string][] =
    [
      ['text, whatever its case', 'a.b A.B axb', { query: 'a.b' }, '$&', '$& $& axb'],
      ['text in the same case', 'ab AB', { query: 'ab', caseSensitive: true }, 'c', 'c AB'],
      ['whole words, in any script', 'tö töt ttö', { query: 'tö', wholeWord: true }, 'x', 'x töt ttö'],
      ['a group', 'f(a, b)', { query: 'f\\((\\w), (\\w)\\)', isRegex: true }, '$$ $2 $1 $&', '$ b a f(a, b)'],
      ['within lines only', 'a \n b', { query: 'a\\s*', isRegex: true }, 'x', 'x\n b'],
      ['line starts, but for the last', 'a\n\nb\n', { query: '^', isRegex: true }, '//', '//a\n//\n//b\n'],
      ['letters of a script', 'aж', { query: '\\p{Script=Cyrillic}', isRegex: true }, 'x', 'ax'],
    ];
  for (const [what, text, pattern, replacement, after] of cases)
    it(`replaces ${what}`, () => assert.equal(replaced(text, pattern, replacement).text, after));

  it('replaces over lines', () => {
    const pattern = { query: 'a\\nb', isRegex: true };
    const { text, count } = replaced('a\nb\na\nb\n', pattern, 'x', { isMultiline: true });
    assert.deepEqual([text, count], ['x\nx\n', 2]);
  });

  it('tells the lines', () =>
    assert.deepEqual(replaced('a\nb\naa', { query: 'a' }, 'c').lines, new Set([1, 3])));

  it('leaves matches that touch the mark', () => {
    const mark = '[redacted]';
    const { text, count } = replaced('key [redacted]\na red\n', { query: 'red' }, 'x', { mark });
    assert.deepEqual([text, count], ['key [redacted]\na x\n', 1]);
    assert.equal(replaced('a[redacted]', { query: 'a' }, 'x', { mark }).count, 0);
    assert.equal(replaced('a [redacted]', { query: 'a' }, 'x', { mark }).count, 1);
  });

  for (const query of ['(?i)a', '(?P<n>a)', 'a(', '[[:alpha:]]', 'a\\-b', 'a)(?:b'])
    it(`refuses ${query}, which JavaScript does not know`, () =>
      assert.throws(
        () => regexOf({ ...TEXT, query, isRegex: true, wholeWord: true }),
        /has to be one of both\. For JavaScript: \S/,
      ));
});
