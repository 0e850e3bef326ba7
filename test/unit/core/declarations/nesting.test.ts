import assert from 'node:assert/strict';
import { nestingOf } from '../../../../src/core/declarations/nesting.ts';
import { rowsOf } from '../rowsOf.ts';

/** What, the language, and a text in which `^` is inside of exactly the brackets before it, or a text that says nothing. */
const CASES = rowsOf(`
strings and comments │ c │ { "}\\"(" '}' /* } */ // }⏎ ( ^ ) }
directives, and what they continue │ c │ #define A { \\⏎ (⏎{ ^ }
both branches │ c │ #if A⏎{ }⏎#else⏎{ ^ }⏎#endif
the first branch of two that open the same │ c │ #if A⏎x {⏎#else⏎y {⏎#endif⏎ ^ }
separators of digits, and raw strings │ cpp │ int a = 1'000; R"x( } )" )x"; { ^ }
templates with code │ typescript │ { a(\`}\${ b({}) + \`)\` } (\`, [ ^ ]) }
regular expressions │ javascript │ if (/[)/}]\\//.test(a) && b / c / d) { ^ }
a regular expression behind a condition │ javascript │ if (a) /[(]\\{/.test(b); { (c) / (d / e); ^ }
an address in JSX │ typescriptreact │ { a(<b c={d}/>); } { <a href={u}>http://x.y</a>; } { ^ }
directives, and strings of three kinds │ csharp │ #region it's {⏎{ ( @""); $@"{""{"; """ "{" """; '{'; ^ }
strings │ swift │ { #"{"("# + """⏎ " { """ + "\\(a("x"))"; ^ }
strings over several lines │ python │ f(""" ( " """, '(', r"(", # (⏎ ^ )
raw strings and runes │ go │ f(\`"(\\\`, '(', [ ^ ])
lifetimes and characters │ rust │ fn f<'a>(x: &'a str, c: char) { '{'; r#" { "#; ^ }
markup and heredocs │ php │ <b>{'</b><?php { $a = <<<X⏎ { ⏎X; # {⏎ ?> } <?= ^ 1; } ?> (
`);

describe('core/declarations/nesting', () => {
  for (const [name = '', language = '', marked = ''] of CASES)
    it(name, () => {
      const at = marked.indexOf('^');
      const text = marked.replace('^', ' ');
      const nesting = nestingOf(text, language);
      assert.ok(nesting);
      const around = nesting.around(at).map((bracket) => text[bracket]);
      const rest = text.slice(at).replaceAll(/[^)\]}]/g, '');
      const CLOSERS: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
      assert.equal(
        around
          .toReversed()
          .map((one) => CLOSERS[one ?? ''])
          .join(''),
        rest,
      );
    });

  it('says nothing of brackets that do not pair, or of other languages', () => {
    assert.equal(nestingOf('{ (}', 'go'), undefined);
    assert.equal(nestingOf('{', 'go'), undefined);
    assert.equal(nestingOf('{}', 'markdown'), undefined);
  });
});
