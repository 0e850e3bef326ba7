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
CSS │ ⟦/* Doc. */⏎«.a {⏎}»⏎⏎⇒⟧‹.b {⏎}›⏎ │ css
Markdown: a section │ # A⏎⏎a⏎⏎«⟦## B⏎⏎b⏎⏎⇒⟧»‹## C⏎› │ markdown
`);

describe('core/declarations/delete', () => {
  for (const [name = '', text, language] of CASES) it(name, () => requireEdit('delete', text, '', language));

  it('refuses what is not clear', () => {
    assert.throws(() => edited('delete', 'P.run = f(«function () {\n}» || 1);\n'), /shares its line/);
    assert.throws(() => edited('delete', 'const ‹a = 1›; const «b = 2»;\n'), /shares its line/);
  });
});
