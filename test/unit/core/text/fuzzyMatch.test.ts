import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fuzzy } from '../../../../src/core/text/fuzzyMatch.ts';

/** Paths by how well they fit, the best first; those that do not fit are left out. */
const ranked = (typed: string, ...paths: string[]): string[] => {
  const { score } = fuzzy(typed);
  return paths
    .map((path) => ({ path, points: score(path) ?? -1 }))
    .filter(({ points }) => points >= 0)
    .sort((a, b) => b.points - a.points)
    .map(({ path }) => path);
};

describe('core/fuzzy', () => {
  for (const [what, typed, ...paths] of [
    ['the name before the folders', 'relay', 'src/relay.ts', 'relay/a.ts'],
    ['the start of a name before its middle', 'read', 'src/readFile.ts', 'src/bread.ts'],
    ['letters that stand together', 'file', 'src/aFile.ts', 'src/f_i_l_e.ts'],
    ['the humps of a name', 'wsf', 'src/workspaceServedFiles.ts', 'src/awswatchfoo.ts'],
    ['the case that was typed', 'Api', 'src/Api.ts', 'src/api.ts'],
    ['folders where they are typed', 'un/rel', 'unit/release.ts', 'sun/xrel.ts'],
    ['pieces in any order', 'ts relay', 'src/relay.ts', 'src/r_e_l_a_y_t_s.ts'],
  ] as const)
    it(`ranks ${what}`, () => assert.deepEqual(ranked(typed, ...paths.toReversed()), paths));

  it('wants all letters, in their order', () => {
    assert.deepEqual(ranked('yaler', 'relay.ts'), []);
    assert.deepEqual(ranked('relay x', 'relay.ts'), []);
    assert.equal(fuzzy('').score('a'), 0);
  });

  it('takes what holds the letters, and nothing else', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 30 }), (typed, path) => {
        const pieces = typed.split(/\s+/).filter(Boolean);
        const fits = pieces.every((piece) => {
          let rest = path.toLowerCase();
          return [...piece.toLowerCase()].every((letter) => {
            const at = rest.indexOf(letter);
            rest = rest.slice(at + letter.length);
            return at >= 0;
          });
        });
        assert.equal(fuzzy(typed).score(path) !== undefined, fits);
      }),
    ));

  it('looks at the end of a path that is longer than any', () => {
    const path = `${'a/'.repeat(100_000)}relay.ts`;
    assert.equal(fuzzy('relay').score(path), fuzzy('relay').score('relay.ts'));
  });
});
