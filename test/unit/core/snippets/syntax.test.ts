// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Snippet, SnippetNode } from '../../../../src/core/snippets/syntax.ts';
import { parseSnippet } from '../../../../src/core/snippets/syntax.ts';
import { anyText } from '../anyText.ts';

const text = (value: string): SnippetNode => ({ kind: 'text', text: value });
const stop = (number: number, ...fallback: SnippetNode[]): SnippetNode => ({
  ...{ kind: 'tabStop', number, fallback },
});
const variable = (name: string, ...fallback: SnippetNode[]): SnippetNode => ({
  ...{ kind: 'variable', name, fallback },
});
const choice = (number: number, ...choices: string[]): SnippetNode => ({
  ...{ kind: 'tabStop', number, fallback: [text(choices[0] ?? '')], choices },
});

describe('core/snippets/syntax: parseSnippet', () => {
  const bodies: [body: string, nodes: Snippet][] = [
    ['', []],
    ['plain {text}', [text('plain {text}')]],
    ['${1}', [stop(1)]],
    ['$1st', [stop(1), text('st')]],
    ['${1:x ${2:y} and $VARS}', [stop(1, text('x '), stop(2, text('y')), text(' and '), variable('VARS'))]],
    ['${1:{}}', [stop(1, text('{')), text('}')]],
    ['${name1}', [variable('name1')]],
    ['${name:default $1}', [variable('name', text('default '), stop(1))]],
    [
      '${1|one,esc\\,aped,p\\|pe,back\\\\slash,k\\ept|}',
      [choice(1, 'one', 'esc,aped', 'p|pe', 'back\\slash', 'k\\ept')],
    ],
    ['${1|$2,}|}', [choice(1, '$2', '}')]],
    ['${1:a $2 ${X:b', [text('${1:a '), stop(2), text(' ${X:b')]],
  ];
  for (const [body, nodes] of bodies)
    it(`reads ${JSON.stringify(body)}`, () => assert.deepEqual(parseSnippet(body), nodes));

  const ESCAPED: [body: string, shown: string][] = [
    ['\\$1', '$1'],
    ['\\\\', '\\'],
    ['\\}', '}'],
    ['${ name}', '${ name}'],
    ['${1 }', '${1 }'],
    ['${1/a/b/g G}', '${1/a/b/g G}'],
    ['é $', 'é $'],
  ];
  const UNFINISHED =
    '\\n \\ $ $$ ${ ${} ${1 ${1:foo ${1|} ${1||} ${1|a,|} ${0|a,b|} ${1|a\\|} ${1/a/b} ${1/a\\/b} ${1/(/x/}';
  for (const [body, shown] of [...ESCAPED, ...UNFINISHED.split(' ').map((body) => [body, body] as const)])
    it(`leaves ${JSON.stringify(body)} as text`, () => assert.deepEqual(parseSnippet(body), [text(shown)]));
});

describe('core/snippets/syntax: parseSnippet, whatever a file holds', () => {
  const piece = fc.constantFrom(
    ...'$ { } \\ / | , : ? + - _ 0 1 12 a ab \n ${1: ${x: ${2| ${3/ :/upcase é'.split(' '),
  );
  const awkward = fc.array(piece).map((pieces) => pieces.join(''));

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(anyText, awkward), (body) => void parseSnippet(body)));
  });

  it('keeps any text whose "$", "\\" and "}" are escaped', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), awkward), (body) =>
        assert.deepEqual(parseSnippet(body.replace(/[$\\}]/g, '\\$&')), body ? [text(body)] : []),
      ),
    );
  });

  it('takes a format with more than 1,000 characters in a row for none, or many of them would take long', () => {
    const formatOf = (length: number) => {
      const [node] = parseSnippet(`\${1/a/\${1:+${'x'.repeat(length)}}/}`);
      return node?.kind === 'tabStop' ? node.transform?.format : undefined;
    };
    assert.deepEqual(formatOf(1_000), [{ group: 1, whenMatched: 'x'.repeat(1_000) }]);
    assert.deepEqual(formatOf(1_001), ['$', `{1:+${'x'.repeat(1_001)}}`]);
  });

  it('takes a body over 100,000 characters as text', () => {
    const body = `$1${' '.repeat(100_000)}`;
    assert.deepEqual(parseSnippet(body), [text(body)]);
  });
});
