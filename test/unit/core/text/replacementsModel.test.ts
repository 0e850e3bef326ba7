import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  applyReplacements,
  type Replacement,
  ReplacementError,
} from '../../../../src/core/text/replacements.ts';

/** Few different ones, so that pieces of text repeat. */
const piece = fc.constantFrom('a', 'b', '\n', 'ä', '𝒳', 'ab');
const hostile = fc.constantFrom('\r\n', '\r', '\0', '\ud835', '\udcb3', '\ufeff', '$&', '$1', '');
const textOf = (pieces: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(pieces, { maxLength }).map((all) => all.join(''));
const newText = textOf(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: hostile }), 6);

/** A text, and edits of it: of a piece by its place mostly, or of any. */
const cases = textOf(piece, 20).chain((before) => {
  const place = fc.tuple(fc.nat(before.length), fc.nat(12));
  const part = place.map(([at, length]) => before.slice(at, at + length));
  const oldText = fc.oneof({ weight: 5, arbitrary: part }, { weight: 1, arbitrary: newText });
  const edits = fc.array(fc.record({ oldText, newText }), { minLength: 1, maxLength: 4 });
  return fc.tuple(fc.constant(before), edits);
});

const withLf = (text: string): string => text.split('\r\n').join('\n').split('\r').join('\n');

/** The text afterwards, in the plainest way that there is; undefined where an edit does not fit, and nothing may change. */
function edited(before: string, edits: readonly Replacement[]): string | undefined {
  let text = before;
  for (const edit of edits) {
    const [from, to] = [withLf(edit.oldText), withLf(edit.newText)];
    const places = from ? [...text.split('').keys()].filter((at) => text.startsWith(from, at)) : [0];
    const [at] = places;
    if (at === undefined || places.length > 1 || from === to) return undefined;
    if (from === '' && text !== '') return undefined;
    if (to.includes('\0') && !from.includes('\0')) return undefined; // it would be binary
    text = text.substring(0, at) + to + text.substring(at + from.length);
  }
  return text === before || (!text.isWellFormed() && before.isWellFormed()) ? undefined : text;
}

describe('core/text/replacementsModel: all replacements or none', () => {
  it('as the model of the text has it', () =>
    fc.assert(
      fc.property(cases, ([before, edits]) => {
        const expected = edited(before, edits);
        if (expected === undefined) assert.throws(() => applyReplacements(before, edits), ReplacementError);
        else assert.equal(applyReplacements(before, edits), expected);
      }),
      { numRuns: 500 },
    ));
});
