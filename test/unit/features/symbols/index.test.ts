import assert from 'node:assert/strict';
import { findCalls, findTypes } from '../../../../src/features/symbols/findHierarchy.ts';
import { findDefinition, findReferences } from '../../../../src/features/symbols/findPlaces.ts';
import { getSymbol } from '../../../../src/features/symbols/getSymbol.ts';
import { listSymbols } from '../../../../src/features/symbols/listSymbols.ts';
import { Range } from '../../../fakes/text.ts';
import { ask } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { placesOf, withServer } from './server.ts';

const TREE = {
  'src/a.ts': 'class A {\n  run() {\n    return 1;\n  }\n  run() {\n  }\n}\nconst only = 1;\n',
  'src/b.ts': 'const two = only + only;\nconst three = only;\n',
  'test/a.test.ts': 'const four = only;\n',
  '.env': 'only=secret',
  'c.txt': 'only',
};
const FILES = ['src/b.ts', 'src/a.ts', 'test/a.test.ts', '.env'];

/** Arguments that name the class, and the constant. */
const A = { symbol: 'A', path: 'src/a.ts' };
const ONLY = { symbol: 'only', path: 'src/a.ts' };
const CLOSED = '1 more place is outside the workspace or closed to you.';

type Answers = Record<string, (window: Window, ...args: never[]) => unknown>;

function open(answers: Answers = {}, ...redact: string[]): Window {
  const window = withServer(TREE, { user: { 'workspaceMcp.access.redact': redact } });
  answer(window, answers);
  return window;
}

function answer(window: Window, answers: Answers): void {
  for (const [command, given] of Object.entries(answers))
    window.fake.answers.set(`vscode.${command}`, (...args) => given(window, ...(args as never[])));
}

const executeReferenceProvider = (window: Window) => placesOf(window, 'only', ...FILES);

/** An item of a hierarchy. */
const item = (window: Window, file: string, name: string, line: number) => ({
  name,
  uri: window.fake.api.Uri.file(window.path(file)),
  selectionRange: new Range(line, 6, line, 6 + name.length),
});

