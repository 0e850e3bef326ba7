import assert from 'node:assert/strict';
import { edited } from './marked.ts';

type Case = [name: string, before: string, after: string, language?: string];

const CASES: Case[] = [
  [
    'a function with its comment',
    "import 'x';\n\n/**\n * Doc.\n */\n«function ·f() {\n}»\n\n‹function ·g() {\n}›\n",
    "import 'x';\n\nfunction g() {\n}\n",
  ],
  ['the last of a file', '‹function ·f() {\n}›\n\n«function ·g() {\n}»\n', 'function f() {\n}\n'],
  [
    'the last of a file without a line break',
    '‹function ·f() {\n}›\n\n«function ·g() {\n}»',
    'function f() {\n}',
  ],
  ['the only one', '«function ·f() {\n}»\n', ''],
  [
    'a constant with its words, semicolon and trailing comment',
    'const ‹a = 1›;\nexport const «b = {\n}»; // b\nconst ‹c = 3›;\n',
    'const a = 1;\nconst c = 3;\n',
  ],
  [
    'the first of a class',
    'class ‹A {\n  // Doc.\n  @deco\n  «a = 1;»\n\n  ‹run() {\n  }›\n}›\n',
    'class A {\n  run() {\n  }\n}\n',
  ],
  ['the last of a class', 'class ‹A {\n  ‹a = 1;›\n\n  «run() {\n  }»\n}›\n', 'class A {\n  a = 1;\n}\n'],
  ['the last member with the comma before it', '{\n  ‹"a": 1›,\n  «"b": 2»\n}\n', '{\n  "a": 1\n}\n', 'json'],
  ['a trailing comma stays', 'const ‹o = {\n  ‹a: 1›,\n  «b: 2»,\n}›;\n', 'const o = {\n  a: 1,\n};\n'],
  ['the first on one line', 'enum ‹E { «A», ‹B› }›\n', 'enum E { B }\n'],
  ['the last on one line', '{ "a": [‹1›, «2»] }\n', '{ "a": [1] }\n', 'json'],
  ['the only one on one line', '{ "a": { «"b": 1» } }\n', '{ "a": { } }\n', 'json'],
  ['the first of several declarators', 'const «a = 1»,\n  ‹b = 2›;\n', 'const b = 2;\n'],
  ['the last of several declarators', 'const ‹a = 1›,\n  «b = 2»;\n', 'const a = 1;\n'],
  [
    'Python: two blank lines stay two',
    '‹def ·f():\n    pass›\n\n\n@deco\n«def ·g():\n    pass»\n\n\n‹x› = 1\n',
    'def f():\n    pass\n\n\nx = 1\n',
    'python',
  ],
  [
    'Python: a variable whose range is its name',
    'a = 1\n«B»: dict = {\n    1: "}",\n}\nc = 2\n',
    'a = 1\nc = 2\n',
    'python',
  ],
  ['CSS', '/* Doc. */\n«.a {\n}»\n\n‹.b {\n}›\n', '.b {\n}\n', 'css'],
  ['Markdown: a section', '# A\n\na\n\n«## B\n\nb\n\n»‹## C\n›', '# A\n\na\n\n## C\n', 'markdown'],
];

describe('core/declarations/delete', () => {
  for (const [name, before, after, language] of CASES)
    it(name, () => {
      const { text } = edited('delete', before, '', language);
      assert.equal(text, after);
    });

  it('refuses what is not clear', () => {
    assert.throws(() => edited('delete', 'P.run = f(«function () {\n}» || 1);\n'), /shares its line/);
    assert.throws(() => edited('delete', 'const ‹a = 1›; const «b = 2»;\n'), /shares its line/);
  });
});
