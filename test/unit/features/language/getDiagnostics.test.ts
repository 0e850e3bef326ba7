import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Diagnostic } from 'vscode';
import { UserError } from '../../../../src/core/errors.ts';
import { encodeCursor } from '../../../../src/core/page.ts';
import { getDiagnostics } from '../../../../src/features/language/getDiagnostics.ts';
import { setClock } from '../../../../src/util/clock.ts';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeNotebook } from '../../../fakes/notebooks.ts';
import { FakeDiagnostic, FakeDocument, Range } from '../../../fakes/text.ts';
import { until } from '../../../until.ts';
import { ipynb } from '../notebooks.ts';
import { cleanUp, openWindow, type Tree, textsOf, type Window } from '../window.ts';

type Place = [startLine: number, startCharacter: number, endLine: number, endCharacter: number];

/** A problem as VS Code has it: 0-based. */
const problem = (message: string, severity = 0, place: Place = [0, 0, 0, 1], more: object = {}): Diagnostic =>
  Object.assign(new FakeDiagnostic(new Range(...place), message, severity), more) as never;

/** A window in which files are in tabs and reported on. */
function reported(problems: Record<string, Diagnostic[]>, tree: Tree = {}): Window {
  const files = Object.fromEntries(Object.keys(problems).map((path) => [path, '']));
  const window = openWindow({ ...files, ...tree });
  for (const [path, list] of Object.entries(problems)) {
    window.fake.person.opensTab(window.path(path));
    window.fake.person.reports(window.path(path), list);
  }
  return window;
}

/** A notebook with cells: VS Code has a document for each. */
function opensNotebook({ fake, path }: Window, file: string, ...texts: string[]): FakeDocument[] {
  const { Uri } = fake.api;
  const documents = texts.map(
    (text, index) => new FakeDocument(Uri.parse(`vscode-notebook-cell:${path(file)}#${index}`), text),
  );
  fake.documents.push(...documents);
  const getCells = () => documents.map((document) => ({ document }));
  fake.notebooks.push({ uri: Uri.file(path(file)), isDirty: false, getCells });
  return documents;
}

