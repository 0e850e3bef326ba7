import assert from 'node:assert/strict';
import {
  applyReplacements,
  type Replacement,
  ReplacementError,
} from '../../../../src/core/text/replacements.ts';

const edit = (oldText: string, newText: string): Replacement => ({ oldText, newText });

describe('core/text/replacements', () => {
  const APPLIED: [what: string, before: string, edits: Replacement[], after: string][] = [
    ['one', 'a b c', [edit('b', 'x')], 'a x c'],
    ['several, apply in order', 'a b', [edit('a', 'x'), edit('b', 'y')], 'x y'],
    ['one in what another has put there', 'a', [edit('a', 'b c'), edit('b', 'd')], 'd c'],
    ['one that another has made single', 'a a', [edit('a a', 'a b'), edit('a', 'c')], 'c b'],
    ['over several lines', 'a\nb\nc\n', [edit('a\nb\n', 'x\n')], 'x\nc\n'],
    ['with CRLF, in a text with LF', 'a\nb\nc', [edit('a\r\nb', 'x\r\ny')], 'x\ny\nc'],
    ['with CR alone', 'a\nb', [edit('a\rb', 'x')], 'x'],
    ['what is removed', 'a b c', [edit(' b', '')], 'a c'],
    ['all of it', 'abc', [edit('abc', '')], ''],
    [
      'patterns of replacement as they are',
      'a b c',
      [edit('b', "$& $1 $$ $` $' $<x>")],
      "a $& $1 $$ $` $' $<x> c",
    ],
    ['patterns of expressions as they are', 'a.c abc', [edit('a.c', 'x')], 'x abc'],
    ['characters of two units', '🌲🌳', [edit('🌳', '🌴')], '🌲🌴'],
    [
      'halves of them, where both change',
      '🌲',
      [edit('\udf32', '\udf34'), edit('\ud83c', '\ud83d')],
      '\ud83d\udf34',
    ],
    ['beside half a character that was there', 'a \ud83c', [edit('a', 'b')], 'b \ud83c'],
    ['nothing at all, in an empty text', '', [edit('', 'a\r\nb')], 'a\nb'],
    ['nothing at all, in a text that another has emptied', 'a', [edit('a', ''), edit('', 'b')], 'b'],
    ['a NUL that was there', 'a\0b', [edit('a\0', 'c')], 'cb'],
  ];
  for (const [what, before, edits, after] of APPLIED)
    it(`replaces ${what}`, () => assert.equal(applyReplacements(before, edits), after));

  const PLACES = Array.from({ length: 12 }, () => 'x\n').join('');
  const REFUSED: [what: string, before: string, edits: Replacement[], message: RegExp][] = [
    [
      'nothing to replace',
      'a',
      [edit('', 'b')],
      /^oldText of the edit is empty: .* An empty oldText is for empty files only/,
    ],
    ['nothing in an empty text', '', [edit('', '')], /are the same/],
    ['half a character', 'a', [edit('a', '\ud83c')], /^newText of the edit contains half a character/],
    [
      'to leave half a character',
      '🌲🌳',
      [edit('\udf33', '')],
      /^the text would contain half a character afterwards/,
    ],
    ['a NUL', 'a b', [edit('a', 'c'), edit('b', 'x\0')], /^newText of edits\[1\] contains a NUL/],
    ['what stays the same', 'a', [edit('a', 'a')], /oldText and newText of the edit are the same/],
    ['what differs in line ends only', 'a\nb', [edit('a\nb', 'a\r\nb')], /are the same/],
    ['edits that undo each other', 'a', [edit('a', 'b'), edit('b', 'a')], /undo each other/],
    [
      'what is there twice',
      'a\nx\na\n',
      [edit('a', 'b')],
      /more than once, at lines 1, 3\. Add surrounding lines/,
    ],
    ['what is twice in a line', 'b\naxa', [edit('a', 'b')], /more than once, at line 2\./],
    ['what overlaps itself', 'aaa', [edit('aa', 'b')], /more than once, at line 1\./],
    ['what is there many times', PLACES, [edit('x', 'y')], /at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …\./],
    [
      'what is not there',
      'a',
      [edit('b', 'c')],
      /^oldText of the edit is not in the file\. Read the file again/,
    ],
    [
      'what is gone after another',
      'a b',
      [edit('a', 'x'), edit('a', 'y')],
      /^oldText of edits\[1\] is no longer in the file after edits\[0\]: .*apply in order/,
    ],
    [
      'what was put there and taken away again',
      'a',
      [edit('a', 'b'), edit('b', 'c'), edit('c', 'd'), edit('b', 'x')],
      /^oldText of edits\[3\] is no longer in the file after edits\[1\]/,
    ],
    [
      'what never was there, beside others',
      'a b',
      [edit('a', 'x'), edit('c', 'y')],
      /^oldText of edits\[1\] is not in the file\. Read/,
    ],
    [
      'what is spelled in another case',
      'const Apple = 1;',
      [edit('const apple = 1;', '')],
      /Nearest:\nlines 1 to 1:\nconst Apple = 1;\nCopy/,
    ],
  ];
  for (const [what, before, edits, message] of REFUSED) {
    it(`refuses ${what}`, () =>
      assert.throws(
        () => applyReplacements(before, edits),
        (error: Error) => error instanceof ReplacementError && message.test(error.message),
      ));
  }

  it('counts the lines of a text that is there very often in one go', () =>
    assert.throws(
      () => applyReplacements('ab'.repeat(500_000), [edit('a', 'b')]),
      /more than once, at line 1\./,
    ));
});
