import assert from 'node:assert/strict';
import { replaced } from '../../../../src/core/declarations/replace.ts';
import { scopeOf } from '../../../../src/core/declarations/scope.ts';
import { Source } from '../../../../src/core/declarations/source.ts';
import { rowsOf } from '../rowsOf.ts';
import { edited, requireEdit } from './marked.ts';

/** What, the text with what becomes of it, the body, and its language. */
const CASES = rowsOf(`
a constant, with the words and the semicolon around its range │ /** Doc. */⏎export const «f = () => ⟦{⏎  return 1;⏎}⇒2⟧»;⏎f();⏎ │ export const f = () => 2;
its comment too, if the body has one │ ⟦// Old.⏎// Two.⏎let «a = 1»⇒// New.⏎let a = 2⟧;⏎ │ // New.⏎let a = 2;
but no comment after a blank line │ // Far.⏎⏎⟦let «a = 1⇒// New.⏎let a = 2⟧»;⏎ │ // New.⏎let a = 2;
a trailing comment stays │ const «a = ⟦1⇒2⟧»; // cents⏎ │ const a = 2;
a method at its indentation, written without any │ class ‹A {⏎  /** Doc. */⏎  @deco({⏎    a: 1,⏎  })⏎  «run() {⏎    ⟦return 1;⇒if (x) {⏎      return \`⏎a\`;⏎    }⟧⏎  }»⏎}›⏎ │ run() {⏎  if (x) {⏎    return \`⏎a\`;⏎  }⏎}
with its decorators, if the body has them and the range has not │ class ‹A {⏎  ⟦// Doc.⏎  @deco(⏎    1,⏎  )⇒@other⟧⏎  «run() {⏎  }»⏎}›⏎ │ @other⏎run() {⏎}
with decorators in the range │ // Doc.⏎«@deco⏎export class ·K {⏎⟦⇒  a = 1;⏎⟧}»⏎ │ export class K {⏎  a = 1;⏎}
a body whose first line alone has no indentation │ class ‹A {⏎  «run() {⏎    return ⟦1⇒2⟧;⏎  }»⏎}›⏎ │ run() {⏎    return 2;⏎  }
a body that is indented as in the file keeps the lines of its strings │ class ‹A {⏎  «run() {⏎⟦⇒    return \`⏎one⏎\`;⏎⟧  }»⏎}›⏎ │   run() {⏎    return \`⏎one⏎\`;⏎  }⏎
tabs as in the file │ class ‹A {⏎⇥«run() {⏎⟦⇒⇥⇥return 2;⏎⟧⇥}»⏎}›⏎ │ run() {⏎    return 2;⏎}
a member between commas │ const ‹o = {⏎  «a: ⟦1⇒3⟧»,⏎  ‹b: 2›,⏎}›;⏎ │ a: 3,
the last member, without a comma │ {⏎  ‹"a": 1›,⏎  «"b": ⟦2⇒{⏎    "c": 3⏎  }⟧»⏎}⏎ │ "b": {⏎  "c": 3⏎}, │ json
on one line │ enum ‹E { ‹A›, «⟦B⇒C⟧» }›⏎ │ C
a method given by its function │ P.run = «⟦function () {⏎}⇒() => 1⟧»;⏎ │ P.run = () => 1;
Python: decorators over several lines stay │ class ‹A:⏎    # Doc.⏎    @app.route(⏎        "/a(",⏎    )⏎    «def ·run(self):⏎        return ⟦1⇒2⟧»⏎⏎    ‹def ·b(self): pass››⏎ │ def run(self):⏎    return 2 │ python
Python: the first line alone has no indentation │ class ‹A:⏎    «⟦def ·run(self):⏎        return 1⇒@property⏎    def run(self):⏎        return 2⟧»›⏎ │ @property⏎    def run(self):⏎        return 2 │ python
Python: a variable whose range is its name │ «MAX» = ⟦[⏎    1,  # ]⏎]⇒10⟧  # most⏎x = 1⏎ │ MAX = 10 │ python
Rust: comments and attributes are in the range │ «/// Doc.⏎#[derive(Debug)]⏎pub struct ·A⟦ {⏎    x: i32,⏎}⇒;⟧»⏎ │ pub struct A; │ rust
C#: attributes are above it │     ⟦/// Doc.⏎    [Fact]⏎    [Data(⏎        1)]⇒[Fact]⟧⏎    «public void ·Run() { }»⏎ │ [Fact]⏎public void Run() { } │ csharp
Go: its range begins after the keyword │ // A is.⏎type «A ⟦struct {⏎⇥x int⏎}⇒int⟧»⏎ │ type A int │ go
Lua │ ⟦--- Doc.⏎---@return number⏎local «function ·f()⏎  return 1⇒-- New.⏎local function f()⏎  return 2⟧⏎end»⏎ │ -- New.⏎local function f()⏎  return 2⏎end │ lua
Java: documentation is in the range │ class ‹A {⏎    «/**⏎     * Doc.⏎     */⏎    @Override⏎    public void ·run() {⏎⟦⇒      x();⏎⟧    }»⏎}›⏎ │ public void run() {⏎  x();⏎} │ java
CSS: \`#id\` is no comment │ /* Doc. */⏎«#id {⏎  top: ⟦0⇒1px⟧;⏎}»⏎ │ #id {⏎  top: 1px;⏎} │ css
Markdown: a section │ «# A⏎⏎⟦Old⇒New⟧.⏎⏎»‹# B⏎› │ # A⏎⏎New.⏎ │ markdown
Python: a last bracket is no end of a block │ «def ·f():⏎    ⟦x⇒return g(⏎        1,⏎    )⟧»⏎ │ def f():⏎    return g(⏎        1,⏎    ) │ python
Python: the same in a class │ class ‹A:⏎    «def ·f(self):⏎        ⟦x⇒return g(⏎            1,⏎        )⟧»›⏎ │ def f(self):⏎    return g(⏎        1,⏎    ) │ python
spaces of a declaration in a file with tabs │ f() {⏎⇥x⏎}⏎«g() {⏎    ⟦x⇒y⟧⏎}»⏎ │ g() {⏎    y⏎} │ shellscript
C: up to a macro behind it │ Status «f(⟦⇒int a⟧)»⏎    LOCKED(mutex_);⏎int ‹b›; │ Status f(int a)⏎    LOCKED(mutex_); │ cpp
PHP: up to the semicolon │ «$a» = 'x'⏎    . ⟦'y'⇒'z'⟧;⏎$b = 1;⏎ │ $a = 'x'⏎    . 'z'; │ php
C: in a macro's arguments │ ⟦API(«char*) ·f(void)⇒API(int) f(int a)⟧»;⏎ │ API(int) f(int a); │ c
Python: lines of a string stay if one is less indented than the code │ class ‹A:⏎    «def ·f(self):⏎        return ⟦1⇒'''⏎raw⏎⇥raw2⏎'''⟧»⏎› │ def f(self):⏎    return '''⏎raw⏎⇥raw2⏎''' │ python
Python: a docstring moves with the code │ class ‹A:⏎    «def ·f(self):⏎        ⟦return 1⇒r"""Doc.⏎⏎          More.⏎        """⏎        return 2⟧»⏎› │ def f(self):⏎    r"""Doc.⏎⏎      More.⏎    """⏎    return 2 │ python
Python: a comment behind the last line of a body goes with it │ «def ·f():⏎    return ⟦1»  # end⇒2⟧⏎x = 1 │ def f():⏎    return 2 │ python
Python: a comment behind a value stays, unless the body has one │ «a» = ⟦1  # why⇒2  # new⟧⏎x = 1 │ a = 2  # new │ python
Python: an annotation without a value │ class ‹A:⏎    ‹x›: int⏎    «y»: ⟦dict[str, int]⇒int⟧  # why⏎› │ y: int │ python │ class variable
C++: a template on the line of its declaration │ // Doc.⏎template <class T> «T ·f(T a) { return ⟦a⇒-a⟧; }»⏎ │ template <class T> T f(T a) { return -a; } │ cpp
C++: a template that ends on the line of its declaration │ ⟦template <class T = A<int>,⏎    class U> «T ·f(T a) {⏎}⇒int f(int a) {⏎}⟧»⏎ │ int f(int a) {⏎}⏎ │ cpp
C++: a template above it over several lines, if the body has one │ ⟦template <class T,⏎          class U>⏎«T ·f(T a) {⇒template <class T>⏎T f(T a) {⟧⏎}»⏎ │ template <class T>⏎T f(T a) {⏎} │ cpp
Go: in a group │ var (⏎⇥«a = ⟦1⇒10⟧»⏎⇥‹b = 2›⏎)⏎ │ var a = 10 │ go
`);

