import assert from 'node:assert/strict';
import { planned } from '../../../../../src/core/declarations/plan.ts';
import { Source } from '../../../../../src/core/declarations/source.ts';
import {
  findNode,
  type GivenSymbol,
  isSameName,
  keyOf,
  treeOf,
} from '../../../../../src/services/language/symbols/tree.ts';

/** Values of `vscode.SymbolKind`. */
const [CLASS, CONSTRUCTOR, FUNCTION, STRUCT] = [4, 8, 11, 22];

function symbol(text: string, whole: string, name: string, kind = FUNCTION, label = name): GivenSymbol {
  const source = new Source(text);
  const rangeOf = (part: string, from = 0) => {
    const at = text.indexOf(part, from);
    return { start: source.positionAt(at), end: source.positionAt(at + part.length) };
  };
  const from = text.indexOf(whole) + whole.lastIndexOf(name);
  return { name: label, kind, range: rangeOf(whole), selectionRange: rangeOf(name, from) };
}

function find(text: string, symbols: readonly GivenSymbol[], wanted: number, kind: string) {
  const source = new Source(text);
  const { start } = symbols[wanted]?.selectionRange ?? { start: { line: 0, character: 0 } };
  return findNode(treeOf(symbols, source), keyOf(start, kind), source, 'cpp');
}

describe('services/language/symbols/tree', () => {
  it('refuses a symbol whose name is not written at its place', () => {
    const text = 'TEST(Suite, name) {\n}\n';
    const given = symbol(text, text.trim(), 'TEST', FUNCTION, 'Suite_name_Test');
    assert.throws(
      () => find(text, [given], 0, 'function'),
      /^UserError: Suite_name_Test is not written where .* \(line 1\): a macro may declare it\. Use edit_file\.$/,
    );
    const names = [
      'Shape::scale',
      '~Shape',
      'operator+',
      '(get) scale',
      '(*T).scale',
      'scale(int)',
      'scale<T>',
    ];
    for (const label of names) {
      const name = /~Shape|operator/.exec(label)?.[0] ?? 'scale';
      const code = `int ${name}() {\n}\n`;
      assert.ok(find(code, [symbol(code, code.trim(), name, FUNCTION, label)], 0, 'function'), label);
    }
    const heading = '## One\n\nText.\n';
    assert.ok(find(heading, [symbol(heading, heading.trim(), '## One')], 0, 'function'));
  });

  it('takes the half of a typedef for the whole', () => {
    const text = 'typedef struct A {\n  int x;\n} A;\nint b;\n';
    const whole = 'typedef struct A {\n  int x;\n} A';
    const half = 'struct A {\n  int x;\n}';
    const symbols = [symbol(text, whole, 'A', CLASS), symbol(text, half, 'A', STRUCT)];
    const found = find(text, symbols, 1, 'struct');
    assert.ok(found);
    const siblings = found.siblings;
    const edit = planned(
      'insert_after',
      { scope: found.scope, indexes: [found.index], siblings },
      { body: 'int c;', unit: '  ' },
    );
    assert.equal(edit.first, 4);
  });

  it('takes a constructor for itself', () => {
    const text = 'class A {\n  template <class T> A(T a) {\n  }\n};\n';
    const symbols = [symbol(text, text.trim().slice(0, -1), 'A', CLASS), symbol(text, 'A(T a) {\n  }', 'A')];
    assert.equal(
      find(text, [symbols[0], { ...symbols[1], kind: CONSTRUCTOR }] as GivenSymbol[], 1, 'constructor')?.node
        .kind,
      'constructor',
    );
  });

  it('knows a name by its spellings', () => {
    for (const other of ['Shape/area', 'Shape::area', 'area[2]', '(get) area', 'area(int)', '(*Shape).area'])
      assert.ok(isSameName('area', other) && isSameName(other, 'area'), other);
    assert.ok(!isSameName('area', 'Shape') && !isSameName('area/x', 'area'));
  });
});
