import assert from 'node:assert/strict';
import { applyReplacements, ReplacementError } from '../../../../src/core/text/replacements.ts';
import { rowsOf } from '../rowsOf.ts';

const editsOf = (texts: readonly string[]) =>
  texts.flatMap((oldText, at) => (at % 2 ? [] : { oldText, newText: texts[at + 1] ?? '' }));

describe('core/text/replacements', () => {
  /** What, the text before and after, and the old and new text of each edit. */
  const APPLIED = rowsOf(`
one │ a b c │ a x c │ b │ x
one in what another has put there │ a │ d c │ a │ b c │ b │ d
one that another has made single │ a a │ c b │ a a │ a b │ a │ c
with CRLF, in a text with LF │ a⏎b⏎c │ x⏎y⏎c │ a\r⏎b │ x\r⏎y
with CR alone │ a⏎b │ x │ a\rb │ x
what is removed │ a b c │ a c │  b
all of it │ abc │  │ abc
patterns of replacement as they are │ a b c │ a $& $1 $$ $\` $' $<x> c │ b │ $& $1 $$ $\` $' $<x>
patterns of expressions as they are │ a.c abc │ x abc │ a.c │ x
characters of two units │ 🌲🌳 │ 🌲🌴 │ 🌳 │ 🌴
halves of them, where both change │ 🌲 │ 🜴 │ \udf32 │ \udf34 │ \ud83c │ \ud83d
beside half a character that was there │ a \ud83c │ b \ud83c │ a │ b
nothing at all, in an empty text │  │ a⏎b │  │ a\r⏎b
nothing at all, in a text that another has emptied │ a │ b │ a │  │  │ b
a NUL that was there │ a\0b │ cb │ a\0 │ c
`);
  for (const [what, before = '', after = '', ...edits] of APPLIED)
    it(`replaces ${what}`, () => assert.equal(applyReplacements(before, editsOf(edits)), after));

  /** What, the text before, the message, and the edits. */
  const REFUSED = rowsOf(`
nothing to replace │ a │ ^oldText of the edit is empty: .* An empty oldText is for empty files only │  │ b
half a character │ a │ ^newText of the edit contains half a character │ a │ \ud83c
to leave half a character │ 🌲🌳 │ ^the text would contain half a character afterwards │ \udf33
a NUL │ a b │ ^newText of edits\\[1\\] contains a NUL │ a │ c │ b │ x\0
what stays the same │ a │ oldText and newText of the edit are the same │ a │ a
what differs in line ends only │ a⏎b │ are the same │ a⏎b │ a\r⏎b
edits that undo each other │ a │ undo each other │ a │ b │ b │ a
what is there twice │ a⏎x⏎a⏎ │ more than once, at lines 1, 3\\. Add surrounding lines │ a │ b
what is twice in a line │ b⏎axa │ more than once, at line 2\\. │ a │ b
what overlaps itself │ aaa │ more than once, at line 1\\. │ aa │ b
what is there many times │ x⏎x⏎x⏎x⏎x⏎x⏎x⏎x⏎x⏎x⏎x⏎x⏎ │ at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …\\. │ x │ y
what is not there │ a │ ^oldText of the edit is not in the file\\. Read the file again │ b │ c
what is gone after another │ a b │ ^oldText of edits\\[1\\] is no longer in the file after edits\\[0\\]: .*apply in order │ a │ x │ a │ y
what was put there and taken away again │ a │ ^oldText of edits\\[3\\] is no longer in the file after edits\\[1\\] │ a │ b │ b │ c │ c │ d │ b │ x
what never was there, beside others │ a b │ ^oldText of edits\\[1\\] is not in the file\\. Read │ a │ x │ c │ y
what is spelled in another case │ const Apple = 1; │ line 1, column 7: 'A' where you wrote 'a'\\. Nearest:\\nline 1:\\nconst Apple = 1;\\nCopy │ const apple = 1;
`);
  for (const [what, before = '', message = '', ...edits] of [
    ...REFUSED,
    ['nothing in an empty text', '', 'are the same', ''],
  ])
    it(`refuses ${what}`, () =>
      assert.throws(
        () => applyReplacements(before, editsOf(edits)),
        (error: Error) => error instanceof ReplacementError && new RegExp(message).test(error.message),
      ));

  it('counts the lines of a text that is there very often in one go', () =>
    assert.throws(
      () => applyReplacements('ab'.repeat(500_000), editsOf(['a', 'b'])),
      /more than once, at line 1\./,
    ));
});
