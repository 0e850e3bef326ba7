import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode';
import type { Settled } from '../../../../src/services/language/diagnostics.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import { CALL, cleanUp, openWindow, type Window } from '../../features/window.ts';

const HOVER = 'vscode.executeHoverProvider';
const wrong = new FakeDiagnostic(new Range(0, 0, 0, 1), 'Wrong') as unknown as Diagnostic;

const PLACE = { start: { line: 1, offset: 1 }, end: { line: 1, offset: 2 } };

async function of({ ctx }: Window, path: string, signal = CALL.signal): Promise<Settled> {
  return ctx.language.of(await ctx.files.locate(path), ctx.files, signal);
}

const messages = ({ diagnostics }: Settled): string[] => diagnostics.map(({ message }) => message);

/** A language server that reports some time after a document has been loaded, changed, or put in a tab. */
function languageServer(window: Window, path: string, report: () => Diagnostic[]): void {
  window.fake.answers.set(
    HOVER,
    () => void setTimeout(() => window.fake.person.reports(window.path(path), report()), 20),
  );
}

describe('features/diagnostics', () => {
  afterEach(cleanUp);

  it('waits for the report on a file in a tab that has just changed', async () => {
    const window = openWindow({ 'a.py': 'good' });
    const document = window.fake.person.opensTab(window.path('a.py'));
    window.fake.person.reports(window.path('a.py'), []);
    window.fake.person.types(document, 'bad');
    languageServer(window, 'a.py', () => [wrong]);
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    assert.ok(document.isDirty, 'asking saves nothing');
  });

  it('asks TypeScript where a tab has just changed: its reports come one after the other', async () => {
    const window = openWindow({ 'a.ts': 'good' });
    const document = window.fake.person.opensTab(window.path('a.ts'));
    Object.assign(document, { languageId: 'typescript' });
    const old = Object.assign(new FakeDiagnostic(new Range(0, 0, 0, 1), 'Old'), { source: 'ts' });
    const lint = Object.assign(new FakeDiagnostic(new Range(0, 0, 0, 1), 'Lint'), { source: 'eslint' });
    const report = [old, lint] as unknown as Diagnostic[];
    window.fake.person.types(document, 'bad');
    languageServer(window, 'a.ts', () => report);
    window.fake.answers.set('typescript.tsserverRequest', (kind) => ({
      body: kind === 'semanticDiagnosticsSync' ? [{ ...PLACE, text: 'New', category: 'error' }] : [],
    }));
    assert.deepEqual(messages(await of(window, 'a.ts')), ['New', 'Lint']);
  });

  it('takes the last of several reports', async () => {
    const window = openWindow({ 'a.py': '' });
    window.fake.person.opensTab(window.path('a.py'));
    languageServer(window, 'a.py', () => {
      setTimeout(() => window.fake.person.reports(window.path('a.py'), [wrong]), 50);
      return [];
    });
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
  });

  it('loads a file that is not open, and reports its problems instead of calling it clean', async () => {
    const window = openWindow({ 'a.py': 'bad' });
    languageServer(window, 'a.py', () => [wrong]);
    const settled = await of(window, 'a.py');
    assert.deepEqual([messages(settled), settled.settled], [['Wrong'], true]);
    assert.deepEqual(window.fake.tabs, [], 'the person sees no new tab');
  });

  it('asks again at once where nothing has changed since', async () => {
    const window = openWindow({ 'a.py': '' });
    window.fake.person.opensTab(window.path('a.py'));
    languageServer(window, 'a.py', () => [wrong]);
    await of(window, 'a.py');
    window.fake.commandsRun.length = 0;
    assert.deepEqual(messages(await of(window, 'a.py')), ['Wrong']);
    assert.deepEqual(window.fake.commandsRun, [], 'no crossing to the workbench');
  });

  it('a clean file that nobody reports on is settled, and not waited for a second time', async () => {
    const window = openWindow({ 'a.py': '' });
    window.fake.person.opensTab(window.path('a.py'));
    assert.deepEqual(await of(window, 'a.py'), { diagnostics: [], settled: true });
    window.fake.commandsRun.length = 0;
    assert.deepEqual(await of(window, 'a.py'), { diagnostics: [], settled: true });
    assert.deepEqual(window.fake.commandsRun, []);
  }).timeout(10_000); // it is waited for, once

  it('a server that looks at tabs only is given one behind the others, which is closed again', async () => {
    const window = openWindow({ 'a.json': '{' });
    window.fake.answers.set('vscode.open', () =>
      setTimeout(() => window.fake.person.reports(window.path('a.json'), [wrong]), 20),
    );
    assert.deepEqual(messages(await of(window, 'a.json')), ['Wrong']);
    const [opened] = window.fake.commandsRun.filter(({ command }) => command === 'vscode.open');
    assert.partialDeepStrictEqual(opened?.args[1], { background: true, preserveFocus: true });
    assert.deepEqual(window.fake.tabs, []);
  });

  it('asks the TypeScript extension about a file that no tab shows', async () => {
    const window = openWindow({ 'a.ts': 'const a: string = 1;' });
    window.fake.answers.set('typescript.tsserverRequest', async (request) => ({
      body:
        request === 'semanticDiagnosticsSync'
          ? [
              {
                start: { line: 1, offset: 7 },
                end: { line: 1, offset: 8 },
                text: 'Wrong',
                code: 2322,
                category: 'error',
              },
            ]
          : [],
    }));
    const { diagnostics } = await of(window, 'a.ts');
    assert.partialDeepStrictEqual(diagnostics, [
      {
        message: 'Wrong',
        severity: 0,
        source: 'ts',
        code: 2322,
        range: { start: { line: 0, character: 6 } },
      },
    ]);
    assert.deepEqual(window.fake.tabs, []);
  });

  it('ends when it is cancelled, though the language server never answers', async () => {
    const window = openWindow({ 'a.py': '' });
    window.fake.person.opensTab(window.path('a.py'));
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
