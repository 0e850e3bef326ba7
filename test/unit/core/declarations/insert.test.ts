import assert from 'node:assert/strict';
import { rowsOf } from '../rowsOf.ts';
import { edited, type Operation, requireEdit } from './marked.ts';

/** Where to, what, the text with what comes into it, the body, its language, and kinds of symbols by depth, where they matter. */
const CASES = rowsOf(`
after │ a method after a field is apart │ class ‹A {⏎  ‹a = 1;›⏎  «b = 2;»⏎⏎⟦⇒  go() {⏎    return 1;⏎  }⏎⏎⟧  ‹run() {⏎  }›⏎⏎  // Stop.⏎  ‹stop() {⏎  }›⏎}›⏎ │ go() {⏎  return 1;⏎}
after │ a field after a field is not │ class ‹A {⏎  ‹a = 1;›⏎  «b = 2;»⏎⟦⇒  c = 3;⏎⟧⏎  ‹run() {⏎  }›⏎⏎  // Stop.⏎  ‹stop() {⏎  }›⏎}›⏎ │ c = 3;
before │ before a method, above its comment │ class ‹A {⏎  ‹run() {⏎  }›⏎⏎⟦⇒  go() {⏎  }⏎⏎⟧  // Stop.⏎  «stop() {⏎  }»⏎}›⏎ │ go() {⏎}
before │ before the first │ class ‹A {⏎⟦⇒  z;⏎⟧  «a;»⏎}›⏎ │ z;
before │ before a function below imports │ import 'x';⏎«⟦⇒⏎function g() {⏎}⏎⏎⟧function ·f() {⏎}»⏎ │ function g() {⏎}
after │ below a whole statement │ const «f = () => {⏎}»;⏎⟦⇒⏎f();⏎⟧ │ f();
after │ one-line declarations stay together │ const «a = 1»;⏎⟦⇒const c = 3;⏎⟧const ‹b = 2›;⏎ │ const c = 3;
after │ a function between one-line declarations is apart │ const «a = 1»;⏎⟦⇒⏎function c() {⏎  a();⏎}⏎⏎⟧const ‹b = 2›;⏎ │ function c() {⏎  a();⏎}
after │ at the end of a file without a line break │ «function ·f() {⏎}»⟦⇒⏎⏎function g() {⏎}⟧ │ function g() {⏎}
after │ two blank lines where the neighbours have two │ class ‹A:⏎    """Doc."""⏎⏎    ‹x› = 1⏎⏎    ‹def ·run(self):⏎        pass››⏎⏎⏎«def ·f():⏎    pass»⏎⟦⇒⏎⏎def g():⏎    pass⏎⟧ │ def g():⏎    pass │ python
after │ a member after the last, with a comma │ const ‹o = {⏎  ‹a: 1›,⏎  «b: 2»⟦ // two⇒, // two⏎  c: 3⟧⏎}›;⏎ │ c: 3
before │ a member before the first │ {⏎⟦⇒  "z": 0,⏎⟧  «"a": 1»⏎}⏎ │ "z": 0 │ json
after │ a member after a comma │ enum ‹E {⏎  «A»,⏎⟦⇒  C,⏎⟧  ‹B›,⏎}›⏎ │ C,
after │ on one line, between commas │ enum ‹E { «A», ‹⟦⇒C, ⟧B› }›⏎ │ C
before │ before the first on one line │ { "a": [«⟦⇒0, ⟧1», ‹2›] }⏎ │ 0 │ json
after │ a section after a section │ «# A⏎⏎a⏎⏎»‹⟦⇒# C⏎⏎⟧# B⏎› │ # C │ markdown
first │ first in a class │ class «A {⏎⟦⇒  go() {⏎  }⏎⏎⟧  ‹run() {⏎  }›⏎⏎  ‹stop() {⏎  }›⏎}»⏎ │ go() {⏎}
last │ last in a class │ class «A {⏎  ‹run() {⏎  }›⏎⟦⇒⏎  go() {⏎  }⏎⟧}»⏎ │ go() {⏎}
last │ last in a class, below its comment │ class «A {⏎  ‹a = 1;›⏎  // End.⏎⟦⇒  b = 2;⏎⟧}»⏎ │ b = 2;
last │ last in a function, below its statements │ function «·f(⏎  a: number,⏎): void {⏎  if (a) {⏎    const ‹b = 1›;⏎  }⏎  a();⏎⟦⇒  b();⏎⟧}»⏎ │ b();
first │ first in a function │ function «·f(⏎  a: number,⏎): void {⏎⟦⇒  b();⏎⟧  a();⏎}»⏎ │ b();
last │ in an empty class on one line │ class «A {⟦⇒⏎  a = 1;⏎⟧}»⏎ │ a = 1;⏎
first │ in an empty class on two lines │ class «A⏎{⏎⟦⇒  a = 1;⏎⟧}»⏎ │ a = 1;⏎
last │ in an empty object of JSON │ {⏎⇥«"a": {⟦⇒⏎⇥⇥"c": []⏎⇥⟧}»,⏎⇥‹"b": 1›⏎}⏎ │ "c": [] │ json
last │ last in an object, with a comma │ const «o = {⏎  ‹a() {⏎  }⟦⇒,⏎  b() {⏎  }⟧›⏎}»;⏎ │ b() {⏎}, │  │ variable method
last │ in an object on one line │ { «"a": { ‹"b": 1›⟦⇒, "c": 2⟧ }» }⏎ │ "c": 2 │ json
last │ Python: last is below the last line │ class «A:⏎    """Doc."""⏎⏎    ‹x› = 1⏎⏎    ‹def ·run(self):⏎        pass›»⏎⏎⟦⇒    def go(self):⏎        pass⏎⏎⟧⏎‹def ·f():⏎    pass›⏎ │ def go(self):⏎    pass │ python
first │ Python: first is below the docstring │ «def ·f(⏎    a: int,⏎):⏎    """Doc.⏎⏎    More."""⏎⟦⇒    a += 1⏎⟧    return a»⏎ │ a += 1 │ python
last │ Python: last is below a call over several lines │ «def ·f():⏎    g(⏎        1,⏎    )»⏎⟦⇒    h()⏎⟧ │ h() │ python
last │ Lua: above end │ local «function ·f()⏎  a()⏎⟦⇒  b()⏎⟧end»⏎ │ b() │ lua
last │ Rust │ impl «·A {⏎    ‹/// New.⏎    fn ·new() -> A {⏎    }›⏎⟦⇒⏎    /// Go.⏎    fn go() {⏎        x();⏎    }⏎⟧}»⏎ │ /// Go.⏎fn go() {⏎    x();⏎} │ rust │ object method
last │ Markdown: last in a section │ «# A⏎⏎a⏎⏎‹## B⏎⏎b⏎⏎›»‹⟦⇒## D⏎⏎⟧# C⏎› │ ## D │ markdown
first │ HTML │ ‹<body>⏎  «<div id="x">⏎⟦⇒    <b>1</b>⏎⟧    ‹<p>t</p>›⏎  </div>»⏎</body>›⏎ │ <b>1</b> │ html
first │ Python: first in a function with parameters │ «def ·f(‹a›, ‹b›=1):⏎⟦⇒    log()⏎⟧    ‹x› = [⏎        1,⏎    ]⏎    return a» │ log() │ python │ function variable
first │ Python: below a docstring with a comment behind it │ «def ·f():⏎    """Doc."""  # noqa⏎⟦⇒    log()⏎⟧    if q:⏎        z = """a"""⏎    else:⏎        z = 1» │ log() │ python │ function
first │ Python: quotes of one line are no docstring if they go on │ «def ·f():⏎⟦⇒    log()⏎⟧    "%s" % g(⏎        1⏎    )⏎    h("a")» │ log() │ python │ function
first │ Python: a default with a mark of comments │ «def ·f(a=" # "):# noqa⏎⟦⇒    log()⏎⟧    for x in a:⏎        g(x)» │ log() │ python │ function
last │ Python: last in a function with parameters │ «def ·f(‹a›, ‹b›=1):⏎    ‹x› = [⏎        1,⏎    ]⏎    return a»⏎⟦⇒    log()⏎⟧ │ log() │ python │ function variable
first │ Python: the indentation is that of statements │ «def ·f(a):⏎⟦⇒    log()⏎⟧  # Note.⏎    return a»⏎ │ log() │ python │ function variable
after │ Python: a value with a comma is in no list │ class ‹A:⏎    «a» = 1,⏎⟦⇒    c = 3⏎⟧    ‹b› = 2,›⏎ │ c = 3 │ python
before │ Python: before the first of several declarations │ class ‹A:⏎    ‹def ·a(self):⏎        pass›⏎⏎⟦⇒    def c(self):⏎        pass⏎⏎⟧    # The area.⏎    @property⏎    def b(⏎        self,⏎    ) -> int:⏎        return 1⏎⏎    @b.setter⏎    «def ·b(self, b):⏎        pass»› │ def c(self):⏎    pass │ python
after │ C: a prototype in a macro │ API(«char*) ·f(void)»;⏎⟦⇒API(int) h(void);⏎⟧API(‹int) ·g(void)›;⏎ │ API(int) h(void); │ c
before │ C: before a prototype in a macro │ API(‹char*) ·f(void)›;⏎⟦⇒API(int) h(void);⏎⟧static API(«int) ·g(void)»;⏎ │ API(int) h(void); │ c
after │ C++: an overload in a group │ int ‹a()›;⏎⏎int «b()»;⏎⟦⇒int c();⏎⟧int ‹b(int)›;⏎⏎int ‹d()›;⏎ │ int c(); │ cpp
first │ C++: below a label │ class «A {⏎public:⏎⟦⇒  A();⏎⟧  ‹void ·f()›;⏎}»;⏎ │ A(); │ cpp
last │ C: a typedef of what two symbols share │ «typedef ‹enum {⏎  ‹A›,⏎  ‹B›⟦⏎⇒,⏎  C⏎⟧}› ·E»;⏎ │ C │ c │ class enum enum
last │ C: a bracket that is not indented │ «void ·f(int a)⏎{⏎if (a) {⏎g();⏎}⏎⟦⇒  h();⏎⟧}»⏎ │ h(); │ c │ function
first │ C: the same │ «void ·f(int a)⏎{⏎⟦⇒  h();⏎⟧if (a) {⏎g();⏎}⏎}»⏎ │ h(); │ c │ function
last │ TypeScript: in a callback │ const «stop = every(MS, () => {⏎  tick();⏎⟦⇒  log();⏎⟧})»; │ log(); │  │ constant
first │ TypeScript: in a callback with arguments behind it │ const «f = useCallback(async (x) => {⏎⟦⇒  log();⏎⟧  tick();⏎}, [a])»; │ log(); │  │ constant
last │ C#: an empty method │ class ‹A {⏎  «void ·F() {⟦ ⇒⏎    G();⏎  ⟧}»⏎}› │ G(); │ csharp │ class method
last │ shell: with other code behind it │ «f() {⏎  a⏎⟦⇒  b⏎⟧} >&2» && c # f()⏎ │ b │ shellscript │ function
first │ Python: a string of several lines keeps its value │ class «A:⏎⟦⇒    x = """⏎  keep⏎⇥me⏎"""⏎⟧    ‹y› = 1⏎» │ x = """⏎  keep⏎⇥me⏎""" │ python
first │ TypeScript: a template keeps its value │ class «A {⏎⟦⇒  x = \`⏎⇥\${f(\`⏎a\`)}⏎    b⏎\`;⏎⏎⟧  ‹y = 1;›⏎}» │ x = \`⏎⇥\${f(\`⏎a\`)}⏎    b⏎\`;
first │ shell: a heredoc keeps its value and its end │ «f() {⏎⟦⇒  cat <<'E' | g⏎⇥a⏎E⏎  # it's⏎  if h; then⏎    i "⏎ j"⏎  fi⏎⏎⟧  k⏎}» │ cat <<'E' | g⏎⇥a⏎E⏎# it's⏎if h; then⏎  i "⏎ j"⏎fi │ shellscript │ function
first │ PHP: a heredoc keeps its value │ <?php⏎«function f() {⏎⟦⇒  $a = <<<X⏎a⏎⇥b <?php⏎X;⏎⟧  g();⏎}» │ $a = <<<X⏎a⏎⇥b <?php⏎X; │ php │ function
after │ Python: a field without a value │ class ‹A:⏎    «x»: int⏎⟦⇒    z: int⏎⟧    ‹y›: int⏎› │ z: int │ python │ class variable
after │ Go: in a group │ var (⏎⇥«a = 1»⏎⟦⇒⇥c = 3⏎⟧⇥‹b = 2›⏎)⏎ │ var c = 3 │ go
after │ Go: several in a group, of which only the own keywords go │ var (⏎⇥«a = 1»⏎⟦⇒⏎⇥c = \`⏎var x\`⏎⇥d = func() {⏎⇥⇥var y = 1⏎⇥}⏎⏎⟧⇥‹b = 2›⏎)⏎ │ var c = \`⏎var x\`⏎var d = func() {⏎⇥var y = 1⏎} │ go
`);

