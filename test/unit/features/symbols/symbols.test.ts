import assert from 'node:assert/strict';
import { findCalls } from '../../../../src/features/symbols/findCalls.ts';
import { findDefinition } from '../../../../src/features/symbols/findDefinition.ts';
import { findReferences } from '../../../../src/features/symbols/findReferences.ts';
import { findTypes } from '../../../../src/features/symbols/findTypes.ts';
import { getSymbol } from '../../../../src/features/symbols/getSymbol.ts';
import { listSymbols } from '../../../../src/features/symbols/listSymbols.ts';
import { Range } from '../../../fakes/text.ts';
import { cleanUp, textsOf, type Window } from '../window.ts';
import { placesOf, withServer } from './server.ts';

const TREE = {
  'src/a.ts': 'class A {\n  run() {\n    return 1;\n  }\n  run() {\n  }\n}\nconst only = 1;\n',
  'src/b.ts': 'const two = only + only;\nconst three = only;\n',
  'test/a.test.ts': 'const four = only;\n',
  '.env': 'only=secret',
  'c.txt': 'only',
};
const FILES = ['src/b.ts', 'src/a.ts', 'test/a.test.ts', '.env'];

function open(answers: Record<string, (window: Window) => unknown> = {}, ...redact: string[]): Window {
  const window = withServer(TREE, { user: { 'workspaceMcp.access.redact': redact } });
  for (const [command, answer] of Object.entries(answers))
    window.fake.answers.set(`vscode.${command}`, () => answer(window));
  return window;
}

const uses = (window: Window) => placesOf(window, 'only', ...FILES);

const item = (window: Window, file: string, name: string, line: number) => ({
  ...{ name, uri: window.fake.api.Uri.file(window.path(file)) },
  selectionRange: new Range(line, 6, line, 6 + name.length),
});

const lines = (...all: string[]) => all.join('\n');

