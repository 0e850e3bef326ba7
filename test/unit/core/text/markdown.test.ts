import assert from 'node:assert/strict';
import { plainMarkdown } from '../../../../src/core/text/markdown.ts';

describe('core/text/markdown', () => {
  for (const [text, plain] of [
    ['# Which **one**, `a` or ``b``?', 'Which one, a or b?'],
    ['See [the docs](https://a.b/c).', 'See the docs (https://a.b/c).'],
    ['Is it:\n```ts\nconst a = `x`; // **\n```\nor not?', 'Is it:\nconst a = `x`; // **\nor not?'],
    ['2 ** 3 ** 4, __init__, a_b_c, #12 and * item', '2 ** 3 ** 4, __init__, a_b_c, #12 and * item'],
    ['`one', '`one'],
  ] as const)
    it(`leaves out marks, and nothing else: ${JSON.stringify(text)}`, () =>
      assert.equal(plainMarkdown(text), plain));
});
