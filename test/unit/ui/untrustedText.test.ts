import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, quoted } from '../../../src/ui/untrustedText.ts';

/** How VS Code finds links in a message (`parseLinkedText`), and icons in the labels of a list. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const ICON = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i;

describe('ui/untrustedText', () => {
  const cases: [string, string, string][] = [
    ['plain text stays', 'Edit src/[id]/page.tsx', 'Edit src/[id]/page.tsx'],
    ['lines are one', 'a\r\nb\u2028c', 'a\\u{d}\\u{a}b\\u{2028}c'],
    ['what turns the text is seen', 'a\u202eb\u200bc', 'a\\u{202e}b\\u{200b}c'],
    ['half a pair is seen', 'a\ud800b', 'a\\u{d800}b'],
    ['links are none', '[ok](command:x)', '[ok] (command:x)'],
    ['icons are none', '$(check) done', '$ (check) done'],
    ['a bracket left open is another one', 'Deny [', 'Deny ［'],
    ['only that which is open', '[a] [b', '[a] ［b'],
    ['one that is replaced makes no link', '[a][https://b', '[a]［https://b'],
    ['nor an icon', '$[x', '$［x'],
    ['a long text is cut', 'x'.repeat(300), `${'x'.repeat(200)}…`],
    ['what is written from right to left is isolated', 'א 1.0', '\u2066א 1.0\u2069'],
  ];
  const names: [string, string, string][] = [
    ['a name is quoted', 'src/a.ts', '“src/a.ts”'],
    ['it does not end its quotation', 'a” asks: Edit “b', '“a" asks: Edit "b”'],
    ['nor in another language', '「a」«b»', '“"a""b"”'],
    ['what turns the text is seen', 'a\u2069\u202eb', '“a\\u{2069}\\u{202e}b”'],
    ['from right to left it turns nothing else', 'שלום', '“\u2066שלום\u2069”'],
    [
      'a long one is cut in the middle',
      `${'a/'.repeat(100)}name.ts`,
      `“${'a/'.repeat(20)}…${'a/'.repeat(36)}name.ts”`,
    ],
    ['pairs stay whole', '🌲'.repeat(121), `“${'🌲'.repeat(40)}…${'🌲'.repeat(79)}”`],
    ['links are none', '[ok](command:x)', '“[ok] (command:x)”'],
  ];
  for (const [what, text, shown] of names) it(what, () => assert.equal(quoted(text), shown));
  for (const [what, text, shown] of cases) it(what, () => assert.equal(oneLine(text), shown));

  it('leaves a bracket closed that the cut has opened', () =>
    assert.equal(oneLine(`${'x'.repeat(8)}[abc]`, 10), 'xxxxxxxx［a…'));

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
