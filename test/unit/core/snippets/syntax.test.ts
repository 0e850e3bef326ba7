// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { parseSnippet } from '../../../../src/core/snippets/syntax.ts';

const text = (value: string) => ({ kind: 'text', text: value });

describe('core/snippets/syntax', () => {
  const ESCAPED: [body: string, shown: string][] = [
    ['plain {text}', 'plain {text}'],
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
