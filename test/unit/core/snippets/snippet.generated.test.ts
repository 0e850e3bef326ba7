// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expandSnippet, tabStops } from '../../../../src/core/snippets/snippet.ts';
import { parseSnippet, walk } from '../../../../src/core/snippets/syntax.ts';
import { callsOf } from '../callsOf.ts';

const number = fc.nat({ max: 4 });
const text = fc.constantFrom('a', 'B c', '\n  ', 'größe', '\\}', '\\$', '\\\\', ':', '/', '|', ',');
const format = fc.constantFrom('$1', '${1:/kebabcase}', '${1:?a:b}', '${1:+x}', '${1:-y}', '-', '\\n');
const transform = fc
  .tuple(fc.constantFrom('(.*)', '(a)|b', '\\w', '(', ''), format, fc.constantFrom('', 'g', 'gi', 'x'))
  .map((parts) => parts.join('/'));

/** Snippets as people write them, and mistakes: nothing needs to be closed. */
const { body } = fc.letrec<{ body: string; element: string }>((tie) => ({
  body: fc.array(tie('element'), { maxLength: 6 }).map((all) => all.join('')),
  element: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number.map((of) => `$${of}`),
    fc.constantFrom('$TM_FILENAME', '$UNKNOWN', '${CURRENT_YEAR}', '${', '$', '}'),
    fc.tuple(number, tie('body')).map(([of, inner]) => `\${${of}:${inner}}`),
    fc.tuple(number, fc.array(text, { minLength: 1 })).map(([of, all]) => `\${${of}|${all.join()}|}`),
    fc.tuple(number, transform).map(([of, how]) => `\${${of}/${how}}`),
    tie('body').map((inner) => `\${TM_SELECTED_TEXT:${inner}}`),
    transform.map((how) => `\${TM_FILENAME/${how}}`),
  ),
}));

/** What is never closed, or never ends. */
const HOSTILE = '${1: ${1| ${1|a, ${1|\\ ${a/ ${a/b/${1:+ ${a/b/${1:? \\ $ ${1|a,b|}'.split(' ');

describe('core/snippets/snippet: generated snippets', () => {
  it('are parsed in a number of steps that their length limits', () => {
    const parse = (whole: string) =>
      assert.ok(callsOf(RegExp.prototype, 'exec', () => parseSnippet(whole)) <= 20 * whole.length + 20);
    fc.assert(fc.property(body, fc.integer({ min: 1, max: 20 }), (one, times) => parse(one.repeat(times))));
    for (const piece of HOSTILE) parse(piece.repeat(20_000 / piece.length)); // the stack holds as well
  });

  it('are expanded, each variable once for each place at most; their arguments have unique names of ASCII letters', () => {
    fc.assert(
      fc.property(body, fc.dictionary(number.map(String), fc.string()), (one, values) => {
        const snippet = parseSnippet(one);
        const written = [...walk(snippet)].filter(({ kind }) => kind === 'variable').length;
        let asked = 0;
        const variable = (name: string) => {
          asked++;
          return name === 'TM_FILENAME' ? 'some.file' : undefined;
        };
        expandSnippet(snippet, { values, variable });
        assert.ok(asked <= written, `${asked} of ${written}`);
        const names = tabStops(snippet).map(({ name }) => name);
        assert.equal(new Set(names).size, names.length);
        for (const name of names) assert.match(name, /^[A-Za-z_]\w*$/);
      }),
    );
  });
});
