import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyPatch } from '../../../../../src/features/edit/applyPatch.ts';
import { movePath } from '../../../../../src/features/manage/paths.ts';
import { cleanUp, openWindow, type Window } from '../../../features/window.ts';

const patch = `--- a/edited.txt
+++ b/edited.txt
@@ -1 +1,2 @@
 text
+more
--- /dev/null
+++ b/x/y/new.txt
@@ -0,0 +1 @@
+new
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/moved.txt b/x/moved.txt
rename from moved.txt
rename to x/moved.txt
`;

const TREE = { 'edited.txt': 'text\n', 'gone.txt': 'gone\n', 'moved.txt': 'moved' };

/** All files with their texts. */
const contents = (window: Window): Record<string, string> => {
  const found = readdirSync(window.path(''), { recursive: true }) as string[];
  const paths = found.map((path) => path.replaceAll(sep, '/'));
  const files = paths.filter((path) => statSync(window.path(path)).isFile());
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(window.path(path), 'utf8')]));
};

describe('workspace/edit/operations/operate', () => {
  afterEach(cleanUp);

  it('make the file that an unencoded URI names', async () => {
    const window = openWindow({ 'c/a.txt': '', 'moved.txt': 'moved' });
    window.consent.always = ['edit'];
    const destination = `${pathToFileURL(window.path('c')).href}#/100%25 b.txt`;
    await window.run(movePath, { source: 'moved.txt', destination });
    assert.deepEqual(contents(window), { 'c/a.txt': '', 'c#/100% b.txt': 'moved' });
  });

  it('need both permissions: to edit alone is not to delete', async () => {
    const window = openWindow(TREE);
    window.consent.always = ['delete'];
    window.consent.answers.push({ deny: '' });
    await assert.rejects(window.run(applyPatch, { patch }), /denied this call\. Nothing was changed or run/);
    assert.deepEqual(contents(window), TREE);
    window.consent.always = ['delete', 'edit'];
    await window.run(applyPatch, { patch });
    assert.equal(window.consent.questions.length, 1);
    const after = { 'edited.txt': 'text\nmore\n', 'x/moved.txt': 'moved', 'x/y/new.txt': 'new\n' };
    assert.deepEqual(contents(window), after);
  });

  // VS Code gets one edit for the text, then one each for what is created and deleted; the copy is none.
  for (const failing of [2, 3, 4])
    it(`are all taken back if VS Code fails at number ${failing}`, async () => {
      const window = openWindow(TREE);
      window.consent.always = ['delete', 'edit'];
      const { workspace } = window.fake.api;
      const { applyEdit } = workspace;
      let count = 0;
      workspace.applyEdit = (edit) => (++count === failing ? Promise.resolve(false) : applyEdit(edit));
      const failure = /^UserError: VS Code failed at .*\. The edit was reverted\.$/;
      await assert.rejects(window.run(applyPatch, { patch }), failure);
      assert.deepEqual(contents(window), TREE);
      assert.equal(readdirSync(window.path('')).length, 3, 'no folder is left over');
    });

  it('leave a file where it is, and no folder behind, if VS Code does not move it', async () => {
    const window = openWindow(TREE);
    window.consent.always = ['edit'];
    window.fake.api.workspace.applyEdit = async () => false;
    const moving = window.run(movePath, { source: 'moved.txt', destination: 'x/moved.txt' });
    await assert.rejects(moving, /VS Code failed at moving moved\.txt: the disk may be full/);
    assert.deepEqual([contents(window), readdirSync(window.path('')).length], [TREE, 3]);
  });
});