describe('features/symbols/index', () => {
  afterEach(cleanUp);

  it('list_symbols shows the outline, with overloads counted, and some kinds up to a limit, or why there are none', async () => {
    const path = 'src/a.ts';
    const listed = (args: object) => ask(open(), listSymbols, args);
    const runs = ['    2-4 method run[1]', '    5-6 method run[2]'];
    assert.deepEqual(await listed({ path }), [path, '  1-7 class A', ...runs, '  8 constant only']);
    const more = 'This is not all. Narrow it by query, kinds or depth, or raise limit.';
    const methods = await listed({ path, kinds: ['method'], limit: 1 });
    assert.deepEqual(methods, [path, '  2-4 method A/run[1]', more]);
    const [none = ''] = await listed({ path: 'c.txt' });
    assert.match(none, /No extension provides symbols for "plaintext"/);
    await assert.rejects(listed({ path, kinds: ['klass'] }), /no kind "klass"/);
  });

  it('list_symbols shows no symbols of the JSON of a notebook', async () => {
    const window = withServer({ 'n.ipynb': '{}' });
    await assert.rejects(ask(window, listSymbols, { path: 'n.ipynb' }), /n\.ipynb is a notebook.*read_file/);
  });

  it('list_symbols finds symbols by what servers know of all files, without closed ones', async () => {
    const executeWorkspaceSymbolProvider = (window: Window) =>
      placesOf(window, 'only', '.env', 'src/a.ts').map((location) => ({ name: 'only', location }));
    const found = await ask(open({ executeWorkspaceSymbolProvider }), listSymbols, { query: 'ONL' });
    assert.deepEqual(found, ['src/a.ts', '  8 constant only']);
  });

  it('list_symbols finds declarations by text in files that no server knows, and says how many are left out', async () => {
    const many = Array.from({ length: 40 }, (_, at) => [`m/${at}.ts`, 'class Only {\n}\n']);
    const window = withServer({ ...TREE, 'lib/use.ts': 'only();\n', ...Object.fromEntries(many) });
    answer(window, {
      executeWorkspaceSymbolProvider: () =>
        placesOf(window, 'only', 'src/a.ts').map((location) => ({ name: 'only', location })),
    });
    const found = await ask(window, listSymbols, { query: 'onl' });
    assert.deepEqual(found.slice(0, 2), ['src/a.ts', '  8 constant only']);
    assert.equal(found.filter((line) => /^ {2}1-2 class Only/.test(line)).length, 29);
    assert.equal(found.at(-1), '13 more files not looked at: narrow query, or pass a folder.');
    const inFolder = (path: string) => ask(window, listSymbols, { query: 'onl', path });
    assert.deepEqual(await inFolder('src'), ['src/a.ts', '  8 constant only']);
    assert.equal(
      (await inFolder('m')).at(-1),
      '10 more files not looked at: narrow query, or pass a folder.',
    );
    await assert.rejects(ask(window, listSymbols, { path: 'src' }), /is a folder/);
  });

  it('get_symbol shows the code, the documentation, callers and references, tests apart', async () => {
    const contents = [{ value: '```ts\nconst only: 1\n```\nThe only one.' }];
    const window = open({ executeHoverProvider: () => [{ contents }], executeReferenceProvider });
    assert.deepEqual(await ask(window, getSymbol, { ...ONLY, include: ['references', 'callers'] }), [
      'constant only (line 8)',
      'const only: 1',
      'The only one.',
      '8: const only = 1;',
      'References (3):',
      'src/a.ts',
      '8: const only = 1;',
      'src/b.ts',
      '1: const two = only + only;',
      '2: const three = only;',
      'References in tests (1):',
      'test/a.test.ts',
      '1: const four = only;',
      'Callers: There are none, or no extension provides a call hierarchy for "typescript".',
      CLOSED,
    ]);
  });

  it('get_symbol shows a signature only if the code does not declare the result', async () => {
    const signature = (name: string) => `(method) E.${name}(given: core.Given<unknown>): Set<string>`;
    const window = withServer({
      'e.ts':
        'class E {\n  says(given: Given): Set<string> {\n  }\n  infers(given: Given) {\n    f((): Set<string> {\n    }\n  }\n}\n',
    });
    answer(window, {
      executeHoverProvider: (_window, _uri, { line }: { line: number }) => [
        { contents: [{ value: `\`\`\`ts\n${signature(line === 1 ? 'says' : 'infers')}\n\`\`\`` }] },
      ],
    });
    const shown = async (symbol: string) => ask(window, getSymbol, { symbol, path: 'e.ts' });
    assert.deepEqual((await shown('says')).slice(0, 2), [
      'method E/says (line 2)',
      '2:   says(given: Given): Set<string> {',
    ]);
    assert.equal((await shown('infers'))[1], signature('infers'));
  });

  it('get_symbol shows a docstring once, which Pyright turns into Markdown', async () => {
    const docstring = '  """Says it.\n\n  Args:\n    a: the_given\n  """\n';
    const window = withServer({ 'f.ts': `class f {\n${docstring}}\n` });
    const value = '~~~python\ndef f(a) -> int\n~~~\nSays it.\n\nArgs:\n&nbsp;&nbsp;a: the\\_given';
    answer(window, {
      executeHoverProvider: () => [{ contents: [{ value: value.replaceAll('~~~', '```') }] }],
    });
    const shown = await ask(window, getSymbol, { symbol: 'f', path: 'f.ts' });
    assert.deepEqual(shown.slice(0, 3), ['class f (line 1)', 'def f(a) -> int', '1: class f {']);
  });

  it('get_symbol shows no documentation from a closed file', async () => {
    const window = open({
      executeDefinitionProvider: (window) => placesOf(window, 'only', 'c.txt'),
      executeHoverProvider: () => [{ contents: ['const only: its documentation'] }],
    });
    const asked = async () =>
      (await ask(window, getSymbol, { path: 'src/b.ts', line: 2, symbol: 'only' })).join();
    assert.match(await asked(), /only: its documentation/);
    window.fake.person.sets('workspaceMcp.access.deniedPaths', ['c.txt']);
    assert.doesNotMatch(await asked(), /only: its documentation/);
  });

  it('find_definition asks for the kind', async () => {
    const executeImplementationProvider = (window: Window) =>
      placesOf(window, 'only', 'src/b.ts', '.env').map(({ uri, range }) => {
        return { targetUri: uri, targetRange: range, targetSelectionRange: range };
      });
    const window = open({ executeImplementationProvider });
    assert.deepEqual(await ask(window, findDefinition, { ...A, kind: 'implementation' }), [
      '2 implementations of class A (src/a.ts:1):',
      'src/b.ts',
      '1: const two = only + only;',
      '2: const three = only;',
      CLOSED,
    ]);
  });

  it('find_references goes on where a page ended', async () => {
    const window = open({ executeReferenceProvider });
    const args = { ...ONLY, limit: 2 };
    const [heading, ...all] = await ask(window, findReferences, args);
    assert.equal(heading, '4 lines use constant only (line 8) in 3 files:');
    const first = ['src/a.ts', '8: const only = 1;', 'src/b.ts', '1: const two = only + only;'];
    assert.deepEqual(all.slice(0, 4), first);
    const [, cursor] = /^Pass cursor "(.*)" for the rest\./.exec(all[4] ?? '') ?? [];
    assert.deepEqual(await ask(window, findReferences, { ...args, cursor }), [
      heading,
      'src/b.ts',
      '2: const three = only;',
      'test/a.test.ts',
      '1: const four = only;',
      CLOSED,
    ]);
  });

  it('find_references counts += and ++ of C as writes, which its server does not', async () => {
    const text = 'const x = 1;\nx += 1;\n++p->x;\ny = x - 1;\n--x;\nx\n';
    const window = withServer({ 'a.c': text });
    window.fake.extensions.installs('c');
    const places = () => placesOf(window, 'x', 'a.c');
    answer(window, {
      executeReferenceProvider: places,
      executeDocumentHighlights: () =>
        places().map(({ range }) => ({ range, kind: { 0: 2, 3: 1 }[range.start.line] ?? 0 })),
    });
    const linesOf = async (kind: string) =>
      (await ask(window, findReferences, { symbol: 'x', path: 'a.c', kind })).slice(2);
    assert.deepEqual(await linesOf('write'), ['1: const x = 1;', '2: x += 1;', '3: ++p->x;', '5: --x;']);
    assert.deepEqual(await linesOf('read'), ['2: x += 1;', '3: ++p->x;', '4: y = x - 1;', '5: --x;']);
  });

  it('find_references tells writes apart', async () => {
    const executeDocumentHighlights = (window: Window, uri: unknown) => {
      const places = placesOf(window, 'only', 'src/a.ts').filter((one) => `${one.uri}` === `${uri}`);
      return places.map((one) => ({ ...one, kind: 2 }));
    };
    const window = open({ executeReferenceProvider, executeDocumentHighlights });
    assert.deepEqual(await ask(window, findReferences, { ...ONLY, kind: 'write' }), [
      '1 line writes constant only (line 8):',
      'src/a.ts',
      '8: const only = 1;',
      CLOSED,
    ]);
  });

  it('find_references knows the members of types that only the workspace symbols have', async () => {
    const window = withServer({ 'a.ts': 'const A {\n  wide: number;\n}\n', 'b.ts': '{ wide: 1 };\n' });
    const at = (name: string, file: string, line: number) => {
      const uri = window.fake.api.Uri.file(window.path(file));
      return { name, kind: 6, location: { uri, range: new Range(line, 2, line, 15) } };
    };
    answer(window, { executeWorkspaceSymbolProvider: () => [at('wide', 'a.ts', 1)] });
    answer(window, {
      executeReferenceProvider: (_, __, { line }: { line: number }) =>
        line === 1 ? placesOf(window, 'wide', 'a.ts') : [],
    });
    assert.deepEqual(await ask(window, findReferences, { symbol: 'A/wide' }), [
      '1 line uses property A/wide (a.ts:2):',
      'a.ts',
      '2: wide: number;',
    ]);
  });

  it('find_definition tells the classes that implement a type, objects of it only if there are none', async () => {
    const window = withServer({ ...TREE, 'src/d.ts': 'class D extends A {\n}\n' });
    const words = ['D', 'three'];
    answer(window, {
      executeImplementationProvider: () =>
        words.flatMap((word) => placesOf(window, word, 'src/b.ts', 'src/d.ts')),
    });
    const found = () => ask(window, findDefinition, { ...A, kind: 'implementation' });
    assert.deepEqual((await found()).slice(1), ['src/d.ts', '1: class D extends A {']);
    words.shift();
    assert.deepEqual((await found()).slice(1), ['src/b.ts', '2: const three = only;']);
  });

  const prepareCallHierarchy = (window: Window) => [item(window, 'src/a.ts', 'only', 7)];

  it('find_calls follows callers, each once, not into closed files', async () => {
    const provideIncomingCalls = (window: Window, { name }: { name: string }) => {
      const callers = ['src/b.ts', '.env'].map((file) => item(window, file, 'two', 0));
      const all = name === 'only' ? callers : prepareCallHierarchy(window);
      return all.map((from) => ({ from, fromRanges: [] }));
    };
    const window = open({ prepareCallHierarchy, provideIncomingCalls });
    assert.deepEqual(await ask(window, findCalls, { ...ONLY, depth: 5 }), [
      'Callers of constant only (line 8):',
      'src/b.ts',
      '1: two  const two = only + only;',
      'Callers of two:',
      'src/a.ts',
      '8: only  const only = 1;',
      CLOSED,
    ]);
  });

  it('find_calls tells a caller of two overloads once', async () => {
    const window = open({
      prepareCallHierarchy: (window) => [0, 7].map((line) => item(window, 'src/a.ts', 'only', line)),
      provideIncomingCalls: (window) => [{ from: item(window, 'src/b.ts', 'two', 0), fromRanges: [] }],
    });
    const callers = ['Callers of constant only (line 8):', 'src/b.ts', '1: two  const two = only + only;'];
    assert.deepEqual(await ask(window, findCalls, ONLY), callers);
  });

  it('find_types takes implementations where there is no hierarchy, but no variables of a class', async () => {
    const window = withServer({ ...TREE, 'src/d.ts': 'class D extends A {\n}\n' });
    answer(window, {
      executeImplementationProvider: () =>
        ['D', 'three'].flatMap((word) => placesOf(window, word, 'src/b.ts', 'src/d.ts')),
    });
    assert.deepEqual(await ask(window, findTypes, A), [
      'Subtypes of class A (line 1):',
      'src/d.ts',
      '1: class D extends A {',
    ]);
    const [none = ''] = await ask(window, findTypes, { ...A, direction: 'supertypes' });
    assert.match(none, /^Supertypes of class A .*: none\. get_symbol shows/);
  });

  it('redact lines, names and documentation, which cannot be guessed either', async () => {
    const executeHoverProvider = () => [{ contents: ['const three: 3'] }];
    const window = open({ executeReferenceProvider, executeHoverProvider }, 'three = .*');
    assert.ok((await ask(window, findReferences, ONLY)).includes('2: const [redacted]'));
    await assert.rejects(ask(window, getSymbol, { symbol: 'three' }), /no symbol "three"/);
    assert.deepEqual(await ask(window, getSymbol, { path: 'src/b.ts', line: 2 }), [
      'constant [redacted] (line 2)',
      '2: const [redacted]',
    ]);
  });
});
