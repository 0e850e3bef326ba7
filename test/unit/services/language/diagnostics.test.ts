import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode';
import { type Checked, Diagnostics } from '../../../../src/services/language/diagnostics.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { CALL, cleanUp, openWindow, type Window } from '../../features/window.ts';

const HOVER = 'vscode.executeHoverProvider';
const wrong = new FakeDiagnostic(new Range(0, 0, 0, 1), 'Wrong') as unknown as Diagnostic;

const PLACE = { start: { line: 1, offset: 1 }, end: { line: 1, offset: 2 } };

/** How long a report is waited for in a test that waits in vain, in milliseconds. */
const SOON = 1_500; // longer than it has to be quiet after a report

async function of({ ctx }: Window, path: string, signal = CALL.signal): Promise<Checked> {
  return ctx.language.of(await ctx.files.locate(path), ctx.files, signal);
}

const messages = ({ diagnostics }: Checked): string[] => diagnostics.map(({ message }) => message);

/** A window in which reports are waited for only so long. */
function openImpatient(files: Record<string, string>): Window {
  const window = openWindow(files);
  window.ctx.language.dispose();
  window.ctx.language = new Diagnostics(window.fake.api, undefined, SOON);
  return window;
}

/** Reports some time after a text has been changed or put in a tab. */
function reportsSoon(window: Window, path: string, report: () => Diagnostic[]): void {
  const isOpen = () => window.fake.documents.some(({ uri }) => uri.fsPath === window.path(path));
  const look = () => (isOpen() ? window.fake.person.reports(window.path(path), report()) : later());
  const later = () => void setTimeout(look, 20);
  later();
}

