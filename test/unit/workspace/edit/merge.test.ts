import assert from 'node:assert/strict';
import { merge } from '../../../../src/workspace/edit/merge.ts';

const textAndConflicts = (...texts: [base: string, ours: string, theirs: string]) => {
  const { text, conflicts } = merge(...texts);
  return [text, conflicts];
};

describe('workspace/edit/merge', () => {
  const cases: [string, [base: string, ours: string, theirs: string], string][] = [
    ['changes in different lines', ['a\nb\nc\nd\ne', 'a\nB\nc\nd\ne', 'a\nb\nc\nd\nE'], 'a\nB\nc\nd\nE'],
    ['neighbours', ['a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n'], 'A\nB\nc\n'],
    ['lines that are gone and come', ['a\nb\nc\nd\n', 'b\nc\nd\n', 'a\nb\nc\nx\nd\n'], 'b\nc\nx\nd\n'],
    ['a text that was empty', ['', 'a', ''], 'a'],
    ['theirs alone', ['a\nb', 'a\nb', 'a\nc\n'], 'a\nc\n'],
    ['a deletion that both made', ['a\nb\nc\nd\n', 'a\nd\n', 'a\nd\nx\n'], 'a\nd\nx\n'],
    ['one that both made', ['a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nD\n'], 'a\nB\nc\nD\n'],
  ];
  for (const [what, texts, expected] of cases)
    it(`takes both changes: ${what}`, () => assert.deepEqual(textAndConflicts(...texts), [expected, []]));

  it('takes theirs where both changed the same lines, or inserted in the same place', () => {
    const both = merge('a\nb\nc\nd\n', 'a\nB\nc\nD\n', 'a\nbb\nc\nd\n');
    const others = 'a\nbb\nc\nd\n';
    assert.deepEqual(both, { text: 'a\nbb\nc\nD\n', conflicts: [{ start: 1, end: 2 }], others });
    const inserted = merge('a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n');
    assert.deepEqual([inserted.text, inserted.conflicts], ['a\ny\nb\n', [{ start: 1, end: 1 }]]);
    assert.equal(merge('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nbb\nc\nD\n').others, 'a\nbb\nc\nd\n');
  });

  it('deletes the lines around a line that the other changed', () =>
    assert.deepEqual(textAndConflicts('a\nb\nc\nd\n', 'a\n', 'a\nb\nC\nd\n'), [
      'a\nC\n',
      [{ start: 2, end: 3 }],
    ]));
});
