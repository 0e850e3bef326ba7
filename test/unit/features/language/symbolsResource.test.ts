import assert from 'node:assert/strict';
import { symbols } from '../../../../src/features/language/symbolsResource.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { Range } from '../../../fakes/text.ts';
import { follow, listed, read } from '../resources.ts';
import { cleanUp, openWindow, type Window } from '../window.ts';

const TREE = { 'a.ts': '/** A. */\nclass A {\n  b() {}\n}\nconst c = 1;\n', 'b.txt': '', '.env': 'SECRET=1' };

const symbol = (name: string, kind: number, lines: [number, number, number], children: object[] = []) => ({
  ...{ name, kind, detail: kind === 13 ? 'number' : '' },
  range: new Range(lines[0], 0, lines[2], 1),
  selectionRange: new Range(lines[1], 6, lines[1], 6 + name.length),
  children,
});

function withOutline(found: unknown): Window {
  const window = openWindow(TREE);
  window.fake.answers.set('vscode.executeDocumentSymbolProvider', () => found);
  return window;
}

describe('features/language/symbolsResource: symbols', () => {
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
          ...{ name: 'A', kind: 'class', line: 2, column: 7, startLine: 1, endLine: 4 },
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
