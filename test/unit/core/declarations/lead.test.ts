import assert from 'node:assert/strict';
import { leadAbove } from '../../../../src/core/declarations/lead.ts';
import { rowsOf } from '../rowsOf.ts';

/** What, the line where its comments and decorators begin, and the lines above it. */
const CASES = rowsOf(`
TypeScript │ 1 │ x();⏎/**⏎ * Doc.⏎ */⏎// eslint-disable-next-line⏎@Component({⏎  a: ')',⏎})
Python │ 1 │ x = 1⏎# Doc.⏎@app.route(⏎    "/",⏎)⏎@other
Rust │ 1 │ }⏎/// Doc.⏎#[derive(Debug)]⏎#[cfg(any(⏎    unix,⏎))]
C# │ 1 │ #region A⏎/// <summary>⏎[Fact]⏎[Data("]", 1)]
Go │ 2 │ x := 1⏎⏎// Doc.⏎//⏎//go:noinline
Lua │ 2 │ x()⏎--------⏎--[[ Doc.⏎]]⏎---@param a number⏎-- More.
Java │ 1 │ int a;⏎/* Doc. */⏎@Test⏎@SuppressWarnings({"a",⏎  "b"})
C++ │ 1 │ #define A⏎template <typename T>⏎[[nodiscard]]
OCaml and HTML │ 0 │ (* Doc. *)⏎<!--⏎Doc.⏎-->
other code │ 1 │ ;(function () {})()
a decrement │ 1 │ --i;
an import of CSS │ 1 │ @import "x";
a directive │ 1 │ #include <x>
a shebang │ 1 │ #!/bin/sh
a call over several lines │ 3 │ f(⏎  1⏎)
code before a comment │ 2 │ /* a */⏎x(); /* b */
a trailing comment over several lines │ 2 │ x(); /* a⏎*/
an index │ 2 │ --[[ a ]]⏎a[b[1]]
`);

describe('core/declarations/lead', () => {
  for (const [name = '', start, text = ''] of CASES)
    it(name, () => {
      const lines = text.split('\n');
      let first = lines.length;
      for (let at: number | undefined = first; at !== undefined; at = leadAbove(lines, first, 0)) first = at;
      assert.equal(first, Number(start));
    });

  it('knows what is none in a language', () => {
    const isLead = (line: string, language: string) => leadAbove([line], 1, 0, language) === 0;
    for (const line of ['--flag x', '--a|--b)', '[ a ]', '; x', '% a', '@a'])
      assert.ok(!isLead(line, 'shellscript'));
    for (const line of ['[a, b]', '--a', '[x.y() for x in z]']) assert.ok(!isLead(line, 'python'));
    for (const line of ['[a, b] = [b, a]', '# a', '--a']) assert.ok(!isLead(line, 'typescript'));
    assert.ok(isLead('# a', 'shellscript') && isLead('@a(', 'python') && isLead('#[A]', 'php'));
    assert.ok(isLead('[[nodiscard]]', 'cpp') && isLead('// a', 'go') && !isLead('@a', 'go'));
  });

  it('ends at the floor', () => assert.equal(leadAbove(['# a', '# b'], 1, 1), undefined));
});
