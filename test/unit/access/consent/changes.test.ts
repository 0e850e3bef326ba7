import assert from 'node:assert/strict';
import { changeOf } from '../../../../src/access/consent/changes.ts';

const ROOM = 10_000;
/** The lines as the user reads them; what is not in the other line is in brackets. */
const shown = (before: string, after: string): string[] =>
  changeOf({ before, after }, ROOM).lines.map(({ kind, before, after, parts }) => {
    const text = parts.map((part) => (part.isChanged ? `[${part.text}]` : part.text)).join('');
    return `${{ same: ' ', removed: '-', added: '+', gap: '…' }[kind]} ${before ?? ''} ${after ?? ''} ${text}`;
  });
const counts = (before: string, after: string) => {
  const { lines, ...rest } = changeOf({ before, after }, ROOM);
  return rest;
};
const NOTHING = { added: 0, removed: 0, onlyWhite: 0, long: [], hidden: [], isCut: false };

describe('access/consent/changes: what a question shows of a change', () => {
  it('are the changed lines with their numbers, and three around them', () => {
    const text = (five: string) => ['1', '2', '3', '4', five, '6', '7', '8', '9', ''].join('\n');
    const said = shown(text('old x'), text('new x')).join('|');
    assert.equal(said, '…   |  2 2 2|  3 3 3|  4 4 4|- 5  [old]·x|+  5 [new]·x|  6 6 6|  7 7 7|  8 8 8|…   ');
  });

  it('is every space and tab that changes, also beside another change', () => {
    const [before, after] = ['if x:\n    # a\n    go()\n', 'if x:\n    # b\n\tgo()\n'];
    assert.deepEqual(shown(before, after).slice(-4), [
      '- 2  ····#·[a]',
      '- 3  [····]go()',
      '+  2 ····#·[b]',
      '+  3 [→\t]go()',
    ]);
    assert.deepEqual(counts(before, after), { ...NOTHING, added: 2, removed: 2, onlyWhite: 2 });
  });

  it('counts lines that move in or out, and empty ones, as white space only', () => {
    const moved = counts('a\n  b\nc\n', 'a\nb\n\nc\n');
    assert.deepEqual(moved, { ...NOTHING, added: 2, removed: 1, onlyWhite: 3 });
    assert.deepEqual(counts('a\n', 'b\n'), { ...NOTHING, added: 1, removed: 1 });
  });

  for (const character of ['\u2028', '\r', '\u{e0041}']) {
    const name = `\\u{${character.codePointAt(0)?.toString(16)}}`;
    it(`spells out ${name}, and tells its line`, () => {
      assert.deepEqual(shown('', `a\n${character}b\n`), ['+  1 [a]', `+  2 [${name}][b]`]);
      assert.deepEqual(counts('', `a\n${character}b\n`).hidden, [2]);
    });
  }

  it('points out long lines and text far to the right, cuts the lines that stay, and counts long runs of spaces', () => {
    const after = `short\n${'x'.repeat(301)}\nx${' '.repeat(80)}// evil()\n`;
    assert.deepEqual(counts('short\n', after).long, [2, 3]);
    const long = 'x'.repeat(50_000);
    const expected = [`  1 1 ${'x'.repeat(300)}…`, `+  2 [x][${'·'.repeat(30)}⟨5000⟩][evil()]`];
    assert.deepEqual(shown(`${long}\n`, `${long}\nx${' '.repeat(5_000)}evil()\n`), expected);
  });

  it('leaves out a line of megabytes, and takes any number of lines', () => {
    const { lines, isCut } = changeOf({ before: 'a\n', after: `${'a '.repeat(ROOM)}\n` }, ROOM);
    assert.deepEqual([isCut, lines.length], [true, 1]);
    const many = changeOf({ before: '', after: 'x\n'.repeat(2 * ROOM) }, ROOM);
    assert.deepEqual([many.added, many.isCut, many.lines.length], [2 * ROOM, true, ROOM / 2]);
  });

  it('tells a missing newline at the end', () => {
    const [before, after] = changeOf({ before: 'a\n', after: 'a' }, ROOM).lines.map(({ parts }) => parts);
    assert.deepEqual(before, [{ text: 'a' }]);
    assert.deepEqual(after, [{ text: 'a' }, { text: '', mark: 'end', isChanged: true }]);
  });
});