describe('services/language/diagnostics', () => {
  afterEach(cleanUp);

  describe('gives one of three answers', () => {
    it('checked: the present text was reported clean', async () => {
      const window = openImpatient({ 'a.py': '' });
      window.fake.extensions.installs('python');
      window.fake.person.opensTab(window.path('a.py'));
      window.fake.person.reports(window.path('a.py'), []);
      assert.deepEqual(await of(window, 'a.py'), { diagnostics: [], state: 'checked' });
    });

    it('unchecked: no extension is known to check the language, and nothing is waited for', async () => {
      const window = openWindow({ 'a.txt': '' });
      window.fake.extensions.installs('python');
      const packageJSON = { contributes: { languages: [{ id: 'plaintext' }], grammars: [{}] } };
      window.fake.extensions.all.push({ id: 'a.b', packageJSON, activate: async () => {} });
      assert.deepEqual(await of(window, 'a.txt'), { diagnostics: [], state: 'unchecked' });
      assert.deepEqual(window.fake.commandsRun, [], 'no tab, no crossing to the workbench');
    });

    it('unchecked: the person has switched off that VS Code checks it', async () => {
      const window = openImpatient({ 'a.json': '{,', 'a.ts': '' });
      for (const name of ['json', 'typescript']) window.fake.extensions.installs(name, true);
      window.fake.person.sets('json.validate.enable', false);
      window.fake.person.sets('js/ts.validate.enabled', false);
      window.fake.answers.set('typescript.tsserverRequest', async () => ({ body: [] }));
      for (const path of ['a.json', 'a.ts']) {
        window.fake.person.opensTab(window.path(path));
        window.fake.person.reports(window.path(path), []);
        assert.equal((await of(window, path)).state, 'unchecked', path);
      }
    });

    for (const [where, opensTab] of Object.entries({ 'in a tab': true, 'that no tab shows': false }))
      it(`pending: there is no report on a file ${where}, though the server answers`, async () => {
        const window = openImpatient({ 'a.py': '' });
        window.fake.extensions.installs('python');
        window.fake.answers.set(HOVER, () => []);
        if (opensTab) window.fake.person.opensTab(window.path('a.py'));
        for (let time = 0; time < 2; time++)
          assert.deepEqual(await of(window, 'a.py'), { diagnostics: [], state: 'pending' });
      });

    it('pending: the report is on the text before', async () => {
      const window = openImpatient({ 'a.py': '' });
      window.fake.extensions.installs('python');
      const document = window.fake.person.opensTab(window.path('a.py'));
      window.fake.person.reports(window.path('a.py'), [wrong]);
      window.fake.person.types(document, 'good');
      const { diagnostics, state } = await of(window, 'a.py');
      assert.deepEqual([diagnostics, state], [[wrong], 'pending'], 'what is known is told');
    });
  });

  describe('takes a report that comes late for none never', () => {
    it('as long as there is none, the answer is pending; then it has the problems', async () => {
      const window = openImpatient({ 'a.py': 'bad' });
      window.fake.extensions.installs('python');
      const document = window.fake.person.opensTab(window.path('a.py'));
      assert.equal((await of(window, 'a.py')).state, 'pending');
      window.fake.person.reports(document.uri, [wrong]);
      assert.deepEqual(await of(window, 'a.py'), { diagnostics: [wrong], state: 'checked' });
    });

    it('what a server takes back when the tab is closed is no report', async () => {
      const window = openImpatient({ 'a.json': '{' });
      window.fake.extensions.installs('json');
      const document = window.fake.person.opensTab(window.path('a.json'));
      window.fake.person.reports(document.uri, [wrong]);
      window.fake.tabs.pop();
      window.fake.person.reports(document.uri, []);
      assert.equal((await of(window, 'a.json')).state, 'pending');
    });

    it('nor what a server of VS Code takes back late, when another text is there', async () => {
      const window = openImpatient({ 'a.json': '{' });
      window.fake.extensions.installs('json', true);
      const isOpened = () => window.fake.person.reports(window.path('a.json'), [wrong]);
      window.fake.answers.set('vscode.open', isOpened);
      assert.equal((await of(window, 'a.json')).state, 'checked');
      const document = window.fake.documents[0] ?? assert.fail();
      window.fake.answers.delete('vscode.open');
      window.fake.person.types(document, '{{');
      window.fake.diagnostics.clear(); // the list is empty before anybody hears of it
      assert.equal((await of(window, 'a.json')).state, 'pending');
      window.fake.person.reports(document.uri, []);
      assert.equal((await of(window, 'a.json')).state, 'pending');
    });

    it('the last report counts only once the server has answered: a busy one answers late', async () => {
      const window = openWindow({ 'a.py': 'bad' });
      window.fake.extensions.installs('python');
      const document = window.fake.person.opensTab(window.path('a.py'));
      window.fake.person.reports(document.uri, []);
      const answered = Promise.withResolvers<void>();
      window.fake.answers.set(HOVER, () => answered.promise);
      const asked = of(window, 'a.py');
      setTimeout(() => {
        window.fake.person.reports(document.uri, [wrong]);
        answered.resolve();
      }, 400); // longer than it is quiet between two reports
      assert.deepEqual(messages(await asked), ['Wrong']);
    });

    it('what comes with the close of a document says nothing about the one that is opened next', async () => {
      const window = openImpatient({ 'a.py': '' });
      window.fake.extensions.installs('python');
      window.fake.person.closes(window.fake.person.loads(window.path('a.py')));
      const document = window.fake.person.opensTab(window.path('a.py'));
      window.fake.person.reports(document.uri, []);
      assert.equal((await of(window, 'a.py')).state, 'pending');
    });

    it('a linter that is started for everything is known by its first problem', async () => {
      const window = openImpatient({ 'a.txt': '', 'b.txt': '' });
      window.fake.person.opensTab(window.path('b.txt'));
      window.fake.person.reports(window.path('b.txt'), [wrong]);
      const document = window.fake.person.opensTab(window.path('a.txt'));
      window.fake.person.types(document, 'a wrod');
      assert.equal((await of(window, 'a.txt')).state, 'pending');
    });
  });

  it('takes a tab that was open before for checked once a server of VS Code has answered twice', async () => {
    for (const [isBuiltin, state] of [
      [true, 'checked'],
      [false, 'pending'],
    ] as const) {
      const window = openWindow({ 'a.json': '' });
      window.fake.extensions.installs('json', isBuiltin);
      window.fake.person.opensTab(window.path('a.json'));
      window.ctx.language = new Diagnostics(window.fake.api, undefined, 2_000);
      assert.equal((await of(window, 'a.json')).state, state);
      const hovers = window.fake.commandsRun.filter(({ command }) => command === HOVER);
      if (isBuiltin) assert.ok(hovers.length >= 2);
      window.ctx.language.dispose();
    }
  }).timeout(10_000);

  it('waits for the report on a file in a tab that has just changed', async () => {
    const window = openWindow({ 'a.py': 'good' });
    window.fake.extensions.installs('python');
    const document = window.fake.person.opensTab(window.path('a.py'));
    window.fake.person.reports(window.path('a.py'), []);
    window.fake.person.types(document, 'bad');
    reportsSoon(window, 'a.py', () => [wrong]);
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    assert.ok(document.isDirty, 'asking saves nothing');
  });

  it('takes the last of several reports', async () => {
    const window = openWindow({ 'a.py': '' });
    window.fake.extensions.installs('python');
    window.fake.person.opensTab(window.path('a.py'));
    reportsSoon(window, 'a.py', () => {
      setTimeout(() => window.fake.person.reports(window.path('a.py'), [wrong]), 50);
      return [];
    });
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
  });

  it('waits longer after a report without problems, once others have come after such a one', async () => {
    const window = openWindow({ 'a.py': '', 'b.py': '' });
    window.fake.extensions.installs('python');
    for (const path of ['a.py', 'b.py']) {
      window.fake.person.opensTab(window.path(path));
      window.fake.person.reports(window.path(path), []);
    }
    assert.deepEqual(messages(await of(window, 'a.py')), [], 'nothing is known of it yet');
    setTimeout(() => window.fake.person.reports(window.path('a.py'), [wrong]), 500);
    while ((await of(window, 'a.py')).diagnostics.length === 0) await new Promise(setImmediate);
    window.fake.person.reports(window.path('b.py'), []);
    setTimeout(() => window.fake.person.reports(window.path('b.py'), [wrong]), 1_200);
    assert.deepEqual(messages(await of(window, 'b.py')), ['Wrong']);
  });

  it('loads a file that is not open, and reports its problems instead of calling it clean', async () => {
    const window = openWindow({ 'a.py': 'bad' });
    window.fake.extensions.installs('python');
    reportsSoon(window, 'a.py', () => [wrong]);
    const { diagnostics, state } = await of(window, 'a.py');
    assert.deepEqual([diagnostics, state], [[wrong], 'checked']);
    assert.deepEqual(window.fake.tabs, [], 'the person sees no new tab');
  });

  it('asks again at once if nothing has changed since', async () => {
    const window = openWindow({ 'a.py': '' });
    window.fake.extensions.installs('python');
    window.fake.person.opensTab(window.path('a.py'));
    reportsSoon(window, 'a.py', () => [wrong]);
    await of(window, 'a.py');
    window.fake.commandsRun.length = 0;
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    assert.deepEqual(window.fake.commandsRun, [], 'no crossing to the workbench');
  });

  it('a server that looks at tabs only is given one behind the others, which is closed again', async () => {
    const window = openWindow({ 'a.json': '{' });
    window.fake.extensions.installs('json');
    window.fake.answers.set('vscode.open', () => reportsSoon(window, 'a.json', () => [wrong]));
    assert.deepEqual(messages(await of(window, 'a.json')), ['Wrong']);
    const [opened] = window.fake.commandsRun.filter(({ command }) => command === 'vscode.open');
    assert.partialDeepStrictEqual(opened?.args[1], { background: true, preserveFocus: true });
    assert.deepEqual(window.fake.tabs, []);
  });

  describe('asks TypeScript', () => {
    const answersOf = (window: Window, text: string) =>
      window.fake.answers.set('typescript.tsserverRequest', async (kind) => ({
        body: kind === 'semanticDiagnosticsSync' ? [{ ...PLACE, text, code: 2322, category: 'error' }] : [],
      }));

    it('about a file that no tab shows', async () => {
      const window = openWindow({ 'a.ts': 'const a: string = 1;' });
      answersOf(window, 'Wrong');
      const { diagnostics, state } = await of(window, 'a.ts');
      assert.partialDeepStrictEqual(diagnostics, [
        {
          ...{ message: 'Wrong', severity: 0, source: 'ts', code: 2322 },
          range: { start: { line: 0, character: 0 } },
        },
      ]);
      assert.deepEqual([state, window.fake.tabs], ['checked', []]);
    });

    it('about a tab, whose reports come one after the other, and again after a change only', async () => {
      const window = openWindow({ 'a.ts': 'good', 'b.ts': '' });
      window.fake.person.opensTab(window.path('a.ts'));
      answersOf(window, 'Before');
      assert.deepEqual(messages(await of(window, 'a.ts')), ['Before']);
      answersOf(window, 'After');
      assert.deepEqual(messages(await of(window, 'a.ts')), ['Before']);
      window.fake.person.types(window.fake.person.loads(window.path('b.ts')), 'of another file');
      assert.deepEqual(messages(await of(window, 'a.ts')), ['After']);
    });

    it('and waits for the linter, if there is one', async () => {
      const window = openWindow({ 'a.ts': 'good' });
      const document = window.fake.person.opensTab(window.path('a.ts'));
      const lint = Object.assign(new FakeDiagnostic(new Range(0, 0, 0, 1), 'Lint'), { source: 'eslint' });
      const old = Object.assign(new FakeDiagnostic(new Range(0, 0, 0, 1), 'Old'), { source: 'ts' });
      answersOf(window, 'New');
      window.fake.person.reports(document.uri, [lint] as unknown as Diagnostic[]);
      window.fake.person.types(document, 'bad');
      reportsSoon(window, 'a.ts', () => [old, lint] as unknown as Diagnostic[]);
      assert.deepEqual(messages(await of(window, 'a.ts')), ['New', 'Lint']);
    });
  });

  it('ends when it is cancelled, though the language server never answers', async () => {
    const window = openWindow({ 'a.py': '' });
    const document = window.fake.person.opensTab(window.path('a.py'));
    window.fake.person.reports(document.uri, []);
    const controller = new AbortController();
    window.fake.answers.set(HOVER, () => {
      controller.abort();
      return new Promise(() => {});
    });
    await assert.rejects(of(window, 'a.py', controller.signal), /cancelled/);
  });

  it('keeps nothing of a window that is gone', () => {
    const window = openWindow({ 'a.py': '' });
    assert.ok(window.fake.listeners > 0);
    cleanUp();
    assert.equal(window.fake.listeners, 0);
  });
});