describe('features/symbols/symbols', () => {
  afterEach(cleanUp);

  it('list_symbols shows the outline, with overloads counted', async () => {
    assert.deepEqual(textsOf(await open().run(listSymbols, { path: 'src/a.ts' })), [
      lines(
        'src/a.ts',
        '  1-7 class A',
        '    2-4 method run[1]',
        '    5-6 method run[2]',
        '  8 constant only',
      ),
    ]);
    assert.deepEqual(
      textsOf(await open().run(listSymbols, { path: 'src/a.ts', kinds: ['method'], limit: 1 })),
      [
        lines('src/a.ts', '  2-4 method A/run[1]'),
        'This is not all. Narrow it by query, kinds or depth, or raise limit.',
      ],
    );
    assert.match(
      textsOf(await open().run(listSymbols, { path: 'c.txt' }))[0] ?? '',
      /No extension provides symbols for "plaintext"/,
    );
    await assert.rejects(open().run(listSymbols, { path: 'src/a.ts', kinds: ['klass'] }), /no kind "klass"/);
  });

  it('asks for the symbols of a document again only once its text has changed', async () => {
    const window = open();
    const listed = async () => textsOf(await window.run(listSymbols, { path: 'src/b.ts' }));
    const asked = () =>
      window.fake.commandsRun.filter(({ command }) => command === 'vscode.executeDocumentSymbolProvider');
    const two = ['  1 constant two', '  2 constant three'];
    assert.deepEqual(
      [await listed(), await listed()],
      [[lines('src/b.ts', ...two)], [lines('src/b.ts', ...two)]],
    );
    assert.equal(asked().length, 1);
    const [document] = window.fake.documents;
    assert.ok(document);
    window.fake.person.types(document, 'const five = 5;\n');
    assert.deepEqual(await listed(), [lines('src/b.ts', '  1 constant five')]);
  });

  it('list_symbols finds symbols of all files by part of their name, without closed ones', async () => {
    const window = open({
      executeWorkspaceSymbolProvider: (window) =>
        placesOf(window, 'only', '.env', 'src/a.ts').map(({ uri, range }) => ({
          ...{ name: 'only', location: { uri, range } },
        })),
    });
    assert.deepEqual(textsOf(await window.run(listSymbols, { query: 'ONL' })), [
      lines('src/a.ts', '  8 constant only'),
    ]);
    assert.deepEqual(textsOf(await open().run(listSymbols, { query: 'onl' })), [
      lines('src/a.ts', '  8 constant only'),
    ]);
  });

  it('get_symbol shows the code, the documentation, callers and references, tests apart', async () => {
    const window = open({
      executeHoverProvider: () => [{ contents: [{ value: '```ts\nconst only: 1\n```\nThe only one.' }] }],
      executeReferenceProvider: uses,
    });
    const args = { symbol: 'only', path: 'src/a.ts', include: ['references', 'callers'] };
    assert.deepEqual(textsOf(await window.run(getSymbol, args)), [
      lines(
        'constant only (src/a.ts:8)',
        'const only: 1',
        'The only one.',
        '8: const only = 1;',
        'References (3):',
        'src/a.ts',
        '  8: const only = 1;',
        'src/b.ts',
        '  1: const two = only + only;',
        '  2: const three = only;',
        'References in tests (1):',
        'test/a.test.ts',
        '  1: const four = only;',
        'Callers: There are none, or no extension provides a call hierarchy for "typescript".',
      ),
      '1 more place is outside the workspace or closed to you.',
    ]);
  });

  it('get_symbol goes from a use to the declaration', async () => {
    const window = open({ executeDefinitionProvider: (window) => placesOf(window, 'only', 'src/a.ts') });
    const found = await window.run(getSymbol, { path: 'src/b.ts', line: 2, symbol: 'only' });
    assert.deepEqual(textsOf(found), [lines('constant only (src/a.ts:8)', '8: const only = 1;')]);
  });

  it('find_definition asks for the kind', async () => {
    const window = open({
      executeImplementationProvider: (window) =>
        placesOf(window, 'only', 'src/b.ts', '.env').map(({ uri, range }) => ({
          ...{ targetUri: uri, targetRange: range, targetSelectionRange: range },
        })),
    });
    const found = await window.run(findDefinition, { symbol: 'A', path: 'src/a.ts', kind: 'implementation' });
    assert.deepEqual(textsOf(found), [
      lines(
        '2 implementations of class A (src/a.ts:1):',
        'src/b.ts',
        '  1: const two = only + only;',
        '  2: const three = only;',
      ),
      '1 more place is outside the workspace or closed to you.',
    ]);
    const none = await window.run(findDefinition, { symbol: 'A', path: 'src/a.ts' });
    assert.match(
      textsOf(none)[0] ?? '',
      /^No definitions of class A .* no extension provides definitions for/,
    );
  });

  it('find_references goes on where a page ended', async () => {
    const window = open({ executeReferenceProvider: uses });
    const args = { symbol: 'only', path: 'src/a.ts', limit: 2 };
    const [first, note = ''] = textsOf(await window.run(findReferences, args));
    const heading = '4 lines use constant only (src/a.ts:8) in 3 files:';
    assert.equal(
      first,
      lines(heading, 'src/a.ts', '  8: const only = 1;', 'src/b.ts', '  1: const two = only + only;'),
    );
    const [, cursor] = /^Pass cursor "(.*)" for the rest\./.exec(note) ?? [];
    assert.deepEqual(textsOf(await window.run(findReferences, { ...args, cursor })), [
      lines(heading, 'src/b.ts', '  2: const three = only;', 'test/a.test.ts', '  1: const four = only;'),
      '1 more place is outside the workspace or closed to you.',
    ]);
  });

  it('find_references tells writes apart', async () => {
    const window = open({ executeReferenceProvider: uses });
    window.fake.answers.set('vscode.executeDocumentHighlights', (uri) =>
      placesOf(window, 'only', 'src/a.ts')
        .filter((one) => `${one.uri}` === `${uri}`)
        .map((one) => ({ ...one, kind: 2 })),
    );
    const found = await window.run(findReferences, { symbol: 'only', path: 'src/a.ts', kind: 'write' });
    assert.deepEqual(
      textsOf(found)[0],
      lines('1 line writes constant only (src/a.ts:8) in 1 file:', 'src/a.ts', '  8: const only = 1;'),
    );
  });

  it('find_calls follows callers, each once, not into closed files', async () => {
    const window = open();
    const { answers } = window.fake;
    answers.set('vscode.prepareCallHierarchy', () => [item(window, 'src/a.ts', 'only', 7)]);
    answers.set('vscode.provideIncomingCalls', (of) => {
      const from = (of as { name: string }).name === 'only' ? ['src/b.ts', '.env'] : ['src/a.ts'];
      return from.map((file) => ({
        from: item(window, file, file === 'src/a.ts' ? 'only' : 'two', file === 'src/a.ts' ? 7 : 0),
        fromRanges: [],
      }));
    });
    assert.deepEqual(textsOf(await window.run(findCalls, { symbol: 'only', path: 'src/a.ts', depth: 5 })), [
      lines(
        'Callers of constant only (src/a.ts:8):',
        'src/b.ts',
        '  1: two  const two = only + only;',
        'Callers of two:',
        'src/a.ts',
        '  8: only  const only = 1;',
      ),
      '1 more place is outside the workspace or closed to you.',
    ]);
  });

  it('find_calls names the files that use it without a known call: TypeScript looks in one project', async () => {
    const window = open({ executeReferenceProvider: uses });
    window.fake.answers.set('vscode.prepareCallHierarchy', () => [item(window, 'src/a.ts', 'only', 7)]);
    const args = { symbol: 'only', path: 'src/a.ts' };
    const [, note] = textsOf(await window.run(findCalls, args));
    assert.match(note ?? '', /^2 more files use it without a call, or call it .* see find_references\.$/);
    window.fake.answers.set('vscode.provideIncomingCalls', () =>
      FILES.map((file) => ({ from: item(window, file, 'caller', 0), fromRanges: [] })),
    );
    assert.doesNotMatch(textsOf(await window.run(findCalls, args))[1] ?? '', /find_references/);
    const called = await window.run(findCalls, { ...args, direction: 'out' });
    assert.doesNotMatch(textsOf(called)[1] ?? '', /find_references/);
  });

  it('find_types takes implementations where there is no hierarchy', async () => {
    const window = open({ executeImplementationProvider: (window) => placesOf(window, 'three', 'src/b.ts') });
    assert.deepEqual(textsOf(await window.run(findTypes, { symbol: 'A', path: 'src/a.ts' })), [
      lines('Subtypes of class A (src/a.ts:1):', 'src/b.ts', '  2: const three = only;'),
    ]);
    const none = await window.run(findTypes, { symbol: 'A', path: 'src/a.ts', direction: 'supertypes' });
    assert.match(textsOf(none)[0] ?? '', /^No supertypes of class A .* get_symbol shows/);
  });

  it('redact lines, names and documentation, which cannot be guessed either', async () => {
    const answers = {
      executeReferenceProvider: uses,
      executeHoverProvider: () => [{ contents: ['const three: 3'] }],
    };
    const window = open(answers, 'three = .*');
    const found = await window.run(findReferences, { symbol: 'only', path: 'src/a.ts' });
    assert.match(textsOf(found)[0] ?? '', / {2}2: const \[redacted\]$/m);
    await assert.rejects(window.run(getSymbol, { symbol: 'three' }), /no symbol "three"/);
    assert.deepEqual(textsOf(await window.run(getSymbol, { path: 'src/b.ts', line: 2 })), [
      lines('constant [redacted] (src/b.ts:2)', '[redacted]', '2: const [redacted]'),
    ]);
  });

  it('escape names that forge lines, also in errors', async () => {
    const name = 'a\n  forged\u202e';
    const symbol = (line: number) => ({ ...{ name, kind: 4 }, range: new Range(line, 0, line, 1) });
    const window = open({
      executeDocumentSymbolProvider: () =>
        [0, 1].map((line) => ({ ...symbol(line), selectionRange: new Range(line, 0, line, 1) })),
    });
    for (const wanted of [name, `${name}d`])
      await assert.rejects(
        window.run(getSymbol, { symbol: wanted, path: 'src/a.ts' }),
        ({ message }: Error) => {
          assert.match(message, /names 2 symbols|Nearest/);
          return !/\n {2}forged|\u202e/.test(message);
        },
      );
  });

  it('refuse a name that is too long for a symbol', async () => {
    const wanted = { symbol: 'ä'.repeat(100_000), path: 'src/a.ts', line: 1 };
    await assert.rejects(open().run(findCalls, wanted), /symbol/);
  });

  it('knows the uses in projects of which no file is open', async () => {
    const window = withServer({
      'a/tsconfig.json': '{}',
      'a/a.ts': 'const only = 1;\n',
      'b/tsconfig.json': '{}',
      'b/b.ts': 'const two = only;\n',
      'c/tsconfig.json': '{}',
      'c/c.ts': 'const three = other;\n',
    });
    window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'only', 'a/a.ts'));
    await window.run(findReferences, { symbol: 'only', path: 'a/a.ts' });
    const loaded = window.fake.documents.map(({ uri }) => uri.path.slice(-6));
    assert.deepEqual(loaded.sort(), ['a/a.ts', 'b/b.ts']);
  });

  it('takes no symbol of one file for that of another', async () => {
    const window = withServer({
      'a.ts': 'const run = 1;\n',
      'b.ts': 'class A {\n  run() {\n  }\n}\n',
    });
    window.fake.answers.set('vscode.executeWorkspaceSymbolProvider', () => []);
    await assert.rejects(
      window.run(findReferences, { symbol: 'run' }),
      /"run" names 2 symbols\. Pass one of these, with its path:\n {2}run .*a\.ts:1\n {2}A\/run .*b\.ts:2/,
    );
  });

  it('shows no documentation from a closed file', async () => {
    const tree = { 'a.ts': 'const two = only;\n', 'closed/b.ts': 'const only = 1;\n' };
    const window = withServer(tree, { user: { 'workspaceMcp.access.deniedPaths': ['closed'] } });
    window.fake.answers.set('vscode.executeDefinitionProvider', () =>
      placesOf(window, 'only', 'closed/b.ts'),
    );
    window.fake.answers.set('vscode.executeHoverProvider', () => [
      { contents: ['const only: its documentation'] },
    ]);
    const [text] = textsOf(await window.run(getSymbol, { path: 'a.ts', line: 1, symbol: 'only' }));
    assert.doesNotMatch(text ?? '', /its documentation/);
  });
});
