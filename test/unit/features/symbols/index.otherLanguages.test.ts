import assert from 'node:assert/strict';
import { findDefinition } from '../../../../src/features/symbols/findPlaces.ts';
import { getSymbol } from '../../../../src/features/symbols/getSymbol.ts';
import { listSymbols } from '../../../../src/features/symbols/listSymbols.ts';
import { ask } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';
import { locationOf, withGiven } from './givenServer.ts';

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

const PY = lines(
  'def f(a, b=1):',
  '    c = a',
  '    def g(d): return d',
  '    return g(c)',
  'class Shape:',
  '    kind = 1',
  '    @property',
  '    def area(self) -> int:',
  '        return 1',
  '    @area.setter',
  '    def area(self, value): pass',
);

/** As Pyright: with parameters and local variables, and only the last of several declarations. */
const python = (): Window => {
  const both = ['m.py:8 area', 'm.py:11 area'];
  return withGiven(
    { 'm.py': PY, 'use.py': 'x.area = f(2)\ny = 1\n' },
    {
      symbols: {
        'm.py': [
          [
            'function f',
            '1-4',
            ['variable a', '1'],
            ['variable c', '2'],
            ['function g', '3', ['variable d', '3']],
          ],
          [
            'class Shape',
            '5-11',
            ['variable kind', '6'],
            ['method area', '10-11@11', ['variable value', '11']],
          ],
        ],
        'use.py': [['variable y', '2']],
      },
      definitions: {
        'm.py:1': ['m.py:1 b'],
        'm.py:2': ['m.py:2 c'],
        'm.py:5': ['m.py:5 Shape'],
        'm.py:8': both,
        'm.py:11': both,
        'use.py:1': both,
      },
    },
  );
};

const HEADER = lines(
  '#ifndef S_H',
  '#define S_H',
  '#define LIMIT 8',
  '#define BOTH(a, b) \\',
  '  ((a) + (b))',
  'typedef struct Text {',
  '  int length; }',
  'Text;',
  'namespace geo {',
  'class Shape {',
  '  void scale(int by);',
  '  virtual int area() = 0;',
  '};',
  'template <typename T,',
  '          typename U>',
  'T largest(U all);',
  'class Circle { Circle(); };',
  '}',
  '#endif',
);
const SOURCE = lines(
  '#include "s.h"',
  'using geo::Circle;',
  'namespace geo {',
  'void Shape::scale(int by) {',
  '  LIMIT;',
  '}',
  'int Circle::area() { return 1; }',
  '}',
);

/** As clangd: from a definition it leads to the declaration, and back; of a method without body, to those that override it. */
const cpp = (): Window =>
  withGiven(
    { 's.h': HEADER, 's.cpp': SOURCE, 'README.md': '# Circle\n' },
    {
      symbols: {
        's.h': [
          ['struct Text', '6:9-7', ['field length', '7']],
          ['class Text', '6-8@8'],
          [
            'namespace geo',
            '9-18',
            ['class Shape', '10-13', ['method scale', '11'], ['method area', '12']],
            ['function largest', '16'],
            ['class Circle', '17', ['constructor Circle', '17:16']],
          ],
        ],
        's.cpp': [
          ['namespace Circle', '2'],
          ['namespace geo', '3-8', ['method Shape::scale', '4-6'], ['method Circle::area', '7']],
        ],
        'README.md': [['string # Circle', '1']],
      },
      definitions: {
        's.h:11': ['s.cpp:4 scale'],
        's.cpp:4': ['s.h:11 scale'],
        's.cpp:5': ['s.h:3 LIMIT'],
        's.h:12': ['s.cpp:7 area'],
        's.cpp:7': ['s.h:17 area'],
        's.cpp:2': ['s.h:17 Circle'],
        's.h:17': ['s.h:17 Circle'],
      },
    },
  );

