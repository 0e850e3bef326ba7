import assert from 'node:assert/strict';
import { renameSymbol } from '../../../../src/features/refactor/renameSymbol.ts';
import { WorkspaceEdit } from '../../../fakes/edits.ts';
import { Range } from '../../../fakes/text.ts';
import { answer, asked, disk, documentOf, ONCE, refused } from '../editing.ts';
import { placesOf, renames, withServer } from '../symbols/server.ts';
import { cleanUp, type Tree, type Window } from '../window.ts';

const RENAME = 'vscode.executeDocumentRenameProvider';
const TREE = {
  'src/a.ts': 'const only = 1;\n',
  'src/b.ts': 'const two = only + only;\n',
  'src/c.ts': 'const c = only; // key=abc\n',
};

/** A server that renames `only` in the files. */
const open = (...files: string[]): Window => openWith(TREE, files);

function openWith(tree: Tree, files: readonly string[]): Window {
  const window = withServer(tree, { user: { 'workspaceMcp.access.redact': ['key=\\w+'] } });
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  renames(window, 'only', ...files);
  window.consent.always = ['edit'];
  return window;
}

const rename = (window: Window, more: object = {}) =>
  answer(window, renameSymbol, { symbol: 'only', path: 'src/a.ts', newName: 'one', ...more });

