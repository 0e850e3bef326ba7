import assert from 'node:assert/strict';
import { NotFoundError, UserError } from '../../../../src/core/errors.ts';
import { getDiagnostics } from '../../../../src/features/language/getDiagnostics.ts';
import { problems, symbols } from '../../../../src/features/language/languageResources.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { Range } from '../../../fakes/text.ts';
import { problem } from '../editing.ts';
import { follow, listed, read, read as readNow } from '../resources.ts';
import { CALL, cleanUp, openWindow, type Window } from '../window.ts';

const TREE = { 'a.ts': '/** A. */\nclass A {\n  b() {}\n}\nconst c = 1;\n', 'b.txt': '', '.env': 'SECRET=1' };

const symbol = (name: string, kind: number, lines: [number, number, number], children: object[] = []) => ({
  name,
  kind,
  detail: kind === 13 ? 'number' : '',
  range: new Range(lines[0], 0, lines[2], 1),
  selectionRange: new Range(lines[1], 6, lines[1], 6 + name.length),
  children,
});

function withOutline(found: unknown): Window {
  const window = openWindow(TREE);
  window.fake.answers.set('vscode.executeDocumentSymbolProvider', () => found);
  return window;
}

describe('features/language/languageResources: symbols', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('are the outline of a file, in the order of its text', async () => {
    const window = withOutline([
      symbol('c', 13, [4, 4, 4]),
      symbol('A', 4, [0, 1, 3], [symbol('b', 5, [2, 2, 2])]),
    ]);
    assert.deepEqual(await read(symbols, 'symbols/a.ts', window), {
      path: 'a.ts',
      symbols: [
        {
          name: 'A',
          kind: 'class',
          line: 2,
          column: 7,
          startLine: 1,
          endLine: 4,
          children: [{ name: 'b', kind: 'method', line: 3, column: 7, endLine: 3 }],
        },
        { name: 'c', kind: 'constant', detail: 'number', line: 5, column: 7, endLine: 5 },
      ],
    });
    const none = await read(symbols, 'symbols/b.txt', withOutline(undefined));
    assert.deepEqual([none.symbols, none.note], [[], 'No extension provides symbols for "plaintext".']);
  });

  it('are cut at 2,000, and the rest is counted', async () => {
    const inner = Array.from({ length: 1500 }, (_, line) => symbol(`s${line}`, 12, [line, line, line]));
    const outline = [symbol('A', 4, [0, 0, 9], inner), symbol('B', 4, [10, 10, 19], inner)];
    const found = await read(symbols, 'symbols/a.ts', withOutline(outline));
    assert.deepEqual([found.leftOut, found.symbols[1].children.length], [1002, 498]);
  });

  it('are those of a file only, and are told of when its text changes', async () => {
    const window = withOutline([]);
    assert.deepEqual(await listed(symbols, window), []);
    assert.equal(symbols.canonical('editor-state:///symbols', window.ctx), undefined);
    const name = await symbols.canonical('editor-state:///symbols/a.ts', window.ctx);
    assert.equal(name, `symbols/${window.uri('a.ts')}`);
    const { told, dispose } = follow(symbols, window);
    for (const path of ['a.ts', '.env'])
      window.fake.person.types(window.fake.person.loads(window.path(path)), 'x');
    await clock.pass(200); // longer than changes are gathered
    assert.deepEqual(told, ['symbols/~/a.ts']);
    dispose();
  });
});

const FILES = { 'src/a.ts': 'a', 'src/b.py': 'b', 'src/c d.txt': '', 'a%41.txt': '', '.env': 'SECRET=1' };

function open(options = {}) {
  const window = openWindow(FILES, options);
  for (const path of ['src/a.ts', 'src/b.py', '.env']) {
    window.fake.person.opensTab(window.path(path));
    window.fake.person.reports(window.path(path), [problem(`in ${path}`)]);
  }
  return window;
}

describe('features/language/languageResources: problems', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  const read = (name: string, window: Window) => clock.settle(readNow(problems, name, window));

  it('are what get_diagnostics answers, for all files and for one, without closed ones', async () => {
    const window = open();
    const all = await window.run(getDiagnostics);
    assert.deepEqual(await read('problems', window), all.structuredContent);
    const one = await clock.settle(window.run(getDiagnostics, { path: 'src/a.ts' }));
    assert.deepEqual(await read('problems/src/a.ts', window), one.structuredContent);
    assert.match(JSON.stringify(one.structuredContent), /in src\/a\.ts/);
    assert.doesNotMatch(JSON.stringify(all.structuredContent), /env/);
    const closed = (error: unknown) => error instanceof UserError && !(error instanceof NotFoundError);
    await assert.rejects(read('problems/.env', window), closed);
    await assert.rejects(async () => problems.canonical('editor-state:///problems/.env', window.ctx), closed);
    await assert.rejects(read('problems/none.ts', window), NotFoundError);
  });

  it('are told of by the file that has them, not of a closed one, and by a text that no tab shows: nobody reports those', async () => {
    const window = open();
    const idle = window.fake.listeners;
    const { told, dispose } = follow(problems, window);
    for (const path of ['.env', 'src/a.ts']) window.fake.person.reports(window.path(path), []);
    window.fake.person.changesFile(window.path('src/c d.txt'));
    await clock.pass(200); // longer than changes are gathered
    assert.deepEqual(told, ['problems/~/src/a.ts', 'problems/~/src/c%20d.txt!']);
    dispose();
    assert.equal(window.fake.listeners, idle);
  });

  it('that come of a look, and go with it, are not told: who hears of them would look again without end', async () => {
    const window = openWindow({ 'a.json': '{' });
    const { fake, path } = window;
    fake.extensions.installs('json');
    const { told, dispose } = follow(problems, window);
    // As the server of JSON does: it reports on what is in a tab, and takes it back.
    fake.answers.set('vscode.open', () => fake.person.reports(path('a.json'), [problem('no end')]));
    const { files } = await read('problems/a.json', window);
    assert.equal(files[0].problems[0].message, 'no end');
    fake.person.reports(path('a.json'), []);
    await clock.pass(1_200); // longer than a server takes to take it back
    assert.deepEqual(told, []);
    fake.person.reports(path('a.json'), [problem('new')]);
    assert.deepEqual(told, ['problems/~/a.json']);
    dispose();
  });

  it('complete by the names that tools have', async () => {
    const { ctx } = openWindow(FILES);
    const complete = (value: string) =>
      problems.complete('editor-state:///problems/{+path}', { name: 'path', value, others: {} }, ctx, CALL);
    assert.deepEqual((await complete('s'))?.values, ['src/a.ts', 'src/b.py', 'src/c d.txt']);
    assert.deepEqual((await complete('a%'))?.values, ['a%2541.txt']);
    assert.deepEqual(await complete('.e'), { values: [], total: 0, hasMore: false });
  });

  it('take each name by its escapes, and say which is none', async () => {
    const window = openWindow(FILES);
    for (const name of ['src/c%20d.txt', 'src/c d.txt', 'a%2541.txt'])
      assert.equal((await read(`problems/${name}`, window)).count, 0, name);
    await assert.rejects(read('problems/a%41%.txt', window), /Write % as %25/);
    const key = problems.canonical('editor-state:///problems/a%41%.txt', window.ctx);
    await assert.rejects(key ?? assert.fail(), /Write % as %25/, 'and nothing is thrown at once');
  });
});
