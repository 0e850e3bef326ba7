import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { editSymbol } from '../../../../../src/features/refactor/editSymbol.ts';
import { renameSymbol } from '../../../../../src/features/refactor/renameSymbol.ts';
import { findReferences } from '../../../../../src/features/symbols/findPlaces.ts';
import { referencesEverywhere } from '../../../../../src/services/language/symbols/elsewhere.ts';
import { LoadingTime } from '../../../../../src/services/language/symbols/loadingTime.ts';
import { resolveSymbol } from '../../../../../src/services/language/symbols/resolveSymbol.ts';
import { holdClock } from '../../../../fakes/clock.ts';
import { WorkspaceEdit } from '../../../../fakes/edits.ts';
import { Range } from '../../../../fakes/text.ts';
import { answer, refused } from '../../../features/editing.ts';
import { placesOf, renames, withServer } from '../../../features/symbols/server.ts';
import { CALL, cleanUp, type Tree, textsOf, type Window } from '../../../features/window.ts';

const TREE: Tree = {
  'a.py': 'only() {\n  const local = 1;\n}\nconst self = this.member;\nconst unique = 1;\n',
  'b.py': 'only();\n',
  'tests/c.py': 'only(); only();\n',
  'tests/d.py': '# only self\n',
  'e.txt': 'only\n',
};

/** A server of Python that looks at files which are open, or in its project. */
function open(word: string, ...project: string[]): Window {
  return opened(TREE, word, ...project);
}

function opened(tree: Tree, word: string, ...project: string[]): Window {
  const window = withServer(tree);
  window.fake.extensions.brings({ languages: [{ id: 'python', extensions: ['.py'] }] });
  window.fake.extensions.installs('python');
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  const known = () => {
    const loaded = window.fake.documents.map(({ uri }) => uri.fsPath);
    const files = ['a.py', 'b.py', 'tests/c.py'].filter(
      (file) => project.includes(file) || loaded.includes(window.path(file)),
    );
    return files;
  };
  window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, word, ...known()));
  return window;
}

const find = async (window: Window, args: object) =>
  textsOf(await window.run(findReferences, { path: 'a.py', ...args }));

