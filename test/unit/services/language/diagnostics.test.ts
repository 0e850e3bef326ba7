import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { Diagnostic } from 'vscode';
import { Diagnostics } from '../../../../src/services/language/diagnostics.ts';
import { type Checked, Reports } from '../../../../src/services/language/reports.ts';
import { CONFIG_ERRORS } from '../../../../src/tsserver/commands.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { CALL, cleanUp, openWindow, type Window } from '../../features/window.ts';

const HOVER = 'vscode.executeHoverProvider';
const LANGUAGES: Record<string, string> = { py: 'python', json: 'json', c: 'c' };

const problem = (message: string, source?: string): Diagnostic =>
  Object.assign(new FakeDiagnostic(new Range(0, 0, 0, 1), message), source && { source }) as never;
const wrong = problem('Wrong');

/** A window with one file, and an extension for its language. */
function withServer(path: string, text = '', isBuiltin = false): Window {
  const window = openWindow({ [path]: text });
  const language = LANGUAGES[path.slice(2)];
  if (language) window.fake.extensions.installs(language, isBuiltin);
  return window;
}

/** A window with a server, and the file in a tab. */
function withTab(path: string, text = '', isBuiltin = false) {
  const window = withServer(path, text, isBuiltin);
  return { ...window, document: window.fake.person.opensTab(window.path(path)) };
}

const reports = ({ fake, path }: Window, file: string, ...problems: Diagnostic[]) =>
  fake.person.reports(path(file), problems);

const closeTabs = ({ fake }: Window) => fake.api.window.tabGroups.close([...fake.tabs] as never);

const messages = ({ diagnostics }: Checked): string[] => diagnostics.map(({ message }) => message);

