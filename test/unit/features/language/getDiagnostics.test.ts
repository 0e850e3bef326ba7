import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode';
import { getDiagnostics } from '../../../../src/features/language/getDiagnostics.ts';
import { Diagnostics } from '../../../../src/services/language/diagnostics.ts';
import { FakeDiagnostic, FakeDocument, Range } from '../../../fakes/text.ts';
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

const ask = async (window: Window, args: object = {}) =>
  (await window.run(getDiagnostics, args)).structuredContent as Record<string, unknown>;

describe('features/language/getDiagnostics', () => {
  afterEach(cleanUp);

  it('names the cells of a notebook, and follows them', async () => {
    const window = openWindow({ 'n.ipynb': '{}', '.env.ipynb': '{}' });
    const { Uri } = window.fake.api;
    const cellOf = (file: string, number: number) =>
      Uri.parse(`vscode-notebook-cell:${window.path(file)}#${number}`);
    for (const file of ['n.ipynb', '.env.ipynb']) {
      const documents = [0, 1].map((number) => new FakeDocument(cellOf(file, number), `cell ${number}`));
      window.fake.documents.push(...documents);
      const getCells = () => documents.map((document) => ({ document }));
      window.fake.notebooks.push({ uri: Uri.file(window.path(file)), isDirty: false, getCells });
      window.fake.person.reports(cellOf(file, 1), [problem('in the second')]);
      window.fake.person.reports(cellOf(file, 0), []);
    }
    const expected = {
      cell: 2,
      line: 1,
      column: 1,
      endColumn: 2,
      severity: 'error',
      message: 'in the second',
    };
    for (const args of [{}, { path: 'n.ipynb' }])
      assert.deepEqual((await ask(window, args)).files, [{ path: 'n.ipynb', problems: [expected] }]);
    const [text] = textsOf(await window.run(getDiagnostics, {}));
    assert.match(text ?? '', /^n\.ipynb\n {2}cell 2, 1:1 error in the second\n/);
  });

  it('waits for the report on a cell that has just changed', async () => {
    const window = openWindow({ 'n.ipynb': '{}' });
    const { Uri } = window.fake.api;
    const { person } = window.fake;
    window.fake.extensions.installs('plaintext');
    const document = new FakeDocument(Uri.parse(`vscode-notebook-cell:${window.path('n.ipynb')}#0`), 'x');
    window.fake.documents.push(document);
    window.fake.notebooks.push({
      uri: Uri.file(window.path('n.ipynb')),
      isDirty: true,
      getCells: () => [{ document }],
    });
    person.types(document, 'y');
    const asked = ask(window, { path: 'n.ipynb' });
    await new Promise((resolve) => setTimeout(resolve, 150));
    person.reports(document.uri, [problem('of the new text')]);
    assert.partialDeepStrictEqual(await asked, { count: 1, files: [{ problems: [{ cell: 1 }] }] });
  });

  it('counts lines and columns from 1, and names the end line only where it is another one', async () => {
    const window = reported({
      'a.ts': [
        problem('on one line', 0, [0, 6, 0, 7], { source: 'ts', code: 2322 }),
        problem('on two', 1, [2, 0, 3, 4], { code: { value: 'no-x', target: 'https://example.com' } }),
      ],
    });
    const result = await window.run(getDiagnostics, { path: 'a.ts' });
    assert.deepEqual(result.structuredContent, {
      files: [
        {
          path: 'a.ts',
          problems: [
            {
              line: 1,
              column: 7,
              endColumn: 8,
              severity: 'error',
              message: 'on one line',
              source: 'ts',
              code: '2322',
            },
            {
              line: 3,
              column: 1,
              endLine: 4,
              endColumn: 5,
              severity: 'warning',
              message: 'on two',
              code: 'no-x',
            },
          ],
        },
      ],
      count: 2,
    });
    assert.deepEqual(textsOf(result), [
      'a.ts\n  1:7 error on one line (ts 2322)\n  3:1 warning on two (no-x)',
    ]);
  });

  it('groups by file, sorts both, and leaves out the clean ones', async () => {
    const window = reported({
      'b.ts': [problem('second', 0, [5, 0, 5, 1]), problem('first', 0, [1, 0, 1, 1])],
      'a.ts': [problem('only')],
      'clean.ts': [],
    });
    const result = (await ask(window)) as unknown as {
      files: { path: string; problems: { message: string }[] }[];
    };
    assert.deepEqual(
      result.files.map(({ path, problems }) => [path, ...problems.map(({ message }) => message)]),
      [
        ['a.ts', 'only'],
        ['b.ts', 'first', 'second'],
      ],
    );
  });

  const ALL = ['e', 'w', 'i', 'h'].map((message, severity) => problem(message, severity));
  for (const [severity, count] of Object.entries({ error: 1, warning: 2, information: 3, hint: 4 }))
    it(`reports down to ${severity}`, async () =>
      assert.equal((await ask(reported({ 'a.ts': ALL }), { severity }))?.count, count));

  it('cuts at the limit and says how many are left out', async () => {
    const window = reported({ 'a.ts': ALL, 'b.ts': ALL, 'c.ts': ALL });
    const result = await window.run(getDiagnostics, { limit: 6 });
    const { files, count, leftOut } = result.structuredContent as Record<string, unknown[]>;
    assert.deepEqual([files?.length, count, leftOut], [2, 12, 6]);
    assert.match(textsOf(result)[1] ?? '', /^6 of 12 problems\..*raise limit/);
  });

  it('of all files names none that is closed or outside', async () => {
    const window = reported({ 'a.ts': [problem('shown')], '.env': [problem('hidden')] });
    window.fake.person.reports('/elsewhere/x.ts', [problem('hidden')]);
    const { files } = (await ask(window)) as unknown as { files: { path: string }[] };
    assert.deepEqual(
      files.map(({ path }) => path),
      ['a.ts'],
    );
  });

  it('of several files names each once, and those only', async () => {
    const window = reported({ 'a.ts': [problem('a')], 'b.ts': [problem('b')], 'c.ts': [problem('c')] });
    const { count } = await ask(window, { path: 'a.ts', paths: ['b.ts', './a.ts', window.path('b.ts')] });
    assert.equal(count, 2);
  });

  it('waits for several files at once, not for one after the other', async () => {
    const window = openWindow({ 'a.py': '', 'b.py': '', 'c.py': '' });
    let waiting = 0;
    let most = 0;
    window.fake.answers.set('vscode.executeHoverProvider', async () => {
      most = Math.max(most, ++waiting);
      await new Promise((resolve) => setTimeout(resolve, 20));
      waiting--;
    });
    const files = ['a.py', 'b.py', 'c.py'];
    for (const file of files) {
      window.fake.person.opensTab(window.path(file));
      window.fake.person.reports(window.path(file), []);
    }
    await ask(window, { paths: files });
    assert.equal(most, 3);
  });

  it('says that there is nothing', async () => {
    const result = await reported({ 'a.ts': [] }).run(getDiagnostics, { path: 'a.ts' });
    assert.deepEqual(textsOf(result), ['No problems.']);
    assert.deepEqual(result.structuredContent, { files: [], count: 0 });
  });

  it('claims nothing about files that nobody has named', async () => {
    const clean = await reported({ 'a.ts': [] }).run(getDiagnostics);
    assert.match(textsOf(clean)[0] ?? '', /^No problems reported so far, mostly on open tabs\. Pass paths/);
    const wrong = await reported({ 'a.ts': [problem('a')] }).run(getDiagnostics);
    assert.match(textsOf(wrong)[0] ?? '', /\nThese are the problems reported so far/);
  });

  describe('tells three answers apart, in structure and in text', () => {
    /** One file of each kind; the report on the last is on the text before. */
    function three(): Window {
      const window = reported({ 'checked.py': [], 'old.py': [problem('old')] }, { 'unchecked.txt': '' });
      window.fake.extensions.installs('python');
      window.ctx.language = new Diagnostics(window.fake.api, undefined, 1_500);
      window.fake.person.reports(window.path('checked.py'), []);
      window.fake.person.types(window.fake.api.workspace.textDocuments[1] as never, 'changed');
      return window;
    }
    const UNCHECKED = 'No extension in VS Code is known to check unchecked.txt.';
    const PENDING =
      'No report on the current text of old.py yet: the language server may still be starting or busy. Ask again.';

    it('for one file each', async () => {
      const window = three();
      for (const [path, structure, text] of [
        ['checked.py', { files: [], count: 0 }, 'No problems.'],
        ['unchecked.txt', { files: [], count: 0, unchecked: ['unchecked.txt'], note: UNCHECKED }, UNCHECKED],
      ] as const) {
        const result = await window.run(getDiagnostics, { path });
        assert.deepEqual([result.structuredContent, textsOf(result)], [structure, [text]]);
      }
      const result = await window.run(getDiagnostics, { path: 'old.py' });
      assert.partialDeepStrictEqual(result.structuredContent, {
        count: 1,
        pending: ['old.py'],
        note: PENDING,
      });
      assert.deepEqual(textsOf(result), [`old.py\n  1:1 error old\n${PENDING}`]);
      window.ctx.language.dispose();
    });

    it('for all of them at once: clean is said of what was checked', async () => {
      const window = three();
      const paths = ['checked.py', 'unchecked.txt', 'old.py'];
      window.fake.diagnostics.clear();
      assert.deepEqual(textsOf(await window.run(getDiagnostics, { paths })), [
        ['No problems in the files that were checked.', UNCHECKED, PENDING].join('\n'),
      ]);
      window.ctx.language.dispose();
    });
  });

  it('answers for the others where one file cannot be checked', async () => {
    const window = reported({ 'a.ts': [] }, { '.env': '' });
    const result = await window.run(getDiagnostics, { paths: ['a.ts', '.env'] });
    assert.match(
      textsOf(result)[0] ?? '',
      /^No problems in the files that were checked\.\nNot checked:\n {2}.*\.env is closed to agents/,
    );
  });

  for (const [what, args, message] of [
    ['a folder', { path: 'folder' }, /folder is a folder/],
    ['what is not there', { path: 'none' }, /no file or folder "none"/],
    ['a secret', { path: '.env' }, /closed to agents/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const window = reported({ 'a.ts': [] }, { 'folder/b': '', '.env': '' });
      await assert.rejects(ask(window, args), message);
    });
  }
});
