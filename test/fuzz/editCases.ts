import fc from 'fast-check';
import type { Replacement } from './editModel.ts';

/** Few different ones, so that pieces of text repeat. */
const piece = fc.constantFrom('a', 'b', '\n', 'ä', '𝒳', 'ab');
const hostile = fc.constantFrom('\r\n', '\r', '\0', '\ud835', '\udcb3', '\ufeff', '$&', '$1', '');
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
const newText = fc.array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: hostile }), {
  maxLength: 6,
});

/** A piece of the text by its place, or any. */
const oldText = (whole: string): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.nat(whole.length), fc.nat(12))
        .map(([at, length]) => whole.slice(at, at + length)),
    },
    { weight: 1, arbitrary: newText.map((pieces) => pieces.join('')) },
  );

const replacements = (whole: string): fc.Arbitrary<Replacement[]> =>
  fc.array(fc.record({ oldText: oldText(whole), newText: newText.map((pieces) => pieces.join('')) }), {
    minLength: 1,
    maxLength: 4,
  });

/** A file, and what an agent tries with it. */
export const file = text.chain((content) =>
  fc.record({
    content: fc.constant(content),
    eol: fc.constantFrom('\n', '\r\n'),
    bom: fc.constantFrom('', '\ufeff'),
    isDirty: fc.boolean(),
    calls: fc.array(
      fc.record({
        edits: replacements(content),
        dryRun: fc.constantFrom(false, false, true),
        isAllowed: fc.constantFrom(true, true, true, false),
        versionsBehind: fc.constantFrom(undefined, undefined, 0, 1),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

export type File = typeof file extends fc.Arbitrary<infer Value> ? Value : never;
export type Call = File['calls'][number];
