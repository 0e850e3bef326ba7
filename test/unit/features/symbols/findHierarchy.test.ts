import assert from 'node:assert/strict';
import { findCalls, findTypes } from '../../../../src/features/symbols/findHierarchy.ts';
import { Range } from '../../../fakes/text.ts';
import { ask } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { placesOf, withServer } from './server.ts';

/** The server of the tests wants braces. */
const TREE = {
  'a.py': 'class Shape {\n  area() {\n  }\n  scale() {\n    area()\n  }\n}\n',
  'b.py':
    'class Square(geo.Shape) {\n}\nclass List(Generic[Shape]) {\n}\nrun() {\n  scale(2)\n  close(1)\n  other(3)\n}\n',
  'c.py': 'class Big(Square) {\n}\nclass Other(Shape) {\n}\nenum Kind(Shape) {\n}\n',
};
const SHAPE = { symbol: 'Shape', path: 'a.py' };
const RUN = { symbol: 'run', path: 'b.py' };

type Places = ReturnType<typeof placesOf>;

/** A window whose server knows definitions, and references in loaded files. */
function open(
  answers: Record<string, (window: Window) => unknown> = {},
  tree: Record<string, string> = TREE,
) {
  const window = withServer(tree, { user: { 'workspaceMcp.access.deniedPaths': ['closed.py'] } });
  const { fake } = window;
  fake.extensions.installs('python');
  fake.extensions.brings({ languages: [{ id: 'python', extensions: ['.py'] }] });
  const declared: Record<string, () => Places> = {};
  for (const [path, text] of Object.entries(tree))
    for (const [, name = ''] of text.matchAll(/^ *(?:class )?(\w+)(?=\(.*\{| \{)/gm))
      declared[name] = () => placesOf(window, name, path).slice(0, 1);
  fake.answers.set(
    'vscode.executeDefinitionProvider',
    (uri, at) => declared[wordAt(window, uri, at)]?.() ?? [],
  );
  fake.answers.set('vscode.executeReferenceProvider', (uri, at) =>
    placesOf(window, wordAt(window, uri, at), 'a.py', 'b.py'),
  );
  for (const [command, given] of Object.entries(answers))
    fake.answers.set(`vscode.${command}`, () => given(window));
  return window;
}

function wordAt({ fake }: Window, uri: unknown, at: unknown): string {
  const { line, character } = at as { line: number; character: number };
  const text = fake.documents.find((one) => `${one.uri}` === `${uri}`)?.lineAt(line).text ?? '';
  return /^\w+/.exec(text.slice(character))?.[0] ?? '';
}

const prepareCallHierarchy = (window: Window) => {
  const [place] = placesOf(window, 'run', 'b.py');
  return [{ name: 'run', uri: place?.uri, range: place?.range, selectionRange: place?.range }];
};

describe('features/symbols/findHierarchy', () => {
  afterEach(cleanUp);

  it('finds calls by the definitions of called names, over levels, if the server gives none', async () => {
    const tree = { ...TREE, 'closed.py': 'close() {\n}\n' };
    for (const [answers, lacking] of [
      [{}, 'a call hierarchy'],
      [{ prepareCallHierarchy }, 'outgoing calls'],
    ] as const)
      assert.deepEqual(await ask(open(answers, tree), findCalls, { ...RUN, direction: 'out', depth: 2 }), [
        'Called by method run (line 5):',
        'a.py',
        '4: scale() {',
        'Called by Shape/scale:',
        'a.py',
        '2: area() {',
        `The language server for "python" seems not to offer ${lacking}. These are the definitions of the names that the text calls. 1 call has no definition that the server knows. 1 more place is outside the workspace or closed to you.`,
      ]);
  });

  it('takes no outgoing calls for none once the server has given some', async () => {
    let calls: unknown[] = [];
    const window = open({ prepareCallHierarchy, provideOutgoingCalls: () => calls });
    calls = prepareCallHierarchy(window).map((to) => ({ to, fromRanges: [] }));
    await ask(window, findCalls, { ...RUN, direction: 'out' });
    calls = [];
    assert.deepEqual(await ask(window, findCalls, { ...RUN, direction: 'out' }), [
      'Called by method run (line 5): none. find_references shows uses that are no calls.',
    ]);
  });

  it('never tells callers as none if the server offers no call hierarchy', async () =>
    assert.deepEqual(await ask(open(), findCalls, RUN), [
      'No call hierarchy of method run (line 5). The language server for "python" seems not to offer a call hierarchy. find_references shows its uses.',
    ]));

  it('finds callers by references where clangd takes several main for one, and gopls stops at a literal', async () => {
    for (const [ending, id, label, why] of [
      ['c', 'c', 'main', 'may take the main functions of several files for one'],
      ['go', 'go', 'main.func()', 'does not follow function literals'],
    ] as const) {
      const [a, b, h] = [`a.${ending}`, `b.${ending}`, `h.${ending}`];
      const main = 'main() {\n  use(help)\n  help(1)\n}\n';
      const tree = { [h]: 'help() {\n}\n', [a]: main, [b]: `\n${main}`, [`c.${ending}`]: 'help(2)\n' };
      const window = withServer(tree);
      window.fake.extensions.installs(id);
      window.fake.extensions.brings({ languages: [{ id, extensions: [`.${ending}`] }] });
      const item = (name: string, word: string, file: string) => {
        const [place] = placesOf(window, word, file);
        return { name, uri: place?.uri, range: place?.range, selectionRange: place?.range };
      };
      const fromRanges = [new Range(2, 2, 2, 6), new Range(3, 2, 3, 6)];
      window.fake.answers.set('vscode.prepareCallHierarchy', () => [item('help', 'help', h)]);
      window.fake.answers.set('vscode.provideIncomingCalls', () => [
        { from: item(label, 'main', a), fromRanges },
      ]);
      window.fake.answers.set('vscode.executeReferenceProvider', (uri, at) =>
        placesOf(window, wordAt(window, uri, at), ...Object.keys(tree)),
      );
      assert.deepEqual(await ask(window, findCalls, { symbol: 'help', path: h, depth: 2 }), [
        ...['Callers of method help (line 1):', a, '3: main  help(1)', b, '4: main  help(1)'],
        ...[`c.${ending}`, '1: help(2)'],
        `These callers are found by references and the text: the language server ${why}.`,
      ]);
    }
  });

  it('finds subtypes by the heads of classes, also in files that the server has not loaded', async () =>
    assert.deepEqual(await ask(open(), findTypes, { ...SHAPE, depth: 2 }), [
      'Subtypes of class Shape (line 1):',
      'b.py',
      '1: class Square(geo.Shape) {',
      'c.py',
      '3: class Other(Shape) {',
      '5: enum Kind(Shape) {',
      'Subtypes of Square:',
      'c.py',
      '1: class Big(Square) {',
      'The language server for "python" seems not to offer a type hierarchy. Only what other types name in a declaration was looked at.',
    ]));

  it('finds subtypes whose head has several lines, with type arguments and comments', async () => {
    const head = 'class Square(  # {\n  Shape[K, list[V]],  # why\n):\n}\n';
    const window = open({}, { 'a.py': TREE['a.py'], 'b.py': '', 'd.py': head });
    assert.deepEqual((await ask(window, findTypes, SHAPE)).slice(0, 3), [
      ...['Subtypes of class Shape (line 1):', 'd.py', '1: class Square(  # {'],
    ]);
  });

  it('loads no files that only use the type, and of those that may extend it so many, and says how many more', async () => {
    const all = Array.from({ length: 60 }, (_, index) => index);
    const files = all.map((at) => [`s${at}.py`, `Shape(1)\nclass S${at}(Shape) {\n}\n`] as const);
    const uses = all.map((at) => [`u${at}.py`, 'Shape(1)\n'] as const);
    const tree = { ...TREE, ...Object.fromEntries([...files, ...uses]) };
    const window = open({}, tree);
    const at = (file: string, line: number, from: number) => ({
      uri: window.fake.api.Uri.file(window.path(file)),
      range: new Range(line, from, line, from + 'Shape'.length),
    });
    const found = uses.map(([file]) => at(file, 0, 0));
    for (const [file, text] of files.slice(0, 30))
      found.push(at(file, 0, 0), at(file, 1, text.indexOf('(Shape)') - 'Shape(1)'.length));
    window.fake.answers.set('vscode.executeReferenceProvider', () => found);
    const answer = await ask(window, findTypes, SHAPE);
    assert.match(answer.at(-1) ?? '', /was looked at, and not in 13 more files with the name\.$/);
    assert.ok(answer.filter((line) => /^\d+: class S\d/.test(line)).length >= 47);
    const loaded = window.fake.documents.map(({ uri }) => uri.path);
    assert.ok(!loaded.some((path) => /\/u\d+\.py$/.test(path)));
  });

  it('says how supertypes of TypeScript were found', async () => {
    const window = open({}, { 'a.ts': 'class Shape {\n}\nclass Square() extends Shape {\n}\n' });
    const supertypes = { symbol: 'Square', path: 'a.ts', direction: 'supertypes' };
    assert.deepEqual((await ask(window, findTypes, supertypes)).slice(2), [
      '1: class Shape {',
      'The language server for "typescript" gave no type hierarchy. Only what it names in a declaration was looked at.',
    ]);
  });

  it('has the server load files with the name for callers, and names those that it leaves out', async () => {
    const window = open({ prepareCallHierarchy }, { ...TREE, 'd.py': 'run()\n' });
    const answer = await ask(window, findCalls, RUN);
    assert.match(answer.at(-1) ?? '', /^1 line has the name too \(d\.py:1\), in code or comments/);
    assert.ok(window.fake.documents.some(({ uri }) => uri.path.endsWith('/d.py')));
  });

  it('prefers implementations, and says so', async () => {
    const executeImplementationProvider = (window: Window) => placesOf(window, 'Square', 'b.py');
    assert.deepEqual(await ask(open({ executeImplementationProvider }), findTypes, SHAPE), [
      'Subtypes of class Shape (line 1):',
      'b.py',
      '1: class Square(geo.Shape) {',
      'The language server for "python" seems not to offer a type hierarchy. These are implementations.',
    ]);
  });

  it('lists what implements a subtype only below that one', async () => {
    const executeImplementationProvider = (window: Window) => [
      ...placesOf(window, 'Square', 'b.py'),
      ...placesOf(window, 'Big', 'c.py'),
      ...placesOf(window, 'Other', 'c.py'),
    ];
    const window = open({ executeImplementationProvider });
    const direct = ['b.py', '1: class Square(geo.Shape) {', 'c.py', '3: class Other(Shape) {'];
    assert.deepEqual((await ask(window, findTypes, SHAPE)).slice(1, -1), direct);
    const below = ['Subtypes of Square:', 'c.py', '1: class Big(Square) {'];
    const all = (await ask(window, findTypes, { ...SHAPE, depth: 2 })).join('\n');
    assert.ok(all.includes(`${[...direct, ...below].join('\n')}\n`), all);
  });

  it('finds supertypes by the head of the class, over levels', async () => {
    const supertypes = { symbol: 'Big', path: 'c.py', direction: 'supertypes', depth: 3 };
    assert.deepEqual(await ask(open(), findTypes, supertypes), [
      'Supertypes of class Big (line 1):',
      'b.py',
      '1: class Square(geo.Shape) {',
      'Supertypes of Square:',
      'a.py',
      '1: class Shape {',
      'The language server for "python" seems not to offer a type hierarchy. Only what it names in a declaration was looked at.',
    ]);
  });

  it('says that a server refuses a hierarchy, and asks otherwise', async () => {
    const prepareTypeHierarchy = () => {
      throw new Error('method not found');
    };
    const answer = await ask(open({ prepareTypeHierarchy }), findTypes, { ...SHAPE, symbol: 'Shape' });
    assert.match(answer.at(-1) ?? '', /does not offer a type hierarchy\. /);
    assert.equal(answer[1], 'b.py');
  });
});