describe('core/declarations/replace', () => {
  for (const [name = '', text, body, language, kinds] of CASES)
    it(name, () => requireEdit('replace', text, body, language, kinds));

  it('refuses what is not clear', () => {
    const several = /declares several symbols/;
    assert.throws(() => edited('replace', 'const «a = 1», ‹b = 2›;\n', 'const a = 2;'), several);
    assert.throws(() => edited('replace', 'const ‹a = 1›,\n  «b = 2»;\n', 'const a = 2;'), several);
    assert.throws(() => edited('replace', 'const ‹a = 1›; const «b = 2»;\n', 'b = 3;'), /shares its line/);
    const part = /only one of two brackets/;
    assert.throws(() => edited('replace', 'API(1, «char*) ·f(void)»;\n', 'int f();', 'c'), part);
    const open = 'int «f(int a)»\n#ifdef A\n  __attribute__((b))\n#endif\n;\n';
    assert.throws(() => edited('replace', open, 'int f();', 'c'), /Its end was not found/);
    const setter =
      'class ‹A:\n    @property\n    def b(self): ...\n\n    @b.setter\n    «def ·b(self, b): ...»›\n';
    const refused = () => edited('replace', setter, 'b = 1', 'python');
    assert.throws(refused, /^UserError: "b" is declared on line 3 too/);
    assert.throws(() => edited('delete', setter, '', 'python'), /declared on line 3 too/);
    for (const chain of ['‹a› = «b» = 1\n', 'class ‹A:\n    ‹a› = «b» = 1\n›'])
      for (const operation of ['replace', 'delete'] as const)
        assert.throws(() => edited(operation, chain, 'b = 6', 'python'), /shares its line/);
    const source = new Source('#id,\n.b { }\n');
    const symbols = [0, 5].map((from) => ({ from, to: 10, name: from, kind: 'class' }));
    const scope = scopeOf(source, symbols, undefined, 'css');
    assert.throws(() => replaced(scope, 1, { body: '.b { }', unit: '  ' }), /shares its text/);
  });
});
