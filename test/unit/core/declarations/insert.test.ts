import assert from 'node:assert/strict';
import { edited, type Operation } from './marked.ts';

type Case = [
  name: string,
  operation: Operation,
  before: string,
  body: string,
  after: string,
  language?: string,
];

const FIELDS =
  'class ‹A {\n  ‹a = 1;›\n  «b = 2;»\n\n  ‹run() {\n  }›\n\n  // Stop.\n  ‹stop() {\n  }›\n}›\n';
const PYTHON =
  'class ‹A:\n    """Doc."""\n\n    ‹x› = 1\n\n    «def ·run(self):\n        pass»›\n\n\n‹def ·f():\n    pass›\n';

const CASES: Case[] = [
  [
    'a method after a field is apart',
    'after',
    FIELDS,
    'go() {\n  return 1;\n}',
    'class A {\n  a = 1;\n  b = 2;\n\n  go() {\n    return 1;\n  }\n\n  run() {\n  }\n\n  // Stop.\n  stop() {\n  }\n}\n',
  ],
  [
    'a field after a field is not',
    'after',
    FIELDS,
    'c = 3;',
    'class A {\n  a = 1;\n  b = 2;\n  c = 3;\n\n  run() {\n  }\n\n  // Stop.\n  stop() {\n  }\n}\n',
  ],
  [
    'before a method, above its comment',
    'before',
    'class ‹A {\n  ‹run() {\n  }›\n\n  // Stop.\n  «stop() {\n  }»\n}›\n',
    'go() {\n}',
    'class A {\n  run() {\n  }\n\n  go() {\n  }\n\n  // Stop.\n  stop() {\n  }\n}\n',
  ],
  ['before the first', 'before', 'class ‹A {\n  «a;»\n}›\n', 'z;', 'class A {\n  z;\n  a;\n}\n'],
  [
    'before a function below imports',
    'before',
    "import 'x';\n«function ·f() {\n}»\n",
    'function g() {\n}',
    "import 'x';\n\nfunction g() {\n}\n\nfunction f() {\n}\n",
  ],
  [
    'below a whole statement',
    'after',
    'const «f = () => {\n}»;\n',
    'f();',
    'const f = () => {\n};\n\nf();\n',
  ],
  [
    'one-line declarations stay together',
    'after',
    'const «a = 1»;\nconst ‹b = 2›;\n',
    'const c = 3;',
    'const a = 1;\nconst c = 3;\nconst b = 2;\n',
  ],
  [
    'a function between one-line declarations is apart',
    'after',
    'const «a = 1»;\nconst ‹b = 2›;\n',
    'function c() {\n  a();\n}',
    'const a = 1;\n\nfunction c() {\n  a();\n}\n\nconst b = 2;\n',
  ],
  [
    'at the end of a file without a line break',
    'after',
    '«function ·f() {\n}»',
    'function g() {\n}',
    'function f() {\n}\n\nfunction g() {\n}',
  ],
  [
    'two blank lines where the neighbours have two',
    'after',
    PYTHON.replace('«', '‹').replace('»', '›').replace('‹def ·f', '«def ·f').replace(/›\n$/, '»\n'),
    'def g():\n    pass',
    'class A:\n    """Doc."""\n\n    x = 1\n\n    def run(self):\n        pass\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n',
    'python',
  ],
  [
    'a member after the last, with a comma',
    'after',
    'const ‹o = {\n  ‹a: 1›,\n  «b: 2» // two\n}›;\n',
    'c: 3',
    'const o = {\n  a: 1,\n  b: 2, // two\n  c: 3\n};\n',
  ],
  [
    'a member before the first',
    'before',
    '{\n  «"a": 1»\n}\n',
    '"z": 0',
    '{\n  "z": 0,\n  "a": 1\n}\n',
    'json',
  ],
  [
    'a member after a comma',
    'after',
    'enum ‹E {\n  «A»,\n  ‹B›,\n}›\n',
    'C,',
    'enum E {\n  A,\n  C,\n  B,\n}\n',
  ],
  ['on one line, between commas', 'after', 'enum ‹E { «A», ‹B› }›\n', 'C', 'enum E { A, C, B }\n'],
  ['before the first on one line', 'before', '{ "a": [«1», ‹2›] }\n', '0', '{ "a": [0, 1, 2] }\n', 'json'],
  [
    'a section after a section',
    'after',
    '«# A\n\na\n\n»‹# B\n›',
    '# C',
    '# A\n\na\n\n# C\n\n# B\n',
    'markdown',
  ],
  [
    'first in a class',
    'first',
    'class «A {\n  ‹run() {\n  }›\n\n  ‹stop() {\n  }›\n}»\n',
    'go() {\n}',
    'class A {\n  go() {\n  }\n\n  run() {\n  }\n\n  stop() {\n  }\n}\n',
  ],
  [
    'last in a class',
    'last',
    'class «A {\n  ‹run() {\n  }›\n}»\n',
    'go() {\n}',
    'class A {\n  run() {\n  }\n\n  go() {\n  }\n}\n',
  ],
  [
    'last in a class, below its comment',
    'last',
    'class «A {\n  ‹a = 1;›\n  // End.\n}»\n',
    'b = 2;',
    'class A {\n  a = 1;\n  // End.\n  b = 2;\n}\n',
  ],
  [
    'last in a function, below its statements',
    'last',
    'function «·f(\n  a: number,\n): void {\n  if (a) {\n    const ‹b = 1›;\n  }\n  a();\n}»\n',
    'b();',
    'function f(\n  a: number,\n): void {\n  if (a) {\n    const b = 1;\n  }\n  a();\n  b();\n}\n',
  ],
  [
    'first in a function',
    'first',
    'function «·f(\n  a: number,\n): void {\n  a();\n}»\n',
    'b();',
    'function f(\n  a: number,\n): void {\n  b();\n  a();\n}\n',
  ],
  ['in an empty class on one line', 'last', 'class «A {}»\n', 'a = 1;\n', 'class A {\n  a = 1;\n}\n'],
  ['in an empty class on two lines', 'first', 'class «A\n{\n}»\n', 'a = 1;\n', 'class A\n{\n  a = 1;\n}\n'],
  [
    'in an empty object of JSON',
    'last',
    '{\n\t«"a": {}»,\n\t‹"b": 1›\n}\n',
    '"c": []',
    '{\n\t"a": {\n\t\t"c": []\n\t},\n\t"b": 1\n}\n',
    'json',
  ],
  [
    'last in an object, with a comma',
    'last',
    'const «o = {\n  ‹a() {\n  }›\n}»;\n',
    'b() {\n},',
    'const o = {\n  a() {\n  },\n  b() {\n  }\n};\n',
  ],
  [
    'in an object on one line',
    'last',
    '{ «"a": { ‹"b": 1› }» }\n',
    '"c": 2',
    '{ "a": { "b": 1, "c": 2 } }\n',
    'json',
  ],
  [
    'Python: last is below the last line',
    'last',
    PYTHON.replace('«', '‹').replace('»', '›').replace('‹', '«').replace('››\n\n\n', '›»\n\n\n'),
    'def go(self):\n    pass',
    'class A:\n    """Doc."""\n\n    x = 1\n\n    def run(self):\n        pass\n\n    def go(self):\n        pass\n\n\ndef f():\n    pass\n',
    'python',
  ],
  [
    'Python: first is below the docstring',
    'first',
    '«def ·f(\n    a: int,\n):\n    """Doc.\n\n    More."""\n    return a»\n',
    'a += 1',
    'def f(\n    a: int,\n):\n    """Doc.\n\n    More."""\n    a += 1\n    return a\n',
    'python',
  ],
  [
    'Python: last is below a call over several lines',
    'last',
    '«def ·f():\n    g(\n        1,\n    )»\n',
    'h()',
    'def f():\n    g(\n        1,\n    )\n    h()\n',
    'python',
  ],
  [
    'Lua: above end',
    'last',
    'local «function ·f()\n  a()\nend»\n',
    'b()',
    'local function f()\n  a()\n  b()\nend\n',
    'lua',
  ],
  [
    'Rust',
    'last',
    'impl «·A {\n    ‹/// New.\n    fn ·new() -> A {\n    }›\n}»\n',
    '/// Go.\nfn go() {\n    x();\n}',
    'impl A {\n    /// New.\n    fn new() -> A {\n    }\n\n    /// Go.\n    fn go() {\n        x();\n    }\n}\n',
    'rust',
  ],
  [
    'Markdown: last in a section',
    'last',
    '«# A\n\na\n\n‹## B\n\nb\n\n›»‹# C\n›',
    '## D',
    '# A\n\na\n\n## B\n\nb\n\n## D\n\n# C\n',
    'markdown',
  ],
  [
    'HTML',
    'first',
    '‹<body>\n  «<div id="x">\n    ‹<p>t</p>›\n  </div>»\n</body>›\n',
    '<b>1</b>',
    '<body>\n  <div id="x">\n    <b>1</b>\n    <p>t</p>\n  </div>\n</body>\n',
    'html',
  ],
];

/** Kinds of symbols by depth, where they matter. */
const KINDS: Record<string, string[]> = {
  'last in an object, with a comma': ['variable', 'method'],
  Rust: ['object', 'method'],
};

describe('core/declarations/insert', () => {
  for (const [name, operation, before, body, after, language] of CASES)
    it(name, () => {
      const { text, lines } = edited(operation, before, body, language, KINDS[name]);
      assert.equal(text, after);
      assert.ok(lines.trim() && after.includes(lines));
    });

  it('refuses what is not clear', () => {
    assert.throws(() => edited('after', 'const «a = 1», ‹b = 2›;\n', 'x'), /declares several/);
    assert.throws(() => edited('after', 'interface ‹I { «a: 1;» ‹b: 2› }›\n', 'x'), /shares its line/);
    assert.throws(() => edited('last', 'const «a = 1»;\n', 'x'), /no body on lines of its own/);
    assert.throws(
      () => edited('last', 'class ‹A {\n  «x: string[];»\n}›\n', 'x'),
      /no body on lines of its own/,
    );
    assert.throws(() => edited('last', 'const «a = b ||\n  c»;\n', 'x'), /body was not found/);
  });
});