const loaded = ({ fake }: Window) =>
  fake.documents.map(({ uri }) => uri.path.replace(/^.*?\w{6}\//, '')).sort();

const NOTE =
  '1 line has the name too (tests/d.py:1), in code or comments: the language server reported no use there.';

describe('services/language/symbols/elsewhere', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('has the server load files with the name that its answer leaves out, and names the others', async () => {
    const window = open('only', 'a.py', 'b.py');
    const [text, note] = await find(window, { symbol: 'only' });
    assert.equal(text?.split('\n')[0], '3 lines use method only (line 1):');
    assert.match(text ?? '', /tests\/c\.py\n1: only\(\); only\(\);/);
    assert.equal(note, NOTE);
  });

  it('loads nothing if all files with the name are in the answer, or the symbol is local', async () => {
    for (const [word, args] of [
      ['local', { line: 2, symbol: 'local' }],
      ['unique', { symbol: 'unique' }],
    ] as const) {
      const window = open(word, 'a.py');
      assert.equal((await find(window, args))[1], undefined);
      const wrong = loaded(window).filter((path) => path !== 'a.py');
      assert.deepEqual(wrong, []);
    }
  });

  it('names the lines of C that are not compiled, in files that the answer has', async () => {
    const window = withServer({ 'a.c': 'const only = 1;\n\n#if TESTED\n  only();\n#endif\n// only\n' });
    window.fake.extensions.brings({ languages: [{ id: 'c', extensions: ['.c'] }] });
    window.fake.extensions.installs('c');
    const compiled = () => placesOf(window, 'only', 'a.c').slice(0, 1);
    window.fake.answers.set('vscode.executeReferenceProvider', compiled);
    const wanted = { symbol: 'only', path: 'a.c' };
    const told = (await textsOf(await window.run(findReferences, wanted))).join('\n');
    assert.match(told, /1 line has the name too \(a\.c:4\)/);
  });

  it('names the lines of macros that have the name of a field, but no namesakes in other code', async () => {
    const text =
      'class A {\n  only() {\n  }\n}\n#define B(x) \\\n  x->only\nint f() { only; }\n#define C 1\n only\n';
    const window = withServer({ 'a.c': text });
    window.fake.extensions.brings({ languages: [{ id: 'c', extensions: ['.c'] }] });
    window.fake.extensions.installs('c');
    window.fake.answers.set('vscode.executeReferenceProvider', () =>
      placesOf(window, 'only', 'a.c').slice(0, 1),
    );
    const texts = textsOf(await window.run(findReferences, { symbol: 'only', path: 'a.c' }));
    assert.match(texts.join('\n'), /1 line has the name too \(a\.c:6\)/);
  });

  it('names notebooks that have the name, and loads none', async () => {
    const cells = '{"cells":[{"source":["import a\\n","a.only()"]}]}';
    const window = opened({ ...TREE, 'n/book.ipynb': cells }, 'only', 'a.py', 'b.py', 'tests/c.py');
    const [, note] = await find(window, { symbol: 'only' });
    assert.match(note ?? '', /\. 1 notebook has the name too \(n\/book\.ipynb\): cells are not looked at\./);
    assert.ok(!loaded(window).some((path) => path.endsWith('.ipynb')));
  });

  it('names the lines that a rename leaves out', async () => {
    const window = open('only', 'a.py', 'b.py');
    renames(window, 'only', 'a.py', 'b.py');
    const text = await answer(window, renameSymbol, {
      symbol: 'only',
      path: 'a.py',
      newName: 'one',
      dryRun: true,
    });
    assert.match(
      text,
      /1 line uses it in files where the language server renames nothing \(tests\/c\.py:1\): use edit_file/,
    );
    assert.match(text, /1 line has the name too \(tests\/d\.py:1\)/);
  });

  it('gives the server time to load files, however long its first answer takes', async () => {
    const window = open('only', 'a.py', 'b.py');
    let asked = 0;
    window.fake.answers.set('vscode.executeReferenceProvider', () => {
      asked++;
      clock.tick(6_000);
      const files = loaded(window).includes('tests/c.py') ? ['tests/c.py'] : [];
      return placesOf(window, 'only', 'a.py', 'b.py', ...files);
    });
    const target = await resolveSymbol({ symbol: 'only', path: 'a.py' }, window.ctx, CALL.signal);
    const everywhere = (ms?: number) =>
      referencesEverywhere(target, window.ctx, CALL.signal, ms === undefined ? ms : new LoadingTime(ms));
    const late = await everywhere(0);
    assert.deepEqual([late.elsewhere.map(({ path }) => path), asked], [['tests/c.py', 'tests/d.py'], 1]);
    const paths = (await everywhere()).elsewhere.map(({ path }) => path);
    assert.deepEqual(paths, ['tests/d.py']);
  });

  it('compares only the lines of one page with the text, and none of TypeScript', async () => {
    for (const [ending, reads] of [
      ['py', ['a']],
      ['ts', []],
    ] as const) {
      const files = ['a', 'b', 'c'].map((name) => `${name}.${ending}`);
      const window = withServer(Object.fromEntries(files.map((file) => [file, '\nconst only = 1;\n'])));
      window.fake.extensions.installs('python');
      window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'only', ...files));
      const read: string[] = [];
      const { lines } = window.ctx.files;
      window.ctx.files.lines = async (location, numbers) => {
        if (numbers.includes(0)) read.push(location.path);
        return lines.call(window.ctx.files, location, numbers);
      };
      const args = { symbol: 'only', path: files[0], limit: 1 };
      const [text] = textsOf(await window.run(findReferences, args));
      assert.match(text ?? '', /^3 lines use/);
      assert.deepEqual(
        read,
        reads.map((name) => `${name}.${ending}`),
      );
    }
  });

  it('takes what a source and its stub declare for one symbol, in references, deletions and renames', async () => {
    const declared = 'class A {\n  only() {\n  }\n}\n';
    const window = withServer({ 'a.py': declared, 'a.pyi': declared, 'b.py': 'x.only()\n' });
    window.fake.extensions.brings({ languages: [{ id: 'python', extensions: ['.py', '.pyi'] }] });
    window.fake.extensions.installs('python');
    window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
    window.consent.always = ['edit'];
    // As Pyright answers: callers use the stub.
    const usesOf = (uri: unknown) =>
      placesOf(window, 'only', ...(`${uri}`.endsWith('.pyi') ? ['a.pyi', 'b.py'] : ['a.py']));
    window.fake.answers.set('vscode.executeReferenceProvider', usesOf);
    window.fake.answers.set('vscode.executeDocumentRenameProvider', (uri, _position, newName) => {
      const edit = new WorkspaceEdit();
      for (const place of usesOf(uri)) edit.replace(place.uri, place.range, newName as string);
      return edit;
    });
    const wanted = { symbol: 'A/only', path: 'a.py' };
    assert.match((await find(window, wanted)).join('\n'), /^3 lines use [\s\S]*a\.pyi\n2: [\s\S]*b\.py\n1: /);
    await refused(
      window.run(editSymbol, { action: 'delete', ...wanted }),
      /^Nothing was deleted: 1 line uses method A\/only [\s\S]*\nb\.py\n1: /,
    );
    assert.match(await answer(window, renameSymbol, { ...wanted, newName: 'one' }), /to one in 3 files\./);
    window.fake.answers.set('vscode.executeReferenceProvider', (uri) => usesOf(uri).slice(0, 1));
    writeFileSync(window.path('b.py'), '');
    const told = await answer(window, editSymbol, { action: 'delete', symbol: 'A', path: 'a.py' });
    assert.match(told, /It stays declared on 1 other line: a\.pyi:1\./);
  });

  it('deletes what is used nowhere, and names the lines with its name', async () => {
    const window = open('self', 'a.py');
    window.consent.always = ['edit'];
    window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'self', 'a.py'));
    const args = { action: 'delete', symbol: 'self', path: 'a.py' };
    const said = await answer(window, editSymbol, args);
    assert.match(said, /Deleted constant self .*\n[\s\S]*1 line has the name too \(tests\/d\.py:1\)/);
  });

  it('leaves out lines of an index that is older than the text, and files that are gone', async () => {
    const window = open('only');
    const place = (file: string, line: number, from: number, to: number) => ({
      uri: window.fake.api.Uri.file(window.path(file)),
      range: new Range(line, from, line, to),
    });
    window.fake.answers.set('vscode.executeReferenceProvider', () => [
      place('a.py', 0, 0, 4),
      place('a.py', 1, 7, 11), // no word
      place('b.py', 9, 0, 4),
      place('gone.py', 0, 0, 4),
      place('a.py', 3, 6, 10), // another word: an alias
    ]);
    const [text, note] = await find(window, { symbol: 'only' });
    assert.equal(text?.split('\n')[0], '2 lines use method only (line 1):');
    assert.match(
      note ?? '',
      /^2 lines without the name \(a\.py:2, b\.py:10\) left out: the index of the language server is older/,
    );
    assert.doesNotMatch(note ?? '', /closed to you/);
  });
});
