import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isComparable,
  isSameChange,
  type LineChange,
  lineChanges,
  unifiedDiff,
} from '../../../src/util/lineDiff.ts';

/** Applies changes as an editor does: all of them mean the text before. */
function applied(before: string, changes: readonly LineChange[]): string {
  const lines = before.split('\n');
  const offset = ({ line, character }: LineChange['start']) =>
    lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, character);
  return changes.reduceRight(
    (text, { start, end, text: replacement }) =>
      text.slice(0, offset(start)) + replacement + text.slice(offset(end)),
    before,
  );
}

const place = ({ start, end, text }: LineChange) =>
  `${start.line}:${start.character}-${end.line}:${end.character} ${JSON.stringify(text)}`;

const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join('');

describe('util/lineDiff', () => {
  const CASES: [what: string, before: string, after: string, expected: string[]][] = [
    ['a line', 'a\nb\nc\n', 'a\nx\nc\n', ['1:0-2:0 "x\\n"']],
    ['a line that is added', 'a\nc\n', 'a\nb\nc\n', ['1:0-1:0 "b\\n"']],
    ['lines apart', 'a\nb\nc\n', 'x\nb\ny\n', ['0:0-1:0 "x\\n"', '2:0-3:0 "y\\n"']],
    ['the last line, without a newline', 'a\nb', 'a\nx', ['1:0-1:1 "x"']],
    ['a newline at the end', 'a', 'a\n', ['0:0-0:1 "a\\n"']],
    ['all of it', 'a\n', '', ['0:0-1:0 ""']],
    ['an empty text', '', 'a', ['0:0-0:0 "a"']],
  ];
  for (const [what, before, after, expected] of CASES)
    it(`changes ${what}`, () => assert.deepEqual(lineChanges(before, after).map(place), expected));

  it('changes that are applied to the text before give the text after', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a', '🌲\n');
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, (before, after) =>
        assert.equal(applied(before, lineChanges(before, after)), after),
      ),
      { numRuns: 200 },
    );
  });

  for (const [what, head, tail] of [
    ['of the whole text', '', ''],
    ['between lines that both have', 'head\n', 'tail\n'],
    ['where half a line is alike', 'head\nhalf', 'half\ntail'],
  ] as const)
    it(`is one change ${what} where the rest is altogether different`, () => {
      const [before = '', after = ''] = ['b', 'a'].map((name) => `${head}${numbered(5000, name)}${tail}`);
      const changes = lineChanges(before, after);
      assert.deepEqual([changes.length, changes[0]?.start.line], [1, head ? 1 : 0]);
      assert.equal(applied(before, changes), after);
    });

  it('passes over a million lines that stay, at both ends, and compares no million that change', () => {
    const lines = '\n'.repeat(500_000);
    const [before, after] = [`${lines}x\n${lines}`, `${lines}y\n${lines}`];
    assert.deepEqual(lineChanges(before, after).map(place), ['500000:0-500001:0 "y\\n"']);
    const diff = unifiedDiff('a', before, after) ?? '';
    assert.match(diff, /\n@@ -499997,9 \+499997,9 @@\n \n \n \n \n-x\n\+y\n/);
    assert.equal(isComparable(`x${lines}`, `y${lines}`), true);
    assert.equal(isComparable(`x${lines}x`, `y${lines}y`), false);
    assert.equal(unifiedDiff('a', `x${lines}x`, `y${lines}y`), undefined);
  });

  it('compares what stands behind a character that ends a line elsewhere', () => {
    const [one, two] = ['1', '2'].map((text) => ({ before: 'a\n', after: `a\n\u2028@@ ${text}\n` }));
    assert.ok(one && two && isSameChange(one, one) && !isSameChange(one, two));
  });

  it('makes a unified diff, and none of what has nothing in common', () => {
    const shown = unifiedDiff('src/a.ts', 'a\nb\n', 'a\nx\n');
    assert.equal(shown, '--- src/a.ts\tbefore\n+++ src/a.ts\tafter\n@@ -1,2 +1,2 @@\n a\n-b\n+x\n');
    assert.equal(unifiedDiff('a', numbered(5000, 'x'), numbered(5000, 'y')), undefined);
  });
});
