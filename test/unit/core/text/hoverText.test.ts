import assert from 'node:assert/strict';
import { hoverParts } from '../../../../src/core/text/hoverText.ts';

describe('core/text/hoverText', () => {
  it("keeps the comment and the declaration of clangd's Markdown, without what the code says", () => {
    const lines = [
      '### instance-method `scale`  ',
      '',
      '---',
      '→ `void`  ',
      'Parameters:  ',
      '- `double by`',
      '',
      'Scales it.  ',
      '- `by` is a factor',
      '',
      '---',
      '```cpp',
      '// In Shape',
      'public: void scale(double by)',
      '```',
    ];
    assert.deepEqual(hoverParts(lines.join('\n')), [
      'Scales it.\n- `by` is a factor',
      'public: void scale(double by)',
    ]);
    const field =
      '### field `size_`  \n\n---\nType: `double`  \nSize: 8 bytes  \n\n---\n```cpp\ndouble size_\n```';
    assert.deepEqual(hoverParts(field), ['double size_']);
  });

  it('keeps headings and lists of other servers', () => {
    const text = '```rust\nfn a()\n```\n---\n### Examples\n- `b`\nSize: 3';
    assert.deepEqual(hoverParts(text), ['fn a()', '### Examples\n- `b`\nSize: 3']);
  });

  it('drops links that only people can follow', () => {
    const text = '```go\nfunc A()\n```\nDoes it.\n\n[`s.A` on pkg.go.dev](https://pkg.go.dev/s#A)';
    assert.deepEqual(hoverParts(text), ['func A()', 'Does it.']);
    assert.deepEqual(hoverParts('See [B](command:_open?b).'), ['See B.']);
  });
});
