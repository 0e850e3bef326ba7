import assert from 'node:assert/strict';
import {
  allVisible,
  allVisibleText,
  noteOnHidden,
  visible,
  visibleText,
} from '../../../../src/core/text/visible.ts';
import { callsOf } from '../callsOf.ts';

describe('core/text/visible: invisible characters', () => {
  const CASES: [what: string, name: string, shown: string][] = [
    ['line ends of every kind', 'a\nb\r\u0085\u2028\u2029', 'a\\u{a}b\\u{d}\\u{85}\\u{2028}\\u{2029}'],
    ['other control characters', 'a\tb\u001b[31m', 'a\\u{9}b\\u{1b}[31m'],
    ['what turns the direction', 'a\u202etxt.exe\u2066\u200f', 'a\\u{202e}txt.exe\\u{2066}\\u{200f}'],
    ['half a character', '\ud83c.txt \udf32', '\\u{d83c}.txt \\u{df32}'],
  ];
  for (const [what, name, shown] of CASES) it(`spells out ${what}`, () => assert.equal(visible(name), shown));

  it('leaves every other name as it is', () => {
    for (const name of ['src/a b.ts', 'grün/🌲.ts', '👩‍👩‍👧.md', 'می‌خواهم', 'a\\b', '日本語'])
      assert.equal(visible(name), name);
  });

  it('spells out all that shows nothing for who decides, or looks like a space', () => {
    for (const hidden of '\u3164\u2800\xa0\u115f\u1160\uffa0\ufe0f\u{e0100}\u{e0041}\u200d\u034f\u3000\t')
      assert.equal(allVisible(`A${hidden}B`), `A\\u{${hidden.codePointAt(0)?.toString(16)}}B`);
    assert.equal(allVisible(`A${'\u0301'.repeat(6)}`), `A${'\u0301'.repeat(4)}${'\\u{301}'.repeat(2)}`);
    assert.equal(allVisibleText('\u3000a\u00a0b\u3164'), '\u3000a\u00a0b\\u{3164}');
    assert.equal(allVisible('grün a b 🌲 日本語 é'), 'grün a b 🌲 日本語 é');
  });

  it('keeps the newlines and tabs of a text of several lines', () => {
    const text = 'a\n\tb\r\nc\rd\u202e\u200d\u{e0041}\0';
    assert.equal(visibleText(text), 'a\n\tb\r\nc\\u{d}d\\u{202e}\u200d\u{e0041}\\u{0}');
    assert.equal(allVisibleText(text), 'a\n\tb\r\nc\\u{d}d\\u{202e}\\u{200d}\\u{e0041}\\u{0}');
    assert.equal(allVisibleText('\u{e0000}\u{e007f}\ufeff\u00ad'), '\\u{e0000}\\u{e007f}\\u{feff}\\u{ad}');
  });
});

const END = '; the text contains them unchanged.';

describe('core/text/visible: the note on hidden characters', () => {
  it('says nothing of texts that show all of themselves, at once, though they are long', () => {
    const long = 'const a = "grün"; // 日本語\n'.repeat(40_000); // a look from each character to the end would take minutes
    for (const text of ['', 'a\tb\r\nc\n', 'grün 🌲 日本語 👩‍👩‍👧 می‌خواهم ❤️', long])
      assert.equal(noteOnHidden(text), undefined);
  });

  it('names what does not show, with its line', () => {
    const shown = noteOnHidden('a\nb\u202e\n\n\0c\u{e0041}');
    assert.equal(shown, `Invisible characters: U+202E in line 2, U+0000 in line 4, U+E0041 in line 4${END}`);
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