describe('features/language/getDiagnostics', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const run = (window: Window, args: object = {}) => clock.settle(window.run(getDiagnostics, args));

  // biome-ignore lint/suspicious/noExplicitAny: the schema is checked by the wire tests
  const ask = async (window: Window, args: object = {}): Promise<any> =>
    (await run(window, args)).structuredContent;

  it('names the cells of a notebook, and follows them', async () => {
    const window = openWindow({ 'n.ipynb': '{}', '.env.ipynb': '{}' });
    for (const file of ['n.ipynb', '.env.ipynb']) {
      const [first, second] = opensNotebook(window, file, 'cell 0', 'cell 1');
      assert.ok(first && second);
      window.fake.person.reports(second.uri, [problem('in the second')]);
      window.fake.person.reports(first.uri, []);
    }
    const place = { cell: 2, line: 1, column: 1, endColumn: 2 };
    const expected = { ...place, severity: 'error', message: 'in the second' };
    for (const args of [{}, { path: 'n.ipynb' }])
      assert.deepEqual((await ask(window, args)).files, [{ path: 'n.ipynb', problems: [expected] }]);
    const [text] = textsOf(await run(window));
    assert.match(text ?? '', /^n\.ipynb\n {2}cell 2, 1:1 error in the second\n/);
  });

  it('loads a notebook that is not open to check its cells, and says so where none has been reported on', async () => {
    const window = openWindow({ 'n.ipynb': ipynb('first', 'second'), 'broken.ipynb': 'none' });
    const { note, unchecked } = await ask(window, { path: 'n.ipynb' });
    assert.deepEqual([note, unchecked], ['No extension in VS Code is known to check n.ipynb.', ['n.ipynb']]);
    window.fake.extensions.installs('python');
    const reports = (list: Diagnostic[]) => {
      for (const { document } of (window.fake.notebooks[0] as FakeNotebook).getCells())
        window.fake.person.reports(document.uri, document.getText() === 'second' ? list : []);
    };
    reports([]); // as VS Code's own extension for notebooks does
    assert.deepEqual((await ask(window, { path: 'n.ipynb' })).pending, ['n.ipynb']);
    clock.after(150, () => reports([problem('a')]));
    assert.partialDeepStrictEqual((await ask(window, { path: 'n.ipynb' })).files, [
      { path: 'n.ipynb', problems: [{ cell: 2, message: 'a' }] },
    ]);
    await assert.rejects(ask(window, { path: 'broken.ipynb' }), /cannot open broken\.ipynb as a notebook/);
    assert.deepEqual(window.fake.documents, []);
  });

  it('waits for the report on a cell that has just changed, and redacts what it quotes', async () => {
    const window = openWindow({ 'n.ipynb': '{}' }, { user: { 'workspaceMcp.access.redact': ['k3y'] } });
    window.fake.extensions.installs('plaintext');
    const [cell = assert.fail()] = opensNotebook(window, 'n.ipynb', 'x');
    window.fake.person.types(cell, "x = 'k3y'");
    clock.after(150, () => window.fake.person.reports(cell.uri, [problem("'k3y' is unused")]));
    const problems = [{ cell: 1, message: '[redacted]' }];
    assert.partialDeepStrictEqual(await ask(window, { path: 'n.ipynb' }), {
      count: 1,
      files: [{ problems }],
    });
  });

  it('counts lines and columns from 1, and names the end line only where it is another one', async () => {
    const window = reported({
      'a.ts': [
        problem('on one line', 0, [0, 6, 0, 7], { source: 'ts', code: 2322 }),
        problem('on two', 1, [2, 0, 3, 4], { code: { value: 'no-x', target: 'https://example.com' } }),
      ],
    });
    const result = await run(window, { path: 'a.ts' });
    const one = { line: 1, column: 7, endColumn: 8, severity: 'error', message: 'on one line' };
    const two = { line: 3, column: 1, endLine: 4, endColumn: 5, severity: 'warning', message: 'on two' };
    const problems = [
      { ...one, source: 'ts', code: '2322' },
      { ...two, code: 'no-x' },
    ];
    assert.deepEqual(result.structuredContent, { files: [{ path: 'a.ts', problems }], count: 2 });
    assert.deepEqual(textsOf(result), [
      'a.ts\n  1:7 error on one line (ts 2322)\n  3:1 warning on two (no-x)',
    ]);
  });

  it('groups by file, sorts both, and leaves out clean, closed and outside ones', async () => {
    const window = reported({
      'b.ts': [problem('second', 0, [5, 0, 5, 1]), problem('first', 0, [1, 0, 1, 1])],
      'a.ts': [problem('only')],
      'clean.ts': [],
      '.env': [problem('hidden')],
    });
    window.fake.person.reports('/elsewhere/x.ts', [problem('hidden')]);
    const [text = ''] = textsOf(await run(window));
    const shown = 'a.ts\n  1:1 error only\nb.ts\n  2:1 error first\n  6:1 error second\n';
    assert.equal(text.slice(0, shown.length), shown);
    assert.doesNotMatch(text, /clean|hidden/);
  });

  const ALL = ['e', 'w', 'i', 'h'].map((message, severity) => problem(message, severity));

  it('reports down to a severity, cuts at the limit, and says how many are left out', async () => {
    for (const [severity, count] of Object.entries({ error: 1, warning: 2, information: 3, hint: 4 }))
      assert.equal((await ask(reported({ 'a.ts': ALL }), { severity }))?.count, count);
    const window = reported({ 'a.ts': ALL, 'b.ts': ALL, 'c.ts': ALL });
    const severity = 'hint';
    const result = await run(window, { limit: 6, severity });
    assert.partialDeepStrictEqual(result.structuredContent, { count: 12, leftOut: 6 });
    assert.doesNotMatch(textsOf(result)[0] ?? '', /c\.ts/);
    assert.match(textsOf(result)[1] ?? '', /^6 of 12 problems\..*raise limit/);
    const named = { path: 'a.ts', paths: ['b.ts', './a.ts', window.path('b.ts')] };
    assert.equal((await ask(window, { ...named, severity })).count, 8, 'of several files, each once');
    assert.equal((await ask(window, named)).count, 6, 'hints only if they are asked for');
  });

  it('waits for several files at once, not for one after the other', async () => {
    const window = reported({ 'a.py': [], 'b.py': [], 'c.py': [] });
    const answered = Promise.withResolvers<void>();
    let waiting = 0;
    window.fake.answers.set('vscode.executeHoverProvider', () => {
      waiting++;
      return answered.promise;
    });
    const asked = window.run(getDiagnostics, { paths: ['a.py', 'b.py', 'c.py'] });
    await until(() => waiting === 3, 'the question about each file');
    answered.resolve();
    await clock.settle(asked);
  });

  it('claims nothing about files that nobody has named', async () => {
    for (const [problems, said] of [
      [[], /^No problems reported so far, mostly on open tabs\. Pass paths/],
      [[problem('a')], /\nThese are the problems reported so far/],
    ] as const)
      assert.match(textsOf(await run(reported({ 'a.ts': [...problems] })))[0] ?? '', said);
  });

  it('tells three answers apart, in structure and in text: clean is said of what was checked', async () => {
    const window = reported({ 'checked.py': [], 'old.py': [problem('old')] }, { 'x.txt': '' });
    window.fake.extensions.installs('python');
    window.fake.person.types(window.fake.api.workspace.textDocuments[1] as never, 'changed');
    const unchecked = 'No extension in VS Code is known to check x.txt.';
    const pending =
      'No report on the current text of old.py yet: the language server may still be starting or busy. Ask again.';
    for (const [path, structure, text] of [
      ['checked.py', { count: 0 }, 'No problems.'],
      ['x.txt', { count: 0, unchecked: ['x.txt'], note: unchecked }, unchecked],
      ['old.py', { count: 1, pending: ['old.py'], note: pending }, `old.py\n  1:1 error old\n${pending}`],
    ] as const) {
      const result = await run(window, { path });
      const { files: _, ...others } = result.structuredContent as { files: object };
      assert.deepEqual([others, textsOf(result)], [structure, [text]]);
    }
    window.fake.diagnostics.clear();
    const [all] = textsOf(await run(window, { paths: ['checked.py', 'x.txt', 'old.py'] }));
    assert.equal(all, ['No problems in the files that were checked.', unchecked, pending].join('\n'));
  });

  it('answers for the others where one file cannot be checked', async () => {
    const window = reported({ 'a.ts': [] }, { 'd/.env': '' });
    const [text = ''] = textsOf(await run(window, { paths: ['a.ts', 'd/.env', 'none.ts'] }));
    assert.match(text, /^No problems in the files that were checked\.\nNot checked:\n/);
    assert.match(text, /:\n {2}.*\.env is closed to agents.*\n {2}.*There is no file or folder "none\.ts"/);
  });

  /** A window with Python files and others, in which an extension checks Python. */
  function withPython(tree: Tree): Window {
    const window = openWindow(tree);
    setClock(); // ripgrep takes real time
    window.fake.extensions.brings({
      languages: [
        { id: 'python', extensions: ['.py'] },
        { id: 'json', extensions: ['.json'] },
        { id: 'ini', extensions: ['.cfg'] },
      ],
    });
    window.fake.extensions.installs('python');
    window.fake.extensions.installs('json', true);
    return window;
  }

  /** From now on checks have this result; returns the names of the files that are checked. */
  function checksBy(window: Window, state: 'checked' | 'pending'): string[] {
    const checked: string[] = [];
    window.ctx.language.of = async ({ path }) => {
      checked.push(path);
      return { diagnostics: [], state };
    };
    return checked;
  }

  const numbered = (count: number): Tree =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/${1000 + at}.py`, '']));

  it('names a hundred files without a report, and counts the others; waits only for the first', async () => {
    const window = withPython(numbered(130));
    const waited = checksBy(window, 'pending');
    const { pending, note } = await ask(window, { path: 'src' });
    assert.equal(pending.length, 100);
    assert.match(note, /No report on .* and 110 more files yet/);
    assert.equal(waited.length, 5);
    window.ctx.language.of = async () => {
      throw new UserError('It is broken.');
    };
    const broken = await ask(window, { path: 'src' });
    assert.equal(broken.failed.length, 100);
    assert.equal(broken.note, '30 more files could not be checked.');
  });

  it('takes folders and globs for the files in them that an extension checks', async () => {
    const ignored = { '.gitignore': 'out\n', 'out/e.py': '' };
    const window = withPython({
      'src/a.py': '',
      'src/in/b.py': '',
      'lib/c.py': '',
      'docs/f.cfg': '',
      ...ignored,
    });
    const checked = checksBy(window, 'checked');
    const named = async (args: object) => {
      checked.length = 0;
      const { note } = await ask(window, args);
      return [...checked.sort(), ...(note ? [note] : [])];
    };
    assert.deepEqual(await named({ path: 'src' }), ['src/a.py', 'src/in/b.py']);
    assert.deepEqual(await named({ paths: ['src/*.py', 'lib/'] }), ['lib/c.py', 'src/a.py']);
    assert.deepEqual(await named({ path: '.' }), ['lib/c.py', 'src/a.py', 'src/in/b.py']);
    assert.deepEqual(await named({ path: 'docs' }), [
      'No file in docs has a language that an extension checks; ignored ones do not count.',
    ]);
    await assert.rejects(ask(window, { path: '*'.repeat(2000) }), /A glob has at most 1000 characters/);
  });

  it('opens files that need a tab only if they are named, or alone in the folder', async () => {
    const window = withPython({ 'a/a.py': '', 'a/b.json': '', 'c/d.json': '' });
    const checked = checksBy(window, 'checked');
    assert.equal(
      (await ask(window, { path: 'a' })).note,
      '1 file (.json) is not checked, as VS Code needs a tab for each: name them, or a glob of only these.',
    );
    await ask(window, { paths: ['c', '**/b.json'] });
    assert.deepEqual(checked, ['a/a.py', 'a/b.json', 'c/d.json']);
  });

  it('goes on with a cursor where the time of a call has ended, and tells the known problems of the rest', async () => {
    const window = withPython(numbered(20));
    let now = 0;
    setClock({ now: () => now, after: () => () => {} });
    const checked = checksBy(window, 'checked');
    const { of } = window.ctx.language;
    window.ctx.language.of = async (...args) => {
      if (checked.length === 9) now += 50_000;
      return of(...args);
    };
    window.fake.person.reports(window.path('src/1019.py'), [problem('known')]);
    const { note, count } = await ask(window, { path: 'src' });
    now = 0;
    const [, cursor] = /^\d+ of 20 files not checked yet: pass cursor "(.*)"\.$/.exec(note) ?? [];
    assert.equal(count, 1);
    assert.equal((await ask(window, { path: 'src', cursor })).note, undefined);
    const past = encodeCursor('get_diagnostics', 'zzz');
    assert.equal((await ask(window, { path: 'src', cursor: past })).note, 'No file is left to check.');
    assert.deepEqual([checked.length, new Set(checked).size], [20, 20]);
  });

  it('leaves out problems of files that are gone', async () => {
    const window = openWindow({ 'a.py': '', 'b.py': '' });
    for (const file of ['a.py', 'b.py']) {
      window.fake.person.loads(window.path(file));
      window.fake.person.reports(window.path(file), [problem(file)]);
    }
    rmSync(window.path('b.py'));
    assert.equal((await ask(window)).count, 1);
  });
});
