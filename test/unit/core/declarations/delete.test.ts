import assert from 'node:assert/strict';
import { rowsOf } from '../rowsOf.ts';
import { edited, requireEdit } from './marked.ts';

/** What, the text with what goes, and its language. */
const CASES = rowsOf(`
a function with its comment │ import 'x';⏎⏎⟦/**⏎ * Doc.⏎ */⏎«function ·f() {⏎}»⏎⏎⇒⟧‹function ·g() {⏎}›⏎
the last of a file │ ‹function ·f() {⏎}›⏎⟦⏎«function ·g() {⏎}»⏎⇒⟧
the last of a file without a line break │ ‹function ·f() {⏎}›⟦⏎⏎«function ·g() {⏎}»⇒⟧
the only one │ «⟦function ·f() {⏎}»⏎⇒⟧
a constant with its words, semicolon and trailing comment │ const ‹a = 1›;⏎⟦export const «b = {⏎}»; // b⏎⇒⟧const ‹c = 3›;⏎
the first of a class │ class ‹A {⏎⟦  // Doc.⏎  @deco⏎  «a = 1;»⏎⏎⇒⟧  ‹run() {⏎  }›⏎}›⏎
the last of a class │ class ‹A {⏎  ‹a = 1;›⏎⟦⏎  «run() {⏎  }»⏎⇒⟧}›⏎
the last member with the comma before it │ {⏎  ‹"a": 1›⟦,⏎  «"b": 2⇒⟧»⏎}⏎ │ json
a trailing comma stays │ const ‹o = {⏎  ‹a: 1›,⏎⟦  «b: 2»,⏎⇒⟧}›;⏎
the first on one line │ enum ‹E { «⟦A», ⇒⟧‹B› }›⏎
the last on one line │ { "a": [‹1›⟦, «2⇒⟧»] }⏎ │ json
the only one on one line │ { "a": { «⟦"b": 1» ⇒⟧} }⏎ │ json
the first of several declarators │ const «⟦a = 1»,⏎  ⇒⟧‹b = 2›;⏎
the last of several declarators │ const ‹a = 1›⟦,⏎  «b = 2⇒⟧»;⏎
Python: two blank lines stay two │ ‹def ·f():⏎    pass›⏎⏎⏎⟦@deco⏎«def ·g():⏎    pass»⏎⏎⏎⇒⟧‹x› = 1⏎ │ python
Python: a variable whose range is its name │ a = 1⏎«⟦B»: dict = {⏎    1: "}",⏎}⏎⇒⟧c = 2⏎ │ python
Python: the only one of a block │ class ‹A:⏎    # Note.⏎⏎⟦    «def ·f(self):⏎        return 1»⇒    pass⟧›⏎⏎x = 1⏎ │ python
Python: the only one below a string with a mark of comments │ if a == " #":⏎⟦    «def ·f():⏎        return 1»⇒    pass⟧⏎⏎x = 1⏎ │ python
Python: the last field │ class ‹A:⏎    ‹x›: int⏎⟦    «y»: dict[str, int]  # why⏎⇒⟧›⏎b = 1⏎ │ python
CUDA: a value that goes on │ ⟦int «a» = 1⏎  + f(2);⏎⇒⟧int ‹b›;⏎ │ cuda-cpp
shell: the only one of a block │ if a; then # b⏎⟦  «f() {⏎    x⏎  }»⇒  :⟧⏎fi⏎ │ shellscript
C: in a macro's arguments │ ⟦API(«char*) ·f(void)»;⏎⇒⟧int ‹g(void)›;⏎ │ c
C: an enumerator with a long comment │ enum ‹E {⏎⟦  «A», /* a⏎      b */⏎⇒⟧  ‹B› /* c */⏎}›;⏎ │ c
PHP: a comma before it is in another list │ f(‹$a›, 1);⏎⟦«$b» = 2;⏎⇒⟧ │ php
CSS │ ⟦/* Doc. */⏎«.a {⏎}»⏎⏎⇒⟧‹.b {⏎}›⏎ │ css
Markdown: a section │ # A⏎⏎a⏎⏎«⟦## B⏎⏎b⏎⏎⇒⟧»‹## C⏎› │ markdown
`);

describe('core/declarations/delete', () => {
  for (const [name = '', text, language] of CASES) it(name, () => requireEdit('delete', text, '', language));

  it('refuses what would give another meaning to the code around it', () => {
    const deleting = (text: string, language: string, kind = 'variable') =>
      edited('delete', text, '', language, [kind, kind]);
    const order = /one of several parameters, arguments or values in order/;
    assert.throws(() => deleting('def ‹f(*, «a»): pass›\n', 'python'), /shares its line/);
    assert.throws(() => deleting('def ‹f(\n    *,\n    «a»,\n): pass›\n', 'python'), order);
    const parameter = 'def ‹f(\n    «a»: int,\n): pass›\n';
    assert.throws(() => deleting(parameter, 'python', 'function'), /shares its line/);
    assert.throws(() => deleting('with f() as «a»: pass\n', 'python'), /shares its line/);
    assert.throws(() => deleting('«a», ‹b› = f()\n', 'python'), /shares its line/);
    assert.throws(() => deleting('const [«a», ‹b›] = f();\n', 'typescript'), order);
    assert.throws(
      () => deleting('for ((«i=0»; i < 1; i++)); do\n  x\ndone\n', 'shellscript'),
      /shares its line/,
    );
    assert.throws(() => deleting('if «a=$(b)»\nthen\n  x\nfi\n', 'shellscript'), /shares its line/);
    assert.throws(() => deleting('[ "$a" ] ||\n«a=1»\n', 'shellscript'), /shares its line/);
    assert.throws(
      () => deleting('const (\n\t«A = iota»\n\t‹B›\n)\n', 'go', 'constant'),
      /its value from this/,
    );
    assert.throws(() => deleting('enum ‹E {\n  «A»\n}›;\n', 'c', 'enum'), /has to have a member/);
  });

  it('refuses what is not clear', () => {
    assert.throws(() => edited('delete', 'P.run = f(«function () {\n}» || 1);\n'), /shares its line/);
    assert.throws(() => edited('delete', 'const ‹a = 1›; const «b = 2»;\n'), /shares its line/);
  });
});