describe('features/refactor/renameSymbol', () => {
  afterEach(cleanUp);

  it('shows the diff of all files with dryRun, renames in them, and saves them', async () => {
    const window = open('src/a.ts', 'src/b.ts');
    const diff = await rename(window, { dryRun: true });
    assert.match(diff, /-const only = 1;\n\+const one = 1;\n[\s\S]*\+const two = one \+ one;/);
    assert.deepEqual([disk(window, 'src/a.ts'), window.consent.questions.length], [TREE['src/a.ts'], 0]);
    assert.equal(
      await rename(window),
      `Renamed constant only (src/a.ts:1) to one in 2 files.
src/a.ts: 1 replacement, version 2, saved.
src/b.ts: 2 replacements, version 2, saved.
No problems.
1 line has the name too, as text or for something else (src/c.ts:1).`,
    );
    assert.equal(disk(window, 'src/b.ts'), 'const two = one + one;\n');
  });

  it('takes the symbol at the top level, not the local one of another file, and says so', async () => {
    const window = openWith({ ...TREE, 'test/t.ts': 'run() {\n  const only = 2;\n}\n' }, ['src/a.ts']);
    const which = 'constant only (src/a.ts:1; the name is also at test/t.ts:2)';
    const byName = { path: undefined };
    assert.ok((await rename(window, { ...byName, dryRun: true })).includes(`Renames ${which}.`));
    assert.match(await rename(window, byName), /^Renamed constant only \(src\/a\.ts:1; the name is also at/);
    assert.equal(disk(window, 'test/t.ts'), 'run() {\n  const only = 2;\n}\n');
  });

  it('tells the reason of the server, and that nothing is renamed', async () => {
    const window = open();
    await refused(rename(window), /^Nothing to rename at constant only \(src\/a\.ts:1\)\./);
    window.fake.answers.set(RENAME, () => {
      throw new Error('You cannot rename this element. key=abc');
    });
    await refused(rename(window), /cannot be renamed to "one": You cannot rename this element\. (?!key)/);
  });

  it('takes the default text of a snippet', async () => {
    const window = open();
    const [place] = placesOf(window, 'only', 'src/a.ts');
    const entry = { _type: 6, ...place, edit: { value: '$1Two' } };
    const edit = Object.assign(new WorkspaceEdit(), { _allEntries: () => [entry] });
    window.fake.answers.set(RENAME, () => edit);
    await rename(window);
    assert.equal(disk(window, 'src/a.ts'), 'const Two = 1;\n');
  });

  it('changes nothing if a text changes while the user is asked', async () => {
    const window = open('src/a.ts', 'src/b.ts');
    window.consent.always = [];
    const renaming = rename(window);
    await asked(window);
    const document = documentOf(window, 'src/b.ts');
    window.fake.person.types(document, 'const two = only;\n');
    window.consent.answer(ONCE);
    await refused(renaming, /src\/b\.ts is unchanged: the same lines changed meanwhile/);
    assert.equal(disk(window, 'src/a.ts'), TREE['src/a.ts']);
  });

  it('changes nothing if a line has redacted text, nothing would change, or the new name is none', async () => {
    const redacted = open('src/a.ts', 'src/c.ts');
    await refused(rename(redacted), /src\/c\.ts is unchanged: line 1 contains redacted text/);
    assert.equal(disk(redacted, 'src/a.ts'), TREE['src/a.ts']);
    const window = open('src/a.ts');
    await refused(rename(window, { newName: 'only' }), /^Nothing would change in src\/a\.ts\./);
    await refused(rename(window, { newName: 'a b' }), /cannot be renamed to "a b": it is no name/);
  });

  it('refuses what is no name in any language, but headings are not names', async () => {
    for (const [path, isName] of [
      ['src/d.py', false],
      ['src/d.md', true],
    ] as const) {
      const window = withServer({ [path]: 'const only = 1;\n' });
      renames(window, 'only', path);
      const document = window.fake.person.loads(window.path(path));
      Object.assign(document, { languageId: path.endsWith('py') ? 'python' : 'markdown' });
      const renaming = rename(window, { path, newName: 'not valid', dryRun: true });
      if (isName) await renaming;
      else await refused(renaming, /cannot be renamed to "not valid": it is no name in this language/);
    }
  });

  it('names the members of other types that keep the name', async () => {
    const text = ['A', 'B', 'C'].map((name) => `class ${name} {\n  only() {\n  }\n}\n`).join('');
    const window = withServer({ 'src/d.py': text });
    window.fake.answers.set(RENAME, () => {
      const edit = new WorkspaceEdit();
      const [first] = placesOf(window, 'only', 'src/d.py');
      if (first) edit.replace(first.uri, first.range, 'one');
      return edit;
    });
    const args = { symbol: 'A/only', path: 'src/d.py', dryRun: true };
    const note = 'Not renamed, though the name is the same: B/only (src/d.py:6), C/only (src/d.py:10).';
    assert.ok((await rename(window, args)).includes(note));
  });

  it('changes nothing if the server would also change what has another name', async () => {
    const window = open('src/a.ts');
    const renaming = window.fake.answers.get(RENAME);
    window.fake.answers.set(RENAME, (...given) => {
      const edit = renaming?.(...given) as WorkspaceEdit;
      for (const { uri, range } of placesOf(window, 'two', 'src/b.ts')) edit.replace(uri, range, 'one');
      return edit;
    });
    const other =
      /^Nothing was renamed: the language server would also change what is not called "only" \(src\/b\.ts:1\)/;
    await refused(rename(window), other);
  });

  it('names the uses in files where the server renames nothing, unless an export keeps the name for them', async () => {
    const note =
      /1 line uses it in files where the language server renames nothing \(src\/c\.ts:1\): use edit_file\./;
    for (const isExported of [false, true]) {
      const window = open('src/a.ts', 'src/b.ts');
      const uses = () => placesOf(window, 'only', ...Object.keys(TREE));
      window.fake.answers.set('vscode.executeReferenceProvider', uses);
      const renaming = window.fake.answers.get(RENAME);
      window.fake.answers.set(RENAME, (...given) => {
        const edit = renaming?.(...given) as WorkspaceEdit;
        const [first] = placesOf(window, 'only', 'src/b.ts');
        if (isExported && first) edit.replace(first.uri, first.range, 'one as only');
        return edit;
      });
      const told = await rename(window, { dryRun: true });
      assert.equal(note.test(told), !isExported, told);
    }
  });

  it('names what implements a method and keeps the name, in any file', async () => {
    const type = (name: string) => `class ${name} {\n  go() {\n  }\n}\n`;
    const window = withServer({ 'a.py': type('Runner'), 'b.py': type('Fast') });
    window.fake.extensions.installs('python');
    renames(window, 'go', 'a.py');
    window.fake.answers.set('vscode.executeImplementationProvider', () =>
      placesOf(window, 'go', 'a.py', 'b.py'),
    );
    const wanted = { symbol: 'Runner/go', path: 'a.py', newName: 'walk', dryRun: true };
    assert.match(
      await answer(window, renameSymbol, wanted),
      /Not renamed, though the name is the same: Fast\/go \(b\.py:2\)\./,
    );
  });

  it('renames the tag and the name of a typedef of C, which a server takes for two', async () => {
    const text = 'typedef struct Text {\n  struct Text *next;\n} Text;\nText *all;\n';
    const window = withServer({ 'a.c': text });
    const { languageId } = Object.assign(window.fake.person.loads(window.path('a.c')), { languageId: 'c' });
    window.fake.extensions.installs(languageId);
    const range = (from: number, start: number, to: number, end: number) => new Range(from, start, to, end);
    const [tag, name] = [range(0, 15, 0, 19), range(2, 2, 2, 6)];
    window.fake.answers.set('vscode.executeDocumentSymbolProvider', () => [
      { name: 'Text', kind: 22, range: range(0, 8, 2, 1), selectionRange: tag, children: [] },
      { name: 'Text', kind: 4, range: range(0, 0, 2, 6), selectionRange: name, children: [] },
    ]);
    const places = placesOf(window, 'Text', 'a.c');
    window.fake.answers.set(RENAME, (_uri, position) => {
      const edit = new WorkspaceEdit();
      const isTag = (position as { line: number }).line === 0;
      for (const [index, { uri, range }] of places.entries())
        if (index < 2 === isTag) edit.replace(uri, range, 'Body');
      return edit;
    });
    window.consent.always = ['edit'];
    window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
    await rename(window, { symbol: 'Text', path: 'a.c', newName: 'Body' });
    assert.equal(disk(window, 'a.c'), text.replaceAll('Text', 'Body'));
  });
});
