import assert from 'node:assert/strict';
import { combined } from '../../../../src/core/patch/combined.ts';
import { parsePatch } from '../../../../src/core/patch/parsePatch.ts';

/** What a patch is about, without its hunks' lines. */
const filesOf = (patch: string) =>
  parsePatch(patch).map(({ from, to, hunks }) => [from, to, hunks.length] as const);

/** The body of each hunk. */
const bodiesOf = (patch: string) =>
  parsePatch(patch).flatMap(({ hunks }) =>
    hunks.map(({ lines }) =>
      lines.map(({ kind, text, isUnended }) => `${kind}${text}${isUnended ? '\\' : ''}`),
    ),
  );

const HUNK = '@@ -1 +1 @@\n-a\n+b\n';
const CHANGED = [['-a', '+b']];

describe('core/patch/parsePatch', () => {
  const heads: [what: string, head: string, from: string | undefined, to: string | undefined][] = [
    [
      'git diff',
      'diff --git a/src/x b/src/x\nindex 1..2 100644\n--- a/src/x\n+++ b/src/x\n',
      'src/x',
      'src/x',
    ],
    ['git diff, only the names', '--- a/src/x\n+++ b/src/x\n', 'src/x', 'src/x'],
    ['no prefixes', '--- src/x\n+++ src/x\n', 'src/x', 'src/x'],
    ['prefixes of index and work tree', 'diff --git i/x w/x\n--- i/x\n+++ w/x\n', 'x', 'x'],
    [
      'diff -u with times',
      '--- x.orig\t2026-01-01 10:00:00 +0100\n+++ x\t2026-01-01 10:00:00 +0100\n',
      'x',
      'x',
    ],
    ['diff -ru', 'diff -ru old/x new/x\n--- old/x\t2026\n+++ new/x\t2026\n', 'x', 'x'],
    ['diff -N', '--- old/x\t1970-01-01 00:00:00 +0000\n+++ b/x\t2026-01-01\n', undefined, 'x'],
    [
      'a new file',
      'diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n',
      undefined,
      'x',
    ],
    ['a deleted file', '--- a/x\n+++ /dev/null\n', 'x', undefined],
    [
      'a rename',
      'diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n--- a/x\n+++ b/y\n',
      'x',
      'y',
    ],
    [
      'a quoted path',
      '--- "a/d\\303\\244 \\"\\t.ts"\n+++ "b/d\\303\\244 \\"\\t.ts"\n',
      'dä "\t.ts',
      'dä "\t.ts',
    ],
    ['spaces', '--- a/my file\t\n+++ b/my file\t\n', 'my file', 'my file'],
    ['a mail', 'From 1 Mon\nSubject: x\n---\n x | 2 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n', 'x', 'x'],
    ['a Markdown fence', 'Here it is:\n```diff\n--- a/x\n+++ b/x\n', 'x', 'x'],
  ];
  for (const [what, head, from, to] of heads)
    it(`knows the file: ${what}`, () => assert.deepEqual(filesOf(head + HUNK), [[from, to, 1]]));

  it('knows files without hunks: empty ones, renames, and modes, which it ignores', () => {
    const patch = `diff --git a/new b/new
new file mode 100644
index 0000000..e69de29
diff --git a/gone gone b/gone gone
deleted file mode 100644
index e69de29..0000000
diff --git a/x b/y
similarity index 100%
rename from x
rename to y
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;
    assert.deepEqual(filesOf(patch), [
      [undefined, 'new', 0],
      ['gone gone', undefined, 0],
      ['x', 'y', 0],
    ]);
  });

  const bodies: [what: string, hunks: string, expected: string[][]][] = [
    ['wrong counts', '@@ -1,9 +1,9 @@\n-a\n+b\n', CHANGED],
    ['counts that are too small', '@@ -1 +1 @@\n a\n-b\n+c\n', [[' a', '-b', '+c']]],
    ['no line numbers', '@@\n-a\n+b\n', CHANGED],
    ['three dots for them', '@@ ... @@\n-a\n+b\n', CHANGED],
    ['an empty context line', '@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n', [[' a', ' ', '-b', '+c']]],
    [
      'lines that look like a header',
      '@@ -1 +1 @@\n--- x\n+++ y\n@@ -9 +9 @@\n-a\n+b\n',
      [
        ['--- x', '+++ y'],
        ['-a', '+b'],
      ],
    ],
    ['no final newline', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n', [['-a\\', '+b']]],
    ['a signature', `${HUNK}-- \n2.39.5\n\n`, CHANGED],
    ['CRLF', HUNK.replaceAll('\n', '\r\n'), CHANGED],
    ['a Markdown fence', `${HUNK}\`\`\`\nThat was it.\n`, CHANGED],
  ];
  for (const [what, hunks, expected] of bodies)
    it(`reads hunks with ${what}`, () => assert.deepEqual(bodiesOf(`--- a/x\n+++ b/x\n${hunks}`), expected));

  it('reads several files, with wrong counts', () => {
    const file = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1,5 +1,7 @@\n-a\n+b\n`;
    assert.deepEqual(filesOf(file('x') + file('y')), [
      ['x', 'x', 1],
      ['y', 'y', 1],
    ]);
  });

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
    assert.deepEqual(filesOf(patch), [
      [undefined, 'new.txt', 1],
      ['src/x.ts', 'src/y.ts', 2],
      ['z.ts', 'z.ts', 1],
      ['gone.txt', undefined, 0],
    ]);
    assert.deepEqual(bodiesOf(patch), [
      ['+one', '+', '+two'],
      ['-a', '+b'],
      [' end', '+c'],
      ['-a', '+b'],
    ]);
    const [first, last] = parsePatch(patch)[1]?.hunks ?? [];
    assert.deepEqual([first?.anchors, first?.isAtEnd], [['class A', 'b() {'], false]);
    assert.deepEqual([last?.anchors, last?.isAtEnd], [[], true]);
  });

  const refused: [what: string, patch: string, why: RegExp][] = [
    ['nothing', ' \n', /The patch is empty\.$/],
    ['no patch', 'const a = 1;\n', /changes no text\. A unified diff has "--- a\/PATH"/],
    ['only modes', 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', /changes no text/],
    [
      'binary data',
      'diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\n',
      /Line 3 .* binary files/,
    ],
    ['binary files', 'diff --git a/x b/x\nBinary files a/x and b/x differ\n', /Line 2 .* binary files/],
    ['a link', 'diff --git a/x b/x\nnew file mode 120000\n', /Line 2 .*links/],
    ['a merge', 'diff --cc x\n@@@ -1,1 -1,1 +1,1 @@@\n', /combined diff/],
    ['two files in one header', `--- a/x\n+++ b/y\n${HUNK}`, /Line 1 .*a rename needs/],
    ['a context line without its space', `--- a/x\n+++ b/x\n${HUNK}const c;\n-d\n`, /Line 6 .*"const c;"/],
    ['a hunk without lines', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n', /Line 3 .*no lines/],
    ['no end', '*** Begin Patch\n*** Delete File: x\n', /"\*\*\* End Patch": it may be cut off/],
    [
      'an unknown line',
      '*** Begin Patch\n*** Create File: x\n*** End Patch',
      /Line 2 .*"\*\*\* Create File: x"/,
    ],
  ];
  for (const [what, patch, why] of refused)
    it(`refuses ${what}`, () => assert.throws(() => parsePatch(patch), why));
});

describe('core/patch/parsePatch: parts of one file', () => {
  const of = (...parts: string[]) =>
    combined(parsePatch(['*** Begin Patch', ...parts, '*** End Patch'].join('\n'))).map(
      ({ steps, ...change }) => ({
        ...change,
        steps: steps.length,
      }),
    );
  const UPDATE = '*** Update File: x\n@@\n-a\n+b';

  it('applies the parts of one file one after another', () =>
    assert.deepEqual(of(UPDATE, UPDATE), [{ type: 'edit', path: 'x', steps: 2 }]));

  it('replaces a file that is deleted and added', () =>
    assert.deepEqual(of('*** Delete File: x', '*** Add File: x', '+a'), [
      { type: 'replace', path: 'x', steps: 1 },
    ]));

  it('makes a renamed file from the old one, which it deletes', () =>
    assert.deepEqual(
      of('*** Update File: x', '*** Move to: y', '@@', '-a', '+b', '*** Update File: y', '@@', '+c'),
      [
        { type: 'create_from', path: 'y', source: 'x', steps: 2 },
        { type: 'delete', path: 'x', steps: 0 },
      ],
    ));

  it('leaves out a file that is added and deleted', () =>
    assert.deepEqual(of('*** Add File: y', '+a', '*** Delete File: y', UPDATE), [
      { type: 'edit', path: 'x', steps: 1 },
    ]));

  for (const [why, ...parts] of [
    [/changes x after it has deleted or renamed it/, '*** Delete File: x', UPDATE],
    [/creates x after it has changed it/, UPDATE, '*** Add File: x', '+a'],
    [
      /renames y, which it has created/,
      '*** Add File: y',
      '+a',
      '*** Update File: y',
      '*** Move to: z',
      ' a',
    ],
    [/changes nothing/, '*** Update File: x', '@@', ' a'],
  ] as [RegExp, ...string[]][])
    it(`refuses: ${why.source}`, () => assert.throws(() => of(...parts), why));
});
