import assert from 'node:assert/strict';
import { noteOnHidden } from '../../../../src/core/text/hiddenCharacters.ts';
import { callsOf } from '../callsOf.ts';

const END = '; the text contains them unchanged.';

describe('core/text/hiddenCharacters', () => {
  it('says nothing of texts that show all of themselves, at once, though they are long', () => {
    const long = 'const a = "grün"; // 日本語\n'.repeat(40_000); // a look from each character to the end would take minutes
    for (const text of ['', 'a\tb\r\nc\n', 'grün 🌲 日本語 👩‍👩‍👧 می‌خواهم ❤️', long])
      assert.equal(noteOnHidden(text), undefined);
  });

  it('names what does not show, with its line', () => {
    assert.equal(
      noteOnHidden('a\nb\u202e\n\n\0c\u{e0041}'),
      `Invisible characters: U+202E in line 2, U+0000 in line 4, U+E0041 in line 4${END}`,
    );
    assert.equal(noteOnHidden('\u200b', 7), `Invisible characters: U+200B in line 7${END}`);
    for (const hidden of '\u001b\u0085\u00ad\u061c\u2028\u2069\ufeff\u3164\u2800\u00a0\u202f\u3000\r')
      assert.match(noteOnHidden(`a${hidden}b`) ?? '', /in line 1/);
  });

  it('names the first few, and counts the others without a look for their lines', () => {
    const named = [1, 2, 3, 4, 5].map((line) => `U+202E in line ${line}`).join(', ');
    const expected = `Invisible characters: ${named}, … (1000 in all)${END}`;
    const note = () => assert.equal(noteOnHidden('\u202e\n'.repeat(1000)), expected);
    assert.ok(callsOf(String.prototype, 'indexOf', note) <= 10);
  });
});