describe('services/language/diagnostics', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  async function of({ ctx }: Window, path: string, signal = CALL.signal): Promise<Checked> {
    const location = await ctx.files.locate(path);
    return clock.settle(ctx.language.of(location, ctx.files, signal));
  }

  /** Reports some time after a file has been loaded. */
  function reportsSoon(window: Window, path: string, ...problems: Diagnostic[]): void {
    const isOpen = () => window.fake.documents.some(({ uri }) => uri.fsPath === window.path(path));
    const later = () => clock.after(20, () => (isOpen() ? reports(window, path, ...problems) : later()));
    later();
  }

  describe('gives one of three answers', () => {
    it('unchecked: no extension is known to check the language, and nothing is waited for', async () => {
      const window = openWindow({ 'a.txt': '', 'b.txt': '' });
      window.fake.extensions.installs('python');
      const packageJSON = { contributes: { languages: [{ id: 'plaintext' }], grammars: [{}] } };
      window.fake.extensions.adds({ id: 'a.b', packageJSON, activate: async () => {} });
      assert.deepEqual(await of(window, 'a.txt'), { diagnostics: [], state: 'unchecked' });
      assert.deepEqual(window.fake.commandsRun, [], 'no tab, no crossing to the workbench');
      window.fake.person.opensTab(window.path('b.txt'));
      reports(window, 'b.txt', wrong);
      const shown = (await of(window, 'a.txt')).state;
      assert.equal(shown, 'pending', 'a linter of everything is known by a problem');
    });

    it('unchecked: the person has switched off that VS Code checks it', async () => {
      const window = openWindow({ 'a.json': '{,', 'a.ts': '' });
      for (const name of ['json', 'typescript']) window.fake.extensions.installs(name, true);
      window.fake.person.sets('json.validate.enable', false);
      window.fake.person.sets('js/ts.validate.enabled', false);
      window.fake.answers.set('typescript.tsserverRequest', async () => ({ body: [] }));
      for (const path of ['a.json', 'a.ts']) {
        window.fake.person.opensTab(window.path(path));
        reports(window, path);
        assert.equal((await of(window, path)).state, 'unchecked', path);
      }
    });

    it('pending: there is no report on a file, though the server answers, or one on the text before; checked: then there is', async () => {
      const window = withTab('a.py');
      window.fake.answers.set(HOVER, () => []);
      for (const patience of [20_000, 3_000]) {
        const start = clock.now();
        assert.deepEqual(await of(window, 'a.py'), { diagnostics: [], state: 'pending' });
        const waited = clock.now() - start;
        assert.ok(waited >= patience && waited <= patience + 100, `${waited}`);
      }
      reports(window, 'a.py', wrong);
      assert.deepEqual(await of(window, 'a.py'), { diagnostics: [wrong], state: 'checked' });
      window.fake.person.types(window.document, 'good');
      assert.deepEqual(await of(window, 'a.py'), { diagnostics: [wrong], state: 'pending' });
    });
  });

  describe('takes a report that comes late for none never', () => {
    it('what a server takes back when the tab is closed is no report, nor late, when another text is there', async () => {
      const closed = withTab('a.json', '{');
      reports(closed, 'a.json', wrong);
      await closeTabs(closed);
      reports(closed, 'a.json');
      assert.equal((await of(closed, 'a.json')).state, 'pending');
      const window = withServer('a.json', '{', true);
      window.fake.answers.set('vscode.open', () => reports(window, 'a.json', wrong));
      assert.equal((await of(window, 'a.json')).state, 'checked');
      const document = window.fake.documents[0] ?? assert.fail();
      window.fake.answers.delete('vscode.open');
      window.fake.person.types(document, '{{');
      window.fake.diagnostics.clear(); // the list is empty before anybody hears of it
      assert.equal((await of(window, 'a.json')).state, 'pending');
      reports(window, 'a.json');
      assert.equal((await of(window, 'a.json')).state, 'pending');
    });

    it('the last report counts only once the server has answered: a busy one answers late', async () => {
      const window = withTab('a.py', 'bad');
      reports(window, 'a.py');
      const { promise, resolve } = Promise.withResolvers<void>();
      window.fake.answers.set(HOVER, () => promise);
      clock.after(2_000, () => reports(window, 'a.py', wrong)); // longer than it is quiet between two reports
      clock.after(2_000, resolve);
      assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    });

    it('what comes with the close of a document says nothing about the one that is opened next', async () => {
      const window = withServer('a.py');
      window.fake.person.closes(window.fake.person.loads(window.path('a.py')));
      window.fake.person.opensTab(window.path('a.py'));
      reports(window, 'a.py');
      assert.equal((await of(window, 'a.py')).state, 'pending');
      await clock.pass(100);
      reports(window, 'a.py');
      assert.equal((await of(window, 'a.py')).state, 'checked', 'but what comes later does');
    });
  });

  describe('learns what a server does from its reports', () => {
    const opened = ({ fake }: Window) => fake.commandsRun.filter(({ command }) => command === 'vscode.open');
    /** Two files without tabs that the server has reported on. */
    async function withReports(...problems: Diagnostic[]): Promise<Window> {
      const window = openWindow({ 'a.py': '', 'b.py': '' });
      window.fake.extensions.installs('python');
      for (const path of ['a.py', 'b.py']) {
        reportsSoon(window, path, ...problems);
        assert.equal((await of(window, path)).state, 'checked');
      }
      return window;
    }
    const documentOf = ({ fake, path }: Window, file: string) =>
      fake.documents.find(({ uri }) => uri.fsPath === path(file)) ?? assert.fail();

    it('another empty report on a text takes nothing back, nor does one without the problems before', async () => {
      for (const problems of [[], [problem('Wrong', 'lint')]]) {
        const window = await withReports(...problems);
        await clock.pass(5_000);
        reports(window, 'b.py');
        const start = clock.now();
        assert.deepEqual(await of(window, 'b.py'), { diagnostics: [], state: 'checked' });
        window.fake.person.types(documentOf(window, 'b.py'), 'bad');
        clock.after(600, () => reports(window, 'b.py', wrong)); // longer than a tab would be waited with
        assert.deepEqual(messages(await of(window, 'b.py')), ['Wrong']);
        assert.ok(clock.now() - start < 5_000);
        assert.deepEqual(opened(window), []);
      }
    });

    it('problems that go with their tab are of one that looks at tabs, until some of it come without a tab', async () => {
      const window = await withReports();
      const lint = problem('Lint', 'lint');
      window.fake.person.opensTab(window.path('b.py'));
      reports(window, 'b.py', lint);
      await closeTabs(window);
      reports(window, 'b.py');
      await clock.pass(1_000);
      window.fake.answers.set('vscode.open', () => reports(window, 'b.py', lint));
      assert.deepEqual(messages(await of(window, 'b.py')), ['Lint']);
      assert.equal(opened(window).length, 1, 'it is given a tab');
      reports(window, 'a.py', problem('Other', 'lint'));
      assert.deepEqual(messages(await of(window, 'a.py')), ['Other']);
      assert.equal(opened(window).length, 1, 'and none any more');
    });

    it('a report from before another file has changed is not the last', async () => {
      const window = await withReports();
      await clock.pass(5_000);
      window.fake.person.types(documentOf(window, 'a.py'), 'renamed');
      reports(window, 'a.py');
      clock.after(800, () => reports(window, 'b.py', wrong));
      assert.deepEqual(messages(await of(window, 'b.py')), ['Wrong']);
      const start = clock.now();
      window.fake.person.types(documentOf(window, 'b.py'), '');
      reports(window, 'b.py');
      window.fake.person.saves(documentOf(window, 'a.py'));
      clock.after(1_400, () => reports(window, 'b.py', wrong)); // other files took so long, nearly
      assert.deepEqual(messages(await of(window, 'b.py')), ['Wrong']);
      assert.ok(clock.now() - start < 2_000);
    });

    it('nor is one from before a shell has changed another file of the language', async () => {
      const window = withServer('a.py');
      reportsSoon(window, 'a.py', wrong);
      await of(window, 'a.py');
      await clock.pass(5_000);
      window.fake.person.changesFile(window.path('lib/b.py'));
      clock.after(500, () => reports(window, 'a.py', problem('From b.py')));
      assert.deepEqual(messages(await of(window, 'a.py')), ['From b.py']);
    });

    it('others are waited for twice as long as the changed file took itself', async () => {
      const window = await withReports();
      await clock.pass(5_000);
      window.fake.person.types(documentOf(window, 'a.py'), 'renamed');
      clock.after(1_200, () => reports(window, 'a.py'));
      clock.after(2_300, () => reports(window, 'b.py', wrong));
      await of(window, 'a.py');
      assert.deepEqual(messages(await of(window, 'b.py')), ['Wrong']);
    });

    it('a report that comes late because another file has changed does not make others wait longer', async () => {
      const window = await withReports();
      await clock.pass(5_000);
      window.fake.person.types(documentOf(window, 'a.py'), 'renamed');
      reports(window, 'b.py', wrong);
      window.fake.person.types(documentOf(window, 'b.py'), 'mended');
      reports(window, 'b.py');
      const start = clock.now();
      assert.equal((await of(window, 'b.py')).state, 'checked');
      assert.ok(clock.now() - start <= 1_100);
    });

    it('an answer from a tab is used once more, until another file changes; the tab is not opened again while it closes', async () => {
      const window = openWindow({ 'a.json': '{', 'b.json': '' });
      window.fake.extensions.installs('json');
      const [a, b] = ['a.json', 'b.json'].map((file) => window.fake.person.loads(window.path(file)));
      window.fake.answers.set('vscode.open', () => {
        window.fake.person.opensTab(window.path('a.json'));
        reports(window, 'a.json', wrong);
      });
      window.fake.api.window.tabGroups.onDidChangeTabs(
        ({ closed: [tab] }) => tab && reports(window, 'a.json'),
      );
      assert.deepEqual(messages(await of(window, 'a.json')), ['Wrong']);
      assert.deepEqual(messages(await of(window, 'a.json')), ['Wrong']);
      assert.equal(opened(window).length, 1);
      for (const document of [b, a]) {
        window.fake.person.types(document ?? assert.fail(), 'other');
        const before = clock.now();
        assert.deepEqual(messages(await of(window, 'a.json')), ['Wrong']);
        assert.ok(clock.now() > before);
      }
      assert.equal(opened(window).length, 3);
    });

    it('a clean text of which nothing is known is tried in a tab again: other files may have changed', async () => {
      for (const isByTab of [true, false]) {
        const window = openWindow({ 'a.py': '', 'b.py': '' });
        window.fake.extensions.installs('python');
        let found: Diagnostic[] = [];
        let times = 0;
        window.fake.answers.set('vscode.open', () => {
          window.fake.person.opensTab(window.path('a.py'));
          if (isByTab || times++ === 0) clock.after(300, () => reports(window, 'a.py', ...found));
        });
        assert.deepEqual(messages(await of(window, 'a.py')), []);
        found = [wrong];
        const other = window.fake.person.loads(window.path('b.py'));
        window.fake.person.types(other, 'a moment later');
        for (const expected of isByTab ? [['Wrong'], ['Wrong']] : [[], []]) {
          const { diagnostics, state } = await of(window, 'a.py');
          assert.deepEqual([messages({ diagnostics, state }), state], [expected, 'checked']);
          await clock.pass(10_000);
        }
        assert.equal(opened(window).length, isByTab ? 3 : 2);
      }
    });

    it('a text that is not yet that of the disk is not told as checked', async () => {
      const window = await withReports(wrong);
      writeFileSync(window.path('b.py'), 'other');
      assert.equal((await of(window, 'b.py')).state, 'pending');
      clock.after(500, () => {
        window.fake.person.types(documentOf(window, 'b.py'), 'other');
        reports(window, 'b.py');
      });
      assert.deepEqual(await of(window, 'b.py'), { diagnostics: [], state: 'checked' });
    });

    it('a server that gives symbols, and never a report, is not waited for again, nor told as one that checks nothing', async () => {
      const window = withTab('a.py');
      window.fake.answers.set(HOVER, () => []);
      window.fake.answers.set('vscode.executeDocumentSymbolProvider', () => [{}]);
      const waits = [];
      for (let call = 0; call < 3; call++) {
        const start = clock.now();
        assert.equal((await of(window, 'a.py')).state, 'pending');
        waits.push(clock.now() - start);
        await clock.pass(20_000);
      }
      assert.deepEqual(waits, [20_000, 3_000, 0]);
      reports(window, 'a.py', wrong);
      assert.equal((await of(window, 'a.py')).state, 'checked', 'until there is one');
    });
  });

  describe('has a server read a file again', () => {
    const withReport = async (path = 'a.py') => {
      const window = withServer(path);
      reportsSoon(window, path, problem('Old', 'lint'));
      assert.deepEqual(messages(await of(window, path)), ['Old']);
      return window;
    };

    it('and takes the report on what it has read then, not that it takes back the one before', async () => {
      const window = await withReport();
      const [document = assert.fail()] = window.fake.documents;
      const opened: string[] = [];
      window.fake.api.workspace.onDidOpenTextDocument(({ languageId }) => {
        opened.push(languageId);
        if (languageId === 'plaintext') reports(window, 'a.py');
        else clock.after(300, () => reports(window, 'a.py', problem('New', 'lint')));
      });
      assert.equal(await clock.settle(window.ctx.language.readAgain(document.uri)), true);
      assert.deepEqual(opened, ['plaintext', 'python']);
      assert.deepEqual(messages(await of(window, 'a.py')), ['New']);
      const wrong = window.fake.commandsRun.filter(({ command }) => command === 'vscode.open');
      assert.deepEqual(wrong, [], 'no tab');
    });

    it('of C, if a header has changed since its report: the server notices only what VS Code saves', async () => {
      const window = await withReport('a.c');
      const { fake } = window;
      fake.api.workspace.onDidOpenTextDocument(({ languageId }) => {
        if (languageId === 'c') clock.after(300, () => reports(window, 'a.c', problem('New', 'lint')));
      });
      await clock.pass(5_000);
      fake.person.changesFile(window.path('lib/b.hpp'));
      assert.deepEqual(messages(await of(window, 'a.c')), ['New']);
      assert.deepEqual(messages(await of(window, 'a.c')), ['New'], 'once');
    });

    it('unless a tab shows it', async () => {
      const window = await withReport();
      const { uri } = window.fake.person.opensTab(window.path('a.py'));
      assert.equal(await window.ctx.language.readAgain(uri), false);
    });
  });

  it('takes a tab that was open before for checked once a server of VS Code has answered, and no other', async () => {
    for (const isBuiltin of [true, false]) {
      const window = withTab('a.json', '', isBuiltin);
      window.ctx.language.dispose();
      window.ctx.language = new Diagnostics(window.fake.api, new Reports(window.fake.api));
      assert.equal((await of(window, 'a.json')).state, isBuiltin ? 'checked' : 'pending');
      const hovers = window.fake.commandsRun.filter(({ command }) => command === HOVER);
      if (isBuiltin) assert.ok(hovers.length >= 2);
      window.ctx.language.dispose();
    }
  });

  it('waits for the last report on a file in a tab that has just changed, and then asks for nothing', async () => {
    const window = withTab('a.py', 'good');
    reports(window, 'a.py');
    window.fake.person.types(window.document, 'bad');
    reportsSoon(window, 'a.py');
    clock.after(70, () => reports(window, 'a.py', wrong));
    const start = clock.now();
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    assert.ok(clock.now() - start < 1_000, 'the report ends the wait');
    assert.ok(window.document.isDirty, 'asking saves nothing');
    window.fake.commandsRun.length = 0;
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    assert.deepEqual(window.fake.commandsRun, [], 'no crossing to the workbench');
  });

  it('waits longer after a report without problems, once others have come after such a one', async () => {
    const window = openWindow({ 'a.py': '', 'b.py': '' });
    window.fake.extensions.installs('python');
    for (const path of ['a.py', 'b.py']) {
      window.fake.person.opensTab(window.path(path));
      reports(window, path);
    }
    assert.deepEqual(messages(await of(window, 'a.py')), [], 'nothing is known of it yet');
    reports(window, 'a.py', wrong);
    reports(window, 'b.py');
    clock.after(1_200, () => reports(window, 'b.py', wrong));
    assert.deepEqual(messages(await of(window, 'b.py')), ['Wrong']);
  });

  it('loads a file that is not open; a server that looks at tabs only is given one, which is closed again', async () => {
    const loaded = withServer('a.py', 'bad');
    reportsSoon(loaded, 'a.py', wrong);
    assert.deepEqual(await of(loaded, 'a.py'), { diagnostics: [wrong], state: 'checked' });
    assert.deepEqual(loaded.fake.tabs, [], 'the person sees no new tab');
    const window = withServer('a.json', '{');
    window.fake.answers.set('vscode.open', () => reportsSoon(window, 'a.json', wrong));
    assert.deepEqual(messages(await of(window, 'a.json')), ['Wrong']);
    const [opened] = window.fake.commandsRun.filter(({ command }) => command === 'vscode.open');
    assert.partialDeepStrictEqual(opened?.args[1], { background: true, preserveFocus: true });
    assert.deepEqual(window.fake.tabs, []);
  });

  describe('asks TypeScript', () => {
    const PLACE = { start: { line: 1, offset: 1 }, end: { line: 1, offset: 2 } };
    const answersOf = (window: Window, text: string) =>
      window.fake.answers.set('typescript.tsserverRequest', async (kind) => ({
        body: kind === 'semanticDiagnosticsSync' ? [{ ...PLACE, text, code: 2322, category: 'error' }] : [],
      }));

    it('about a file that no tab shows', async () => {
      const window = openWindow({ 'a.ts': 'const a: string = 1;' });
      answersOf(window, 'Wrong');
      const { diagnostics, state } = await of(window, 'a.ts');
      const range = { start: { line: 0, character: 0 } };
      const expected = { message: 'Wrong', severity: 0, source: 'ts', code: 2322, range };
      assert.partialDeepStrictEqual(diagnostics, [expected]);
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

    it('about a configuration, of which VS Code may show what was wrong before', async () => {
      const window = withTab('tsconfig.json', '{}', true);
      const body = [{ ...PLACE, text: 'Now', code: 18003, category: 'error' }];
      window.fake.answers.set('typescript.tsserverRequest', async (kind) =>
        kind === CONFIG_ERRORS ? { body } : {},
      );
      reports(window, 'tsconfig.json', problem('Before', 'ts'), problem('Schema', 'json'));
      assert.deepEqual(messages(await of(window, 'tsconfig.json')), ['Now', 'Schema']);
      window.fake.answers.set('typescript.tsserverRequest', () => Promise.reject(new Error('No plugin.')));
      assert.deepEqual(messages(await of(window, 'tsconfig.json')), ['Before', 'Schema']);
    });

    it('and waits for the linter, if there is one, but not long', async () => {
      const window = withTab('a.ts', 'good');
      const lint = problem('Lint', 'eslint');
      answersOf(window, 'New');
      reports(window, 'a.ts', lint);
      window.fake.person.types(window.document, 'bad');
      reportsSoon(window, 'a.ts', problem('Old', 'ts'), lint);
      assert.deepEqual(messages(await of(window, 'a.ts')), ['New', 'Lint']);
      window.fake.person.types(window.document, 'worse');
      const start = clock.now();
      assert.equal((await of(window, 'a.ts')).state, 'pending');
      assert.equal(clock.now() - start, 3_000);
    });
  });

  it('ends when it is cancelled, though the language server never answers', async () => {
    const window = withTab('a.py');
    reports(window, 'a.py');
    const controller = new AbortController();
    window.fake.answers.set(HOVER, () => new Promise(() => controller.abort()));
    await assert.rejects(of(window, 'a.py', controller.signal), /cancelled/);
  });
});
