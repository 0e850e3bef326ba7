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
C++: with its template over several lines, and what that requires │ int ‹a›;⏎⏎⟦template <class T,⏎          class U = decltype(T()->x())>⏎  requires Small<T>⏎[[nodiscard]]⏎«T ·f(T a) {⏎}»⏎⏎⇒⟧int ‹b›;⏎ │ cpp
CUDA: a value that goes on │ ⟦int «a» = 1⏎  + f(2);⏎⇒⟧int ‹b›;⏎ │ cuda-cpp
shell: the only one of a block │ if a; then # b⏎⟦  «f() {⏎    x⏎  }»⇒  :⟧⏎fi⏎ │ shellscript
C: in a macro's arguments │ ⟦API(«char*) ·f(void)»;⏎⇒⟧int ‹g(void)›;⏎ │ c
C: an enumerator with a long comment │ enum ‹E {⏎⟦  «A», /* a⏎      b */⏎⇒⟧  ‹B› /* c */⏎}›;⏎ │ c
PHP: a comma before it is in another list │ f(‹$a›, 1);⏎⟦«$b» = 2;⏎⇒⟧ │ php
CSS │ ⟦/* Doc. */⏎«.a {⏎}»⏎⏎⇒⟧‹.b {⏎}›⏎ │ css
Markdown: a section │ # A⏎⏎a⏎⏎«⟦## B⏎⏎b⏎⏎⇒⟧»‹## C⏎› │ markdown
`);

/** What would give another meaning to the code around it, or is not clear: why not, the text, its language and kind. */
const REFUSED = rowsOf(`
shares its line │ def ‹f(*, «a»): pass›⏎ │ python
one of several parameters, arguments or values in order │ def ‹f(⏎    *,⏎    «a»,⏎): pass›⏎ │ python
shares its line │ def ‹f(⏎    «a»: int,⏎): pass›⏎ │ python │ function
shares its line │ with f() as «a»: pass⏎ │ python
shares its line │ «a», ‹b› = f()⏎ │ python
one of several parameters, arguments or values in order │ const [«a», ‹b›] = f();⏎ │ typescript
shares its line │ for ((«i=0»; i < 1; i++)); do⏎  x⏎done⏎ │ shellscript
shares its line │ if «a=$(b)»⏎then⏎  x⏎fi⏎ │ shellscript
shares its line │ [ "$a" ] ||⏎«a=1»⏎ │ shellscript
its value from this │ const (⏎⇥«A = iota»⏎⇥‹B›⏎)⏎ │ go │ constant
has to have a member │ enum ‹E {⏎  «A»⏎}›;⏎ │ c │ enum
shares its line │ P.run = f(«function () {⏎}» || 1);⏎ │ typescript │ other
shares its line │ const ‹a = 1›; const «b = 2»;⏎ │ typescript │ other
`);

describe('core/declarations/replace: delete', () => {
  for (const [name = '', text, language] of CASES) it(name, () => requireEdit('delete', text, '', language));

  for (const [why = '', text = '', language, kind = 'variable'] of REFUSED)
    it(`refuses what ${why}: ${text.replaceAll('\n', '⏎')}`, () =>
      assert.throws(() => edited('delete', text, '', language, [kind, kind]), new RegExp(why)));
});
