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
last │ as most lines are indented, though one has a tab │ class «A {⟦⇒⏎    a = 1;⏎⟧}»⏎‹f() {⏎    x();⏎⇥y();⏎    z();⏎}›⏎ │ a = 1;⏎
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
before │ C++: above a template over several lines │ int ‹a›;⏎⏎⟦⇒int c() {⏎}⏎⏎⟧template <class T,⏎          class U>  // two⏎«T ·f(T a) {⏎}»⏎ │ int c() {⏎} │ cpp
first │ C++: below a label, indented as the members │ class «A {⏎ public:⏎⟦⇒  A();⏎⟧  ‹void ·f()›;⏎}»;⏎ │ A(); │ cpp
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
first │ Ruby: a heredoc keeps its value, one that is read without its indentation moves │ «def f⏎⟦⇒  x = g(<<-SQL, "<<-A")⏎select⏎  SQL⏎  y = <<~Q⏎    a⏎  Q⏎⏎⟧  h⏎end» │ x = g(<<-SQL, "<<-A")⏎select⏎  SQL⏎y = <<~Q⏎  a⏎Q │ ruby │ function
first │ Lua: a long string keeps its value, a long comment moves │ «function ·f()⏎⟦⇒  x = [=[⏎a ]]⏎]=]⏎  --[[⏎  b⏎  ]]⏎⏎⟧  g()⏎end» │ x = [=[⏎a ]]⏎]=]⏎--[[⏎b⏎]] │ lua │ function
first │ Dart: a string of several lines keeps its value │ «void ·f() {⏎⟦⇒  var x = '''⏎a "⏎''';⏎⟧  g();⏎}» │ var x = '''⏎a "⏎'''; │ dart │ function
first │ Vue: a template keeps its value │ <p>don't</p>⏎<script>⏎«function ·f() {⏎⟦⇒  x = \`⏎a\`;⏎⟧  g();⏎}»⏎</script> │ x = \`⏎a\`; │ vue │ function
first │ PHP: a heredoc keeps its value │ <?php⏎«function f() {⏎⟦⇒  $a = <<<X⏎a⏎⇥b <?php⏎X;⏎⟧  g();⏎}» │ $a = <<<X⏎a⏎⇥b <?php⏎X; │ php │ function
after │ Python: a field without a value │ class ‹A:⏎    «x»: int⏎⟦⇒    z: int⏎⟧    ‹y›: int⏎› │ z: int │ python │ class variable
after │ Go: in a group │ var (⏎⇥«a = 1»⏎⟦⇒⇥c = 3⏎⟧⇥‹b = 2›⏎)⏎ │ var c = 3 │ go
after │ Go: several in a group, of which only the own keywords go │ var (⏎⇥«a = 1»⏎⟦⇒⏎⇥c = \`⏎var x\`⏎⇥d = func() {⏎⇥⇥var y = 1⏎⇥}⏎⏎⟧⇥‹b = 2›⏎)⏎ │ var c = \`⏎var x\`⏎var d = func() {⏎⇥var y = 1⏎} │ go
`);

/** What is not clear, may be no body or is among parameters: where to, why not, the text, its language and kinds. */
const REFUSED = rowsOf(`
after │ declares several │ const «a = 1», ‹b = 2›;⏎
after │ shares its line │ interface ‹I { «a: 1;» ‹b: 2› }›⏎
last │ no body on lines of its own │ const «a = 1»;⏎
last │ no body on lines of │ class ‹A {⏎  «x: string[];»⏎}›⏎
last │ body was not found │ const «a = b ||⏎  c»;⏎
last │ no body │ «def ·f = g(⏎  1⏎)»⏎ │ ruby │ function
last │ no body │ «f(a) = g({⏎  1⏎})»⏎ │ ruby │ function
last │ no body │ «·A = [⏎  1⏎]»⏎ │ ruby │ constant
last │ no body │ «·A = B.new(⏎  :a⏎)»⏎ │ ruby │ class
first │ not found │ «def ·f(a,⏎    b)⏎  a⏎end»⏎ │ ruby │ function
first │ not found │ «def ·f(a)⏎  a⏎rescue⏎  b⏎end»⏎ │ ruby │ function
delete │ shares its line │ «a», ‹b› = f()⏎ │ ruby
last │ has no body │ «int ·f(⏎  int a,⏎  int b⏎)»;⏎ │ c │ method method
last │ no body │ interface ‹I {⏎  «f(⏎    a: A,⏎  ): {}»;⏎}›⏎ │ typescript │ method method
last │ has no body │ interface ‹I {⏎  «f(): {}»;⏎}›⏎ │ typescript │ method method
last │ has no body │ «def ·f(): return {}»⏎ │ python │ method method
last │ has no body │ type ‹I interface {⏎  «F() struct{}»⏎}›⏎ │ go │ method method
first │ has no body │ «x» = {⏎    1,⏎}⏎ │ python │ variable variable
last │ has no body │ static «int ·a[] = {⏎  1⏎}»;⏎ │ c │ variable variable
last │ no body │ class ‹A {⏎  «abstract int ·F(⏎    int a⏎  );»⏎}› │ csharp │ method method
last │ no body │ «int ·F(int a) => G(⏎  a⏎);» │ csharp │ method method
last │ not found │ «int ·F(int a) => G(new A() {⏎  a⏎});» │ csharp │ method method
last │ not found │ «int ·F(int a) => new A {⏎  a⏎};» │ csharp │ method method
last │ no body │ protocol ‹P {⏎  «func ·f(⏎    a: Int⏎  ) -> Int»⏎}› │ swift │ method method
last │ no body │ «def ·f(a): return {⏎  1: 2⏎}»⏎ │ python │ method method
last │ not found │ const «f = (a) => g({⏎  a⏎});» │ typescript │ method method
after │ among parameters │ ‹def ·f(⏎    «a»,⏎    ‹b›,⏎):⏎    pass›⏎ │ python │ variable variable
after │ among parameters │ ‹void ·f(⏎  «int ·a»,⏎  ‹int ·b›⏎) {⏎}›⏎ │ cpp │ variable variable
`);

describe('core/declarations/insert', () => {
  for (const [operation, name = '', text, body, language, kinds] of CASES)
    it(name, () => requireEdit(operation as Operation, text, body, language, kinds));

  for (const [operation, why = '', text = '', language, kinds] of REFUSED)
    it(`refuses ${operation}, ${why}: ${text.replaceAll('\n', '⏎')}`, () => {
      const body = operation === 'delete' ? '' : 'x();';
      const refused = () => edited(operation as Operation, text, body, language, kinds?.split(' '));
      assert.throws(refused, new RegExp(why));
    });

  it('refuses to choose one of several declarations in Python', () => {
    const branches = 'if x:\n    def f():\n        a()\nelse:\n    «def ·f():\n        b()»\n';
    for (const operation of ['first', 'last', 'before', 'after'] as const)
      assert.throws(() => edited(operation, branches, 'c()', 'python'), /"f" is declared on line 2 too/);
  });

  it('refuses a comment at the end of a member that needs a comma', () => {
    const text = 'enum ‹E {\n  «A»,\n  ‹B›,\n}›\n';
    for (const operation of ['after', 'before', 'replace', 'last'] as const) {
      const inside = operation === 'last' ? 'enum «E {\n  ‹A›,\n  ‹B›\n}»\n' : text;
      assert.throws(() => edited(operation, inside, 'C  // c'), /comma has to follow/, operation);
    }
    edited('after', text, '// c\nC');
    edited('after', text, "C = '// c'");
  });
});
