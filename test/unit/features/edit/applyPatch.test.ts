import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { applyPatch } from '../../../../src/features/edit/applyPatch.ts';
import { allowing, answer, disk, ONCE, openUnwatched, refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';

const apply = (window: Window, patch: string, more: object = {}) =>
  answer(window, applyPatch, { patch, ...more });

const TWO = `diff --git a/src/x b/src/x
--- a/src/x
+++ b/src/x
@@ -1,2 +1,2 @@
 one
-two
+2
--- a/y
+++ b/y
@@ -1 +1 @@
-a
+b
`;

describe('features/edit/applyPatch', () => {
  afterEach(cleanUp);

  it('patches several files with one question, keeps CRLF, and tells offsets', async () => {
    const window = allowing({ 'src/x': 'zero\r\none\r\ntwo\r\n', y: ' a\n' });
    assert.equal(
      await apply(window, TWO),
      `src/x: 1 hunk (hunk 1 at line 2, 1 line below the stated one), version 2, saved.
y: 1 hunk (hunk 1 at line 1, with other white space), version 2, saved.
No problems.`,
    );
    assert.deepEqual([disk(window, 'src/x'), disk(window, 'y')], ['zero\r\none\r\n2\r\n', 'b\n']);
    assert.equal(window.consent.questions.length, 1);
  });

  it('shows the diff and the offsets, also of unsaved text, and changes nothing', async () => {
    const window = openUnwatched({ 'src/x': 'zero\none\ntwo\n', y: 'old\n' });
    window.fake.person.types(window.fake.person.opensTab(window.path('y')), 'a\ntyped\n');
    const shown = await apply(window, TWO, { dryRun: true });
    assert.match(shown, /^--- src\/x\tbefore\n[\s\S]*-two\n\+2\n[\s\S]*-a\n\+b\n typed\n/);
    assert.match(shown, /\nsrc\/x: hunk 1 at line 2, 1 line below the stated one\.$/);
    assert.deepEqual([window.consent.questions, disk(window, 'y')], [[], 'old\n']);
  });

  it('refuses all if one hunk does not fit, a new file that is there, and what deletes more or changes nothing', async () => {
    const window = openUnwatched({ 'src/x': 'one\ntwo\n', y: 'c\n', x: 'a\nb\n' });
    for (const [patch, why] of [
      [TWO, /^y is unchanged: the hunk \(line 10 of the patch\) does not match/],
      ['--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n', /There is already a file or folder x/],
      ['--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', /more text than the patch removes/],
      ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+a\n', /^Nothing would change in x\.$/],
    ] as const)
      await refused(apply(window, patch), why);
    assert.deepEqual(window.consent.questions, []);
  });

  describe('creates, renames and deletes', () => {
    const ALL = `*** Begin Patch
*** Add File: new/a.txt
+one
*** Update File: old.txt
*** Move to: moved.txt
@@
-a
+b
*** Delete File: gone.txt
*** Update File: x
@@
-1
+2
*** End Patch`;
    const TREE = { 'old.txt': 'first\r\na\r\n', 'gone.txt': 'bye\n', x: '1\n' };
    const there = (window: Window) =>
      ['new/a.txt', 'old.txt', 'moved.txt', 'gone.txt', 'x'].map((path) =>
        existsSync(window.path(path)) ? disk(window, path) : undefined,
      );

    it('in one question, and shows it first', async () => {
      const window = allowing(TREE);
      const diff = await apply(window, ALL, { dryRun: true });
      assert.match(diff, /-1\n\+2\n[\s\S]*new\/a\.txt: created, 1 line\.[\s\S]*\n-bye\n/);
      assert.deepEqual(there(window), [undefined, TREE['old.txt'], undefined, 'bye\n', '1\n']);
      chmodSync(window.path('old.txt'), 0o755);
      assert.equal(
        await apply(window, ALL),
        `x: 1 hunk, version 2, saved.
new/a.txt: created, 1 line.
moved.txt: created, 2 lines.
old.txt: deleted for good (there is no trash here).
gone.txt: deleted for good (there is no trash here).
No problems.`,
      );
      if (process.platform !== 'win32') assert.equal(statSync(window.path('moved.txt')).mode & 0o777, 0o755);
      assert.deepEqual(there(window), ['one\n', undefined, 'first\r\nb\r\n', undefined, '2\n']);
      const questions = window.consent.questions.map(({ kind, also }) => [kind, also]);
      assert.deepEqual(questions, [['delete', 'edit']]);
    });

    it('whatever is in what is only renamed, but nothing if its text changed while the user was asked', async () => {
      const binary = allowing({ 'a.bin': Buffer.from([0, 1, 255]) });
      await apply(binary, 'diff --git a/a.bin b/b.bin\nrename from a.bin\nrename to b.bin\n');
      assert.deepEqual(readFileSync(binary.path('b.bin')), Buffer.from([0, 1, 255]));
      assert.equal(existsSync(binary.path('a.bin')), false);
      const window = openUnwatched(TREE);
      window.consent.otherwise = () => {
        writeFileSync(window.path('old.txt'), 'changed\na\n');
        return ONCE;
      };
      await refused(apply(window, ALL), /Nothing was changed: old\.txt changed meanwhile/);
      assert.deepEqual(there(window), [undefined, 'changed\na\n', undefined, 'bye\n', '1\n']);
    });
  });
});