describe('core/declarations/insert', () => {
  for (const [operation, name = '', text, body, language, kinds] of CASES)
    it(name, () => requireEdit(operation as Operation, text, body, language, kinds));

  it('refuses what is not clear', () => {
    assert.throws(() => edited('after', 'const «a = 1», ‹b = 2›;\n', 'x'), /declares several/);
    assert.throws(() => edited('after', 'interface ‹I { «a: 1;» ‹b: 2› }›\n', 'x'), /shares its line/);
    assert.throws(() => edited('last', 'const «a = 1»;\n', 'x'), /no body on lines of its own/);
    assert.throws(() => edited('last', 'class ‹A {\n  «x: string[];»\n}›\n', 'x'), /no body on lines of/);
    assert.throws(() => edited('last', 'const «a = b ||\n  c»;\n', 'x'), /body was not found/);
  });

  it('refuses to choose one of several declarations in Python', () => {
    const branches = 'if x:\n    def f():\n        a()\nelse:\n    «def ·f():\n        b()»\n';
    for (const operation of ['first', 'last', 'before', 'after'] as const)
      assert.throws(() => edited(operation, branches, 'c()', 'python'), /"f" is declared on line 2 too/);
  });

  it('refuses to guess in languages of which nothing is known', () => {
    const inserting = (text: string, operation: Operation = 'last', kind = 'function') =>
      edited(operation, text, 'x()', 'ruby', [kind]);
    assert.throws(() => inserting('«def ·f = g(\n  1\n)»\n'), /no body/);
    assert.throws(() => inserting('«f(a) = g({\n  1\n})»\n'), /no body/);
    assert.throws(() => inserting('«·A = [\n  1\n]»\n', 'last', 'constant'), /no body/);
    assert.throws(() => inserting('«·A = B.new(\n  :a\n)»\n', 'last', 'class'), /no body/);
    assert.throws(() => inserting('«def ·f(a,\n    b)\n  a\nend»\n', 'first'), /not found/);
    assert.throws(() => inserting('«def ·f(a)\n  a\nrescue\n  b\nend»\n', 'first'), /not found/);
    assert.throws(() => edited('delete', '«a», ‹b› = f()\n', '', 'ruby'), /shares its line/);
  });

  it('inserts nothing among parameters, or in what has no body', () => {
    const inserted = (text: string, language: string, operation: Operation = 'last', kind = 'method') =>
      edited(operation, text, 'x();', language, [kind, kind]);
    assert.throws(() => inserted('«int ·f(\n  int a,\n  int b\n)»;\n', 'c'), /has no body/);
    assert.throws(
      () => inserted('interface ‹I {\n  «f(\n    a: A,\n  ): {}»;\n}›\n', 'typescript'),
      /no body/,
    );
    assert.throws(() => inserted('interface ‹I {\n  «f(): {}»;\n}›\n', 'typescript'), /has no body/);
    assert.throws(() => inserted('«def ·f(): return {}»\n', 'python'), /has no body/);
    assert.throws(() => inserted('type ‹I interface {\n  «F() struct{}»\n}›\n', 'go'), /has no body/);
    assert.throws(() => inserted('«x» = {\n    1,\n}\n', 'python', 'first', 'variable'), /has no body/);
    assert.throws(() => inserted('static «int ·a[] = {\n  1\n}»;\n', 'c', 'last', 'variable'), /has no body/);
    assert.throws(
      () => inserted('class ‹A {\n  «abstract int ·F(\n    int a\n  );»\n}›', 'csharp'),
      /no body/,
    );
    assert.throws(() => inserted('«int ·F(int a) => G(\n  a\n);»', 'csharp'), /no body/);
    for (const value of ['G(new A() {\n  a\n})', 'new A {\n  a\n}'])
      assert.throws(() => inserted(`«int ·F(int a) => ${value};»`, 'csharp'), /not found/);
    assert.throws(
      () => inserted('protocol ‹P {\n  «func ·f(\n    a: Int\n  ) -> Int»\n}›', 'swift'),
      /no body/,
    );
    assert.throws(() => inserted('«def ·f(a): return {\n  1: 2\n}»\n', 'python'), /no body/);
    assert.throws(() => inserted('const «f = (a) => g({\n  a\n});»', 'typescript'), /not found/);
    const beside = (text: string, language: string) => inserted(text, language, 'after', 'variable');
    assert.throws(
      () => beside('‹def ·f(\n    «a»,\n    ‹b›,\n):\n    pass›\n', 'python'),
      /among parameters/,
    );
    assert.throws(() => beside('‹void ·f(\n  «int ·a»,\n  ‹int ·b›\n) {\n}›\n', 'cpp'), /among parameters/);
  });
});
