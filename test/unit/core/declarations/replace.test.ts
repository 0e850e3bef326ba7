import assert from 'node:assert/strict';
import { replaced } from '../../../../src/core/declarations/replace.ts';
import { scopeOf } from '../../../../src/core/declarations/scope.ts';
import { Source } from '../../../../src/core/declarations/source.ts';
import { edited } from './marked.ts';

type Case = [name: string, before: string, body: string, after: string, language?: string];

const CASES: Case[] = [
  [
    'a constant, with the words and the semicolon around its range',
    '/** Doc. */\nexport const «f = () => {\n  return 1;\n}»;\nf();\n',
    'export const f = () => 2;',
    '/** Doc. */\nexport const f = () => 2;\nf();\n',
  ],
  [
    'its comment too, if the body has one',
    '// Old.\n// Two.\nlet «a = 1»;\n',
    '// New.\nlet a = 2;',
    '// New.\nlet a = 2;\n',
  ],
  [
    'but no comment after a blank line',
    '// Far.\n\nlet «a = 1»;\n',
    '// New.\nlet a = 2;',
    '// Far.\n\n// New.\nlet a = 2;\n',
  ],
  ['a trailing comment stays', 'const «a = 1»; // cents\n', 'const a = 2;', 'const a = 2; // cents\n'],
  [
    'a method at its indentation, written without any',
    'class ‹A {\n  /** Doc. */\n  @deco({\n    a: 1,\n  })\n  «run() {\n    return 1;\n  }»\n}›\n',
    'run() {\n  if (x) {\n    return `\na`;\n  }\n}',
    'class A {\n  /** Doc. */\n  @deco({\n    a: 1,\n  })\n  run() {\n    if (x) {\n      return `\n  a`;\n    }\n  }\n}\n',
  ],
  [
    'with its decorators, if the body has them and the range has not',
    'class ‹A {\n  // Doc.\n  @deco(\n    1,\n  )\n  «run() {\n  }»\n}›\n',
    '@other\nrun() {\n}',
    'class A {\n  @other\n  run() {\n  }\n}\n',
  ],
  [
    'with decorators in the range',
    '// Doc.\n«@deco\nexport class ·K {\n}»\n',
    'export class K {\n  a = 1;\n}',
    '// Doc.\n@deco\nexport class K {\n  a = 1;\n}\n',
  ],
  [
    'a body whose first line alone has no indentation',
    'class ‹A {\n  «run() {\n    return 1;\n  }»\n}›\n',
    'run() {\n    return 2;\n  }',
    'class A {\n  run() {\n    return 2;\n  }\n}\n',
  ],
  [
    'a body that is indented as in the file keeps the lines of its strings',
    'class ‹A {\n  «run() {\n  }»\n}›\n',
    '  run() {\n    return `\none\n`;\n  }\n',
    'class A {\n  run() {\n    return `\none\n`;\n  }\n}\n',
  ],
  [
    'tabs as in the file',
    'class ‹A {\n\t«run() {\n\t}»\n}›\n',
    'run() {\n    return 2;\n}',
    'class A {\n\trun() {\n\t\treturn 2;\n\t}\n}\n',
  ],
  [
    'a member between commas',
    'const ‹o = {\n  «a: 1»,\n  ‹b: 2›,\n}›;\n',
    'a: 3,',
    'const o = {\n  a: 3,\n  b: 2,\n};\n',
  ],
  [
    'the last member, without a comma',
    '{\n  ‹"a": 1›,\n  «"b": 2»\n}\n',
    '"b": {\n  "c": 3\n},',
    '{\n  "a": 1,\n  "b": {\n    "c": 3\n  }\n}\n',
    'json',
  ],
  ['on one line', 'enum ‹E { ‹A›, «B» }›\n', 'C', 'enum E { A, C }\n'],
  [
    'a method given by its function',
    'P.run = «function () {\n}»;\n',
    'P.run = () => 1;',
    'P.run = () => 1;\n',
  ],
  [
    'Python: decorators over several lines stay',
    'class ‹A:\n    # Doc.\n    @app.route(\n        "/a(",\n    )\n    «def ·run(self):\n        return 1»\n\n    ‹def ·b(self): pass››\n',
    'def run(self):\n    return 2',
    'class A:\n    # Doc.\n    @app.route(\n        "/a(",\n    )\n    def run(self):\n        return 2\n\n    def b(self): pass\n',
    'python',
  ],
  [
    'Python: the first line alone has no indentation',
    'class ‹A:\n    «def ·run(self):\n        return 1»›\n',
    '@property\n    def run(self):\n        return 2',
    'class A:\n    @property\n    def run(self):\n        return 2\n',
    'python',
  ],
  [
    'Python: a variable whose range is its name',
    '«MAX» = [\n    1,  # ]\n]  # most\nx = 1\n',
    'MAX = 10',
    'MAX = 10  # most\nx = 1\n',
    'python',
  ],
  [
    'Rust: comments and attributes are in the range',
    '«/// Doc.\n#[derive(Debug)]\npub struct ·A {\n    x: i32,\n}»\n',
    'pub struct A;',
    '/// Doc.\n#[derive(Debug)]\npub struct A;\n',
    'rust',
  ],
  [
    'C#: attributes are above it',
    '    /// Doc.\n    [Fact]\n    [Data(\n        1)]\n    «public void ·Run() { }»\n',
    '[Fact]\npublic void Run() { }',
    '    [Fact]\n    public void Run() { }\n',
    'csharp',
  ],
  [
    'Go: its range begins after the keyword',
    '// A is.\ntype «A struct {\n\tx int\n}»\n',
    'type A int',
    '// A is.\ntype A int\n',
    'go',
  ],
  [
    'Lua',
    '--- Doc.\n---@return number\nlocal «function ·f()\n  return 1\nend»\n',
    '-- New.\nlocal function f()\n  return 2\nend',
    '-- New.\nlocal function f()\n  return 2\nend\n',
    'lua',
  ],
  [
    'Java: documentation is in the range',
    'class ‹A {\n    «/**\n     * Doc.\n     */\n    @Override\n    public void ·run() {\n    }»\n}›\n',
    'public void run() {\n  x();\n}',
    'class A {\n    /**\n     * Doc.\n     */\n    @Override\n    public void run() {\n      x();\n    }\n}\n',
    'java',
  ],
  [
    'CSS: `#id` is no comment',
    '/* Doc. */\n«#id {\n  top: 0;\n}»\n',
    '#id {\n  top: 1px;\n}',
    '/* Doc. */\n#id {\n  top: 1px;\n}\n',
    'css',
  ],
  ['Markdown: a section', '«# A\n\nOld.\n\n»‹# B\n›', '# A\n\nNew.\n', '# A\n\nNew.\n\n# B\n', 'markdown'],
];

describe('core/declarations/replace', () => {
  for (const [name, before, body, after, language] of CASES)
    it(name, () => {
      const { text, lines } = edited('replace', before, body, language);
      assert.equal(text, after);
      assert.ok(lines.trim() && after.includes(lines));
    });

  it('refuses what is not clear', () => {
    const several = /declares several symbols/;
    assert.throws(() => edited('replace', 'const «a = 1», ‹b = 2›;\n', 'const a = 2;'), several);
    assert.throws(() => edited('replace', 'const ‹a = 1›,\n  «b = 2»;\n', 'const a = 2;'), several);
    assert.throws(
      () => edited('replace', 'const ‹a = 1›; const «b = 2»;\n', 'const b = 3;'),
      /shares its line/,
    );
    const source = new Source('#id,\n.b { }\n');
    const symbols = [0, 5].map((from) => ({ from, to: 10, name: from, kind: 'class' }));
    const scope = scopeOf(source, symbols, undefined, 'css');
    assert.throws(() => replaced(scope, 1, { body: '.b { }', unit: '  ' }), /shares its text/);
  });
});
