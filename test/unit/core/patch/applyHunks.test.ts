import assert from 'node:assert/strict';
import { applyHunks } from '../../../../src/core/patch/applyHunks.ts';
import { parsePatch } from '../../../../src/core/patch/parsePatch.ts';
import { callsOf } from '../callsOf.ts';
import { rowsOf } from '../rowsOf.ts';

const hunksOf = (hunks: string) => parsePatch(`--- a/x\n+++ b/x\n${hunks}\n`)[0]?.hunks ?? [];
const apply = (text: string, hunks: string) => applyHunks(text, hunksOf(hunks), 'x');

/** `count` lines, each as its number. */
const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `${index + from}\n`).join('');

describe('core/patch/applyHunks', () => {
  /** What, the text before, the hunks, and the text after. */
  const cases = rowsOf(String.raw`
keeps a missing final newline that the patch does not know of │ a⏎b │ @@⏎-b⏎+c │ a⏎c
adds at the end of such a text │ a⏎b │ @@⏎ b⏎+c │ a⏎b⏎c
adds a final newline │ a │ @@⏎-a⏎\ No newline at end of file⏎+a │ a⏎
removes the final newline │ a⏎ │ @@⏎-a⏎+a⏎\ No newline at end of file │ a
keeps context as the text has it │ ⇥if a:⏎⇥⇥b⏎ │ @@⏎ if a:⏎-    b⏎+    c │ ⇥if a:⏎    c⏎
takes the only place │ a⏎b⏎a⏎c⏎ │ @@⏎ a⏎-c⏎+d │ a⏎b⏎a⏎d⏎
takes the first place below an anchor │ a⏎class B:⏎  a⏎  a⏎ │ @@ class B:⏎-  a⏎+  b │ a⏎class B:⏎  b⏎  a⏎
takes only places below the previous hunk │ a⏎x⏎a⏎ │ @@⏎-x⏎+y⏎@@⏎-a⏎+b │ a⏎y⏎b⏎
adds lines below an anchor │ a⏎b⏎ │ @@ a⏎+x │ a⏎x⏎b⏎
adds lines without context at the end │ a⏎b⏎ │ @@⏎+x │ a⏎b⏎x⏎
fills an empty text │  │ @@ -0,0 +1 @@⏎+x │ x⏎
empties a text │ x⏎ │ @@ -1 +0,0 @@⏎-x
lets context overlap │ a⏎b⏎c⏎ │ @@⏎-a⏎+A⏎ b⏎@@⏎ b⏎-c⏎+C │ A⏎b⏎C⏎
`);
  for (const [what = '', before = '', hunks = '', after = ''] of cases)
    it(what, () => assert.equal(apply(before, hunks).text, after));

  it('prefers the end for a hunk that ends the file', () => {
    const patch = '*** Begin Patch\n*** Update File: x\n@@\n a\n+b\n*** End of File\n*** End Patch';
    assert.equal(applyHunks('a\na\n', parsePatch(patch)[0]?.hunks ?? [], 'x').text, 'a\na\nb\n');
  });

  it('tells how far a hunk was from its line, and goes on from there', () => {
    const moved = `new\nnew\n${numbers(40)}`;
    const { text, places } = apply(moved, '@@ -10,2 +10,2 @@\n 10\n-11\n+x\n@@ -30,2 +30,2 @@\n 30\n-31\n+y');
    assert.equal(text, moved.replace('\n11\n', '\nx\n').replace('\n31\n', '\ny\n'));
    const place = { offset: 2, isLoose: false };
    assert.deepEqual(
      places,
      [11, 31].map((at) => ({ at, ...place })),
    );
  });

  it('takes the nearest of several places, an exact one first', () => {
    assert.deepEqual(apply('a\n1\n2\na\n', '@@ -3 +3 @@\n-a\n+b').text, 'a\n1\n2\nb\n');
    const { text, places } = apply(' a\n1\n2\na\n', '@@ -1 +1 @@\n-a\n+b');
    assert.deepEqual([text, places], [' a\n1\n2\nb\n', [{ at: 3, offset: 3, isLoose: false }]]);
    assert.deepEqual(apply(' a\n', '@@ -1 +1 @@\n-a\n+b').places, [{ at: 0, offset: 0, isLoose: true }]);
  });

  const refused = rowsOf(String.raw`
several places │ a⏎b⏎a⏎ │ @@⏎-a⏎+c │ x is unchanged: the hunk \(line 3 of the patch\) fits at several places, at lines 1, 3\. Add context
two places that are equally near │ a⏎b⏎a⏎ │ @@ -2 +2 @@⏎-a⏎+c │ several places, at lines 1, 3
two places of an anchor │ f⏎ a⏎f⏎ a⏎ │ @@ f⏎- a⏎+ b │ several places, at lines 2, 4
an unknown anchor │ a⏎ │ @@ class B⏎-a⏎+b │ there is no line "class B"\. After "@@" goes a whole line
what is not there, with the nearest lines │ const total = 1;⏎b⏎ │ @@ -1 +1 @@⏎-const totals = 1;⏎+c │ does not match the file\. .*Nearest:\nline 1:\nconst total = 1;\nCopy
what was applied before │ b⏎ │ @@ -1 +1 @@⏎-a⏎+b │ its new lines are there, at line 1: it may have been applied
the wrong order │ a⏎b⏎ │ @@⏎-b⏎+x⏎@@⏎-a⏎+y │ hunk 2 of 2 \(line 6 of the patch\) matches line 1, above the previous hunk
`);
  for (const [what, before = '', hunks = '', why = ''] of refused)
    it(`refuses ${what}`, () => assert.throws(() => apply(before, hunks), new RegExp(why)));

  it('looks for moved hunks by their rarest line, of many that are alike', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `${'a\n}\n\nb\n'.repeat(25)}line ${index}\n`);
    const text = `${'new\n'.repeat(100)}${lines.join('')}`;
    const hunks = lines.map((_, at) => `@@ -${(at + 1) * 101} +1 @@\n b\n-line ${at}\n+changed ${at}`);
    const comparisons = callsOf(Array.prototype, 'every', () =>
      assert.equal(apply(text, hunks.join('\n')).text, text.replaceAll(/^line /gm, 'changed ')),
    );
    assert.ok(comparisons <= 100, `${comparisons} comparisons`);
  });
});
