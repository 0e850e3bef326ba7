import assert from 'node:assert/strict';
import { combined, parsePatch } from '../../../../src/core/patch/parsePatch.ts';
import { rowsOf } from '../rowsOf.ts';

/** What a patch is about, without its hunks' lines. */
const filesOf = (patch: string) =>
  parsePatch(patch).map(({ from, to, hunks }) => [from, to, hunks.length] as const);

/** The body of each hunk. */
const bodiesOf = (patch: string) =>
  parsePatch(patch).flatMap(({ hunks }) =>
    hunks.map(({ lines }) =>
      lines.map(({ kind, text, isUnended }) => `${kind}${text}${isUnended ? '\\' : ''}`).join('\n'),
    ),
  );

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';
const FENCE = '```';

describe('core/patch/parsePatch', () => {
  /** What, the file before and after, and the lines above the hunk. */
  const heads = rowsOf(String.raw`
git diff │ src/x │ src/x │ diff --git a/src/x b/src/x⏎index 1..2 100644⏎--- a/src/x⏎+++ b/src/x⏎
no prefixes │ src/x │ src/x │ --- src/x⏎+++ src/x⏎
prefixes of index and work tree │ x │ x │ diff --git i/x w/x⏎--- i/x⏎+++ w/x⏎
diff -u with times │ x │ x │ --- x.orig⇥2026-01-01 10:00:00 +0100⏎+++ x⇥2026-01-01 10:00:00 +0100⏎
diff -ru │ x │ x │ diff -ru old/x new/x⏎--- old/x⇥2026⏎+++ new/x⇥2026⏎
diff -N │  │ x │ --- old/x⇥1970-01-01 00:00:00 +0000⏎+++ b/x⇥2026-01-01⏎
a new file │  │ x │ diff --git a/x b/x⏎new file mode 100644⏎index 0..1⏎--- /dev/null⏎+++ b/x⏎
a deleted file │ x │  │ --- a/x⏎+++ /dev/null⏎
a rename │ x │ y │ diff --git a/x b/y⏎similarity index 90%⏎rename from x⏎rename to y⏎--- a/x⏎+++ b/y⏎
a quoted path │ dä "⇥.ts │ dä "⇥.ts │ --- "a/d\303\244 \"\t.ts"⏎+++ "b/d\303\244 \"\t.ts"⏎
spaces │ my file │ my file │ --- a/my file⇥⏎+++ b/my file⇥⏎
a mail │ x │ x │ From 1 Mon⏎Subject: x⏎---⏎ x | 2 +-⏎⏎diff --git a/x b/x⏎--- a/x⏎+++ b/x⏎
a Markdown fence │ x │ x │ Here it is:⏎${FENCE}diff⏎--- a/x⏎+++ b/x⏎
`);
  for (const [what, from, to, head] of heads)
    it(`knows the file: ${what}`, () =>
      assert.deepEqual(filesOf(head + HUNK), [[from || undefined, to || undefined, 1]]));

  it('knows files without hunks: empty ones, renames, and modes, which it ignores', () => {
    const patch = `diff --git a/new b/new
new file mode 100644
index 0000000..e69de29
diff --git a/gone gone b/gone gone
deleted file mode 100644
diff --git a/x b/y
rename from x
rename to y
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;
    assert.equal(filesOf(patch).join(' '), ',new,0 gone gone,,0 x,y,0');
  });

  /** What, the hunks as they are read, and as they are written. */
  const bodies = rowsOf(String.raw`
wrong counts │ -a⏎+b │ @@ -1,9 +1,9 @@⏎-a⏎+b⏎
counts that are too small │  a⏎-b⏎+c │ @@ -1 +1 @@⏎ a⏎-b⏎+c⏎
no line numbers │ -a⏎+b │ @@⏎-a⏎+b⏎
three dots for them │ -a⏎+b │ @@ ... @@⏎-a⏎+b⏎
an empty context line │  a⏎ ⏎-b⏎+c │ @@ -1,3 +1,3 @@⏎ a⏎⏎-b⏎+c⏎
lines that look like a header │ --- x⏎+++ y⏎@@⏎-a⏎+b │ @@ -1 +1 @@⏎--- x⏎+++ y⏎@@ -9 +9 @@⏎-a⏎+b⏎
no final newline │ -a\⏎+b │ @@ -1 +1 @@⏎-a⏎\ No newline at end of file⏎+b⏎
a signature │ -a⏎+b │ @@ -1 +1 @@⏎-a⏎+b⏎-- ⏎2.39.5⏎⏎
CRLF │ -a⏎+b │ @@ -1 +1 @@␍⏎-a␍⏎+b␍⏎
a Markdown fence │ -a⏎+b │ @@ -1 +1 @@⏎-a⏎+b⏎${FENCE}⏎That was it.⏎
`);
  for (const [what, expected, hunks] of bodies)
    it(`reads hunks with ${what}`, () =>
      assert.equal(bodiesOf(`--- a/x\n+++ b/x\n${hunks}`).join('\n@@\n'), expected));

  it('reads the form of Codex', () => {
    const patch = `<<'EOF'
*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Update File: src/x.ts
*** Move to: src/y.ts
@@ class A
@@   b() {
-a
+b

@@
 end
+c
*** End of File
*** Update File: z.ts
-a
+b
*** Delete File: gone.txt
*** End Patch
EOF`;
    assert.equal(filesOf(patch).join(' '), ',new.txt,1 src/x.ts,src/y.ts,2 z.ts,z.ts,1 gone.txt,,0');
    assert.deepEqual(bodiesOf(patch), ['+one\n+\n+two', '-a\n+b', ' end\n+c', '-a\n+b']);
    const [first, last] = parsePatch(patch)[1]?.hunks ?? [];
    assert.deepEqual([first?.anchors, first?.isAtEnd], [['class A', 'b() {'], false]);
    assert.deepEqual([last?.anchors, last?.isAtEnd], [[], true]);
  });

  const refused = rowsOf(String.raw`
nothing │ The patch is empty\.$ │  ⏎
no patch │ changes no text\. A unified diff has "--- a\/PATH" │ const a = 1;⏎
only modes │ changes no text │ diff --git a/x b/x⏎old mode 100644⏎new mode 100755⏎
binary data │ Line 3 .* binary files │ diff --git a/x b/x⏎index 1..2⏎GIT binary patch⏎literal 1⏎
binary files │ Line 2 .* binary files │ diff --git a/x b/x⏎Binary files a/x and b/x differ⏎
a link │ Line 2 .*links │ diff --git a/x b/x⏎new file mode 120000⏎
a merge │ combined diff │ diff --cc x⏎@@@ -1,1 -1,1 +1,1 @@@⏎
two files in one header │ Line 1 .*a rename needs │ --- a/x⏎+++ b/y⏎@@ -1 +1 @@⏎-a⏎+b⏎
a context line without its space │ Line 6 .*"const c;" │ --- a/x⏎+++ b/x⏎@@ -1 +1 @@⏎-a⏎+b⏎const c;⏎-d⏎
a hunk without lines │ Line 3 .*no lines │ --- a/x⏎+++ b/x⏎@@ -1 +1 @@⏎
no end │ "\*\*\* End Patch": it may be cut off │ *** Begin Patch⏎*** Delete File: x⏎
an unknown line │ Line 2 .*"\*\*\* Create File: x" │ *** Begin Patch⏎*** Create File: x⏎*** End Patch
`);
  for (const [what, why = '', patch = ''] of refused)
    it(`refuses ${what}`, () => assert.throws(() => parsePatch(patch), new RegExp(why)));
});

describe('core/patch/parsePatch: parts of one file', () => {
  const of = (...parts: string[]) =>
    combined(parsePatch(['*** Begin Patch', ...parts, '*** End Patch'].join('\n'))).map(
      ({ steps, ...change }) => ({ ...change, steps: steps.length }),
    );
  const UPDATE = '*** Update File: x\n@@\n-a\n+b';

  it('come one after another, and end as one change or none', () => {
    assert.deepEqual(of(UPDATE, UPDATE), [{ type: 'edit', path: 'x', steps: 2 }]);
    const [replaced] = of('*** Delete File: x', '*** Add File: x', '+a');
    assert.deepEqual(replaced, { type: 'replace', path: 'x', steps: 1 });
    const [edit, ...none] = of('*** Add File: y', '+a', '*** Delete File: y', UPDATE);
    assert.deepEqual([edit, none], [{ type: 'edit', path: 'x', steps: 1 }, []]);
  });

  it('make a renamed file from the old one, which they delete', () =>
    assert.deepEqual(of(UPDATE.replace('x', 'x\n*** Move to: y'), '*** Update File: y', '@@', '+c'), [
      { type: 'create_from', path: 'y', source: 'x', steps: 2 },
      { type: 'delete', path: 'x', steps: 0 },
    ]));

  const renamed = '*** Add File: y\n+a\n*** Update File: y\n*** Move to: z\n a';
  for (const [why, ...parts] of [
    [/changes x after it has deleted or renamed it/, '*** Delete File: x', UPDATE],
    [/creates x after it has changed it/, UPDATE, '*** Add File: x', '+a'],
    [/renames y, which it has created/, renamed],
    [/changes nothing/, '*** Update File: x', '@@', ' a'],
  ] as [RegExp, ...string[]][])
    it(`refuse: ${why.source}`, () => assert.throws(() => of(...parts), why));
});
