import assert from 'node:assert/strict';
import { misquoted } from '../../../../src/core/text/misquoted.ts';

const NOTES = `The task list in\u00a0current use.
It\u2019s \u201cdone\u201d \u2013 ok
full\u3000width
Re\u0301sume\u0301 \ufb01t
an indented line of text, and a long one with much after it
\tif (tab) {
`;

describe('core/text/misquoted', () => {
  const ALIKE: [what: string, wanted: string, said: string[]][] = [
    ['another space', 'list in current', ['line 1 has U+00A0 where you wrote a space']],
    [
      'other quotes, dashes and spaces',
      'It\'s "done" - ok\nfull width',
      [
        "line 2 has U+2019 where you wrote '''",
        `line 2 has U+201C where you wrote '"'`,
        `line 2 has U+201D where you wrote '"'`,
        "line 2 has U+2013 where you wrote '-'",
        'line 3 has U+3000 where you wrote a space',
      ],
    ],
    ['a ligature', 'fit', ["line 4 has U+FB01 where you wrote 'f'"]],
    [
      'letters taken apart',
      'R\u00e9',
      ["line 4 has 'e' where you wrote U+00E9", 'line 4 has U+0301 where you wrote U+00E9'],
    ],
  ];
  for (const [what, wanted, said] of ALIKE)
    it(`tells ${what}`, () =>
      assert.equal(
        misquoted(NOTES, wanted, 'Copy.'),
        `The text is there but for characters that look alike: ${said.join(', ')}. Copy.`,
      ));

  it('tells line numbers of a listing', () => {
    const text = 'a\n  b();\n  total()\n\nc - 1\n17: x\n';
    const numbered = 'It begins with line numbers of a listing: leave them out.';
    for (const wanted of [
      '3: total()',
      '3:  total()',
      '     3\t  total()',
      '3→total()',
      '2:   b();\n3:   tot()\n4: \n',
      '2| b\n3| x',
    ])
      assert.equal(misquoted(text, wanted, 'Copy.'), numbered, wanted);
    for (const wanted of ['3: other', '2: b\n9: c', '2: b\nc'])
      assert.notEqual(misquoted(text, wanted, 'Copy.'), numbered, wanted);
  });

  const NEAREST: [what: string, wanted: string, said: RegExp][] = [
    [
      'other white space',
      '    if (tab) {',
      /^First difference in line 6, column 1: a tab where you wrote a space\. Nearest:\nline 6:\n\tif/,
    ],
    [
      'a part of a line',
      'a long one with little',
      /^First difference in line 5, column 47: 'm' where you wrote 'l'\. Nearest:\nline 5:\nan indented/,
    ],
    ['more than there is', 'full\u3000width!', /line 3, column 11: a line break where you wrote '!'/],
    ['nothing like it', 'something else altogether', /^Read the file again: it may have changed\.$/],
  ];
  for (const [what, wanted, said] of NEAREST)
    it(`tells ${what}`, () => assert.match(misquoted(NOTES, wanted, 'Copy.'), said));

  it('passes over line breaks before it, and tells whole characters', () => {
    const text = 'x\n\nfoo(barbaz, one, 😀);\n';
    const told = misquoted(text, '\nfoo(barbaz, one, 😁);', 'Copy.');
    assert.match(told, /^First difference in line 3, column 18: U\+1F600 where you wrote U\+1F601\./);
  });

  it('lists a few of many', () => {
    const text = 'a\u00a0b\n'.repeat(100_000);
    const said = misquoted(text, 'a b\n'.repeat(10), 'Copy.');
    assert.match(said, /line 5 has U\+00A0 .*, and so on \(10 characters\)\. Copy\.$/);
  });
});
