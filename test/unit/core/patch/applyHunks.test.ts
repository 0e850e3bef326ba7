import assert from 'node:assert/strict';
import { applyHunks } from '../../../../src/core/patch/applyHunks.ts';
import { parsePatch } from '../../../../src/core/patch/parsePatch.ts';
import { callsOf } from '../callsOf.ts';

const hunksOf = (hunks: string) => parsePatch(`--- a/x\n+++ b/x\n${hunks}\n`)[0]?.hunks ?? [];
const apply = (text: string, hunks: string) => applyHunks(text, hunksOf(hunks), 'x');

/** `count` lines, each as its number. */
const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `${index + from}\n`).join('');

describe('core/patch/applyHunks', () => {
  const cases: [what: string, before: string, hunks: string, after: string][] = [
    ['keeps a missing final newline that the patch does not know of', 'a\nb', '@@\n-b\n+c', 'a\nc'],
    ['adds at the end of such a text', 'a\nb', '@@\n b\n+c', 'a\nb\nc'],
    ['adds a final newline', 'a', '@@\n-a\n\\ No newline at end of file\n+a', 'a\n'],
    ['removes the final newline', 'a\n', '@@\n-a\n+a\n\\ No newline at end of file', 'a'],
    [
      'keeps context as the text has it',
      '\tif a:\n\t\tb\n',
      '@@\n if a:\n-    b\n+    c',
      '\tif a:\n    c\n',
    ],
    ['takes the only place', 'a\nb\na\nc\n', '@@\n a\n-c\n+d', 'a\nb\na\nd\n'],
    [
      'takes the first place below an anchor',
      'a\nclass B:\n  a\n  a\n',
      '@@ class B:\n-  a\n+  b',
      'a\nclass B:\n  b\n  a\n',
    ],
    ['takes only places below the previous hunk', 'a\nx\na\n', '@@\n-x\n+y\n@@\n-a\n+b', 'a\ny\nb\n'],
    ['adds lines below an anchor', 'a\nb\n', '@@ a\n+x', 'a\nx\nb\n'],
    ['adds lines without context at the end', 'a\nb\n', '@@\n+x', 'a\nb\nx\n'],
    ['fills an empty text', '', '@@ -0,0 +1 @@\n+x', 'x\n'],
    ['empties a text', 'x\n', '@@ -1 +0,0 @@\n-x', ''],
    ['lets context overlap', 'a\nb\nc\n', '@@\n-a\n+A\n b\n@@\n b\n-c\n+C', 'A\nb\nC\n'],
  ];
  for (const [what, before, hunks, after] of cases)
    it(what, () => assert.equal(apply(before, hunks).text, after));

  it('prefers the end for a hunk that ends the file', () => {
    const patch = '*** Begin Patch\n*** Update File: x\n@@\n a\n+b\n*** End of File\n*** End Patch';
    assert.equal(applyHunks('a\na\n', parsePatch(patch)[0]?.hunks ?? [], 'x').text, 'a\na\nb\n');
  });

  it('tells how far a hunk was from its line, and goes on from there', () => {
    const moved = `new\nnew\n${numbers(40)}`;
    const { text, places } = apply(moved, '@@ -10,2 +10,2 @@\n 10\n-11\n+x\n@@ -30,2 +30,2 @@\n 30\n-31\n+y');
    assert.equal(text, moved.replace('\n11\n', '\nx\n').replace('\n31\n', '\ny\n'));
    assert.deepEqual(places, [
      { at: 11, offset: 2, isLoose: false },
      { at: 31, offset: 2, isLoose: false },
    ]);
  });

  it('takes the nearest of several places, an exact one first', () => {
    assert.deepEqual(apply('a\n1\n2\na\n', '@@ -3 +3 @@\n-a\n+b').text, 'a\n1\n2\nb\n');
    const { text, places } = apply(' a\n1\n2\na\n', '@@ -1 +1 @@\n-a\n+b');
    assert.deepEqual([text, places], [' a\n1\n2\nb\n', [{ at: 3, offset: 3, isLoose: false }]]);
    assert.deepEqual(apply(' a\n', '@@ -1 +1 @@\n-a\n+b').places, [{ at: 0, offset: 0, isLoose: true }]);
  });

  const refused: [what: string, before: string, hunks: string, why: RegExp][] = [
    [
      'several places',
      'a\nb\na\n',
      '@@\n-a\n+c',
      /x is unchanged: the hunk \(line 3 of the patch\) fits at several places, at lines 1, 3\. Add context/,
    ],
    ['two places that are equally near', 'a\nb\na\n', '@@ -2 +2 @@\n-a\n+c', /several places, at lines 1, 3/],
    ['two places of an anchor', 'f\n a\nf\n a\n', '@@ f\n- a\n+ b', /several places, at lines 2, 4/],
    [
      'an unknown anchor',
      'a\n',
      '@@ class B\n-a\n+b',
      /there is no line "class B"\. After "@@" goes a whole line/,
    ],
    [
      'what is not there, with the nearest lines',
      'const total = 1;\nb\n',
      '@@ -1 +1 @@\n-const totals = 1;\n+c',
      /does not match the file\. Nearest:\nlines 1 to 1:\nconst total = 1;\nCopy/,
    ],
    [
      'what was applied before',
      'b\n',
      '@@ -1 +1 @@\n-a\n+b',
      /its new lines are there, at line 1: it may have been applied/,
    ],
    [
      'the wrong order',
      'a\nb\n',
      '@@\n-b\n+x\n@@\n-a\n+y',
      /hunk 2 of 2 \(line 6 of the patch\) matches line 1, above the previous hunk/,
    ],
  ];
  for (const [what, before, hunks, why] of refused)
    it(`refuses ${what}`, () => assert.throws(() => apply(before, hunks), why));

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
