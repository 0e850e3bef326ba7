import assert from 'node:assert/strict';
import { LineMap } from '../../../src/util/lineMap.ts';

const CASES: [name: string, from: string, to: string, near: number[], same: number[]][] = [
  ['lines before others', 'a\nb\n', 'x\ny\na\nb\n', [2, 3, 4], [0, 1, 2]],
  ['lines that are gone', 'a\nx\ny\nb', 'a\nb', [0, 1, 1, 1], [0, 3]],
  ['another line in the place of one', 'a\nx\nb\n', 'a\ny\nb\n', [0, 1, 2, 3], [0, 2, 3]],
  ['more lines in the place of fewer', 'a\nx\nb', 'a\n1\n2\n3\nb', [0, 1, 4], [0, 2]],
  ['fewer lines in the place of more', 'a\nx\ny\nz\nb', 'a\n1\nb', [0, 1, 1, 1, 2], [0, 4]],
  ['nothing in common', 'a\nb', 'x', [0, 0], []],
  ['nothing', 'a\n', '', [0, 0], [1]],
  ['one more end of line', 'a', 'a\n', [0], [0]],
];

describe('util/lineMap', () => {
  for (const [name, from, to, near, same] of CASES)
    it(name, () => {
      const map = new LineMap(from, to);
      const lines = from.split('\n').map((_, line) => line);
      assert.deepEqual(
        lines.map((line) => map.near({ line, character: 0 }).line),
        near,
      );
      assert.deepEqual(
        lines.filter((line) => map.same({ line, character: 0 })),
        same,
      );
    });

  it('keeps the character of a line that is the same, and of no other', () => {
    const map = new LineMap('a\nbb\n', 'x\nbb\n');
    assert.deepEqual(map.near({ line: 1, character: 2 }), { line: 1, character: 2 });
    assert.deepEqual(map.near({ line: 0, character: 1 }), { line: 0, character: 0 });
    assert.deepEqual(map.near({ line: 9, character: 1 }), { line: 2, character: 0 });
  });

  it('tells whether lines are the same and together', () => {
    const map = new LineMap('a\nb\nc\n', 'a\nx\nb\nc\n');
    assert.deepEqual(
      [map.areSame(0, 0), map.areSame(0, 1), map.areSame(1, 2), map.areSame(2, 9)],
      [true, false, true, false],
    );
  });
});