describe('features/symbols/index: servers of other languages', () => {
  afterEach(cleanUp);

  it('no parameter or local variable is a symbol; functions and types inside functions are', async () => {
    assert.deepEqual(await ask(python(), listSymbols, { path: 'm.py', depth: 9 }), [
      ...['m.py', '  1-4 function f', '    3 function g'],
      ...['  5-11 class Shape', '    6 variable kind', '    10-11 method area'],
    ]);
    await assert.rejects(ask(python(), getSymbol, { symbol: 'value' }), /no symbol "value"/);
  });

  it('names have their places if a server knows only whole ranges', async () => {
    const window = withGiven(
      { 'a.sh': 'function other {\n  echo\n}\n' },
      { symbols: { 'a.sh': [['function other', '1-3']] }, isFlat: true },
    );
    let column = 0;
    window.fake.answers.set('vscode.executeDefinitionProvider', (_uri, position) => {
      column = (position as { character: number }).character;
      return [];
    });
    await ask(window, findDefinition, { symbol: 'other' });
    assert.equal(column, 'function '.length);
  });

  it('a typedef and its struct are one symbol of C, macros are symbols, templates have their line', async () => {
    const listed = await ask(cpp(), listSymbols, { path: 's.h' });
    assert.deepEqual(
      listed.filter((line) => /macro|Text|length|largest/.test(line)),
      [
        ...['  3 macro LIMIT', '  4-5 macro BOTH'],
        ...['  6-8 struct Text', '    7 field length', '    14-16 function largest'],
      ],
    );
    assert.deepEqual(await ask(cpp(), getSymbol, { path: 's.cpp', line: 5, symbol: 'LIMIT' }), [
      'macro LIMIT (s.h:3)',
      '3: #define LIMIT 8',
    ]);
    const shown = (await ask(cpp(), getSymbol, { path: 's.h', line: 6, symbol: 'Text' }))[0];
    assert.equal(shown, 'struct Text (line 8)');
  });

  it('namespaces that a macro begins stand for themselves, and the members of an unnamed struct are those around it', async () => {
    const header = lines(
      'BEGIN_NS',
      'int f();',
      'struct Outer {',
      '  struct { int x; };',
      '  struct {',
      '    int y;',
      '  } pair;',
      '};',
      'TEST(a, b) {}',
    );
    const window = withGiven(
      { 'n.h': header },
      {
        symbols: {
          'n.h': [
            [
              'null BEGIN_NS',
              '1-9',
              [
                'namespace ns',
                '1-9',
                ['function f', '2'],
                [
                  'struct Outer',
                  '3-8',
                  ['class (anonymous struct)', '4', ['field x', '4']],
                  ['class (anonymous struct)', '5:3-6', ['field y', '6']],
                  ['field pair', '5:3-7@7'],
                ],
                ['null TEST', '9', ['method TestBody', '9']],
              ],
            ],
          ],
        },
      },
    );
    const listed = await ask(window, listSymbols, { path: 'n.h', depth: 5 });
    assert.deepEqual(
      listed.map((line) => line.trim()),
      [
        ...['n.h', '1-9 namespace ns', '2 function f', '3-8 struct Outer'],
        ...['4 class (anonymous struct)', '4 field x', '5-7 field pair', '6 field y'],
        ...['9 macro TEST', '9 method TestBody'],
      ],
    );
    for (const symbol of ['Outer/x', 'Outer/pair/y', 'ns/f'])
      await ask(window, getSymbol, { symbol, path: 'n.h' });
  });

  it('a declaration and its definition are one, under any of its names', async () => {
    for (const symbol of ['scale', 'Shape/scale', 'Shape::scale', 'geo::Shape::scale'])
      assert.deepEqual(await ask(cpp(), getSymbol, { symbol }), [
        'method geo/Shape/scale (s.cpp:4)',
        ...['4: void Shape::scale(int by) {', '5:   LIMIT;', '6: }'],
        ...['Also declared in s.h:', '11:   void scale(int by);'],
      ]);
    const { length } = await ask(cpp(), getSymbol, { symbol: 'Shape/area' });
    assert.equal(length, 2, 'no method that overrides it');
  });

  it('a class is meant rather than its constructor, a using of it and a heading', async () => {
    const [title] = await ask(cpp(), getSymbol, { symbol: 'Circle' });
    assert.equal(title, 'class geo/Circle (s.h:17)');
    const [inner] = await ask(cpp(), getSymbol, { symbol: 'Circle/Circle' });
    assert.equal(inner, 'constructor geo/Circle/Circle (s.h:17)');
  });

  it('find_definition finds the one with a body, or both declarations', async () => {
    for (const path of ['s.h', 's.cpp']) {
      const args = { symbol: 'Shape/scale', path };
      const definition = ['s.cpp', '4: void Shape::scale(int by) {'];
      assert.deepEqual((await ask(cpp(), findDefinition, args)).slice(1), definition);
      const window = cpp();
      window.fake.answers.set('vscode.executeDeclarationProvider', () => [
        locationOf(window, path === 's.h' ? 's.cpp:4 scale' : 's.h:11 scale'),
      ]);
      const found = await ask(window, findDefinition, { ...args, kind: 'declaration' });
      assert.deepEqual(found.slice(1), [...definition, 's.h', '11: void scale(int by);']);
    }
  });

  it('all declarations are shown of a symbol that lists one, and never the class around', async () => {
    const all = ['    @property', '    def area(self) -> int:', '        return 1', '    @area.setter'];
    const code = [...all, '    def area(self, value): pass'].map((line, index) => `${index + 7}: ${line}`);
    const shown = async (args: object) => ask(python(), getSymbol, args);
    const area = { symbol: 'area' };
    assert.deepEqual(await shown({ symbol: 'Shape/area' }), ['method Shape/area (m.py:11)', ...code]);
    assert.deepEqual(await shown({ ...area, path: 'use.py', line: 1 }), [
      'method Shape/area (m.py:11)',
      ...code,
    ]);
    assert.deepEqual(await shown({ ...area, path: 'm.py', line: 8 }), ['area (line 8)', ...code]);
  });

  it('a parameter or local variable has its line', async () => {
    const shown = (symbol: string, line: number) => ask(python(), getSymbol, { symbol, path: 'm.py', line });
    assert.deepEqual(await shown('b', 1), ['b (line 1)', '1: def f(a, b=1):']);
    assert.deepEqual(await shown('c', 2), ['c (line 2)', '2:     c = a']);
  });
});
