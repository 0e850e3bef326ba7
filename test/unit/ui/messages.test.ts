import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, quoted } from '../../../src/ui/messages.ts';

/** How VS Code finds links in a message (`parseLinkedText`), and icons in the labels of a list. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const ICON = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i;

describe('ui/messages: untrusted text', () => {
  it('is one line, in which all is seen, and nothing is a link or an icon', () => {
    for (const [text, shown] of [
      ['Edit src/[id]/page.tsx', 'Edit src/[id]/page.tsx'],
      ['a\r\nb\u2028c', 'a\\u{d}\\u{a}b\\u{2028}c'],
      ['a\u202eb\u200bc\ud800', 'a\\u{202e}b\\u{200b}c\\u{d800}'],
      ['[ok](command:x)', '[ok] (command:x)'],
      ['$(check) done', '$ (check) done'],
      ['[a] [b', '[a] ［b'], // a bracket left open is another one
      ['x'.repeat(300), `${'x'.repeat(200)}…`],
      ['א 1.0', '\u2066א 1.0\u2069'],
    ] as const)
      assert.equal(oneLine(text), shown);
    assert.equal(oneLine(`${'x'.repeat(8)}[abc]`, 10), 'xxxxxxxx［a…');
  });

  it('is a name that does not end its quotation, in any language, and is cut in the middle', () => {
    for (const [text, shown] of [
      ['src/a.ts', '“src/a.ts”'],
      ['a” asks: Edit “b', '“a" asks: Edit "b”'],
      ['「a」«b»', '“"a""b"”'],
      ['a\u2069\u202eb', '“a\\u{2069}\\u{202e}b”'],
      ['שלום', '“\u2066שלום\u2069”'],
      [`${'a/'.repeat(100)}name.ts`, `“${'a/'.repeat(20)}…${'a/'.repeat(36)}name.ts”`],
      ['🌲'.repeat(121), `“${'🌲'.repeat(40)}…${'🌲'.repeat(79)}”`],
    ] as const)
      assert.equal(quoted(text), shown);
  });

  const pieces = fc.constantFrom(' ', '\n', ...'[ ] ( ) $ command:a https://b x " \u202e'.split(' '));

  it('is never a link nor an icon, and changes none that follows', () =>
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.integer({ min: 1, max: 30 }), (parts, most) => {
        const [text, name] = [oneLine(parts.join(''), most), quoted(parts.join(''), most)];
        const ours = ['[Allow once](command:ours)', '[Deny…](command:ours)'];
        const message = `${text} asks: ${text} (${name}) ${name} asks: ${name} (${text}). ${ours.join(' | ')}`;
        assert.deepEqual(message.match(LINK), ours);
        assert.doesNotMatch(message, ICON);
      }),
      { numRuns: 500 },
    ));
});
