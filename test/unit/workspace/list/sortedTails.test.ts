import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changed, differing, firstFrom } from '../../../../src/workspace/list/sortedTails.ts';

const name = fc.constantFrom('a', 'b', 'a.b', 'a-', '%20', 'z');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const tailsOf = (paths: readonly string[]) => [...new Set(paths)].sort();

describe('access/tails', () => {
  it('finds the first that is not before', () => {
    const tails = ['a', 'a/b', 'c'];
    assert.deepEqual(
      ['', 'a', 'a/', 'b', 'd'].map((tail) => firstFrom(tails, tail)),
      [0, 0, 1, 2, 3],
    );
    assert.equal(firstFrom(tails, '', 1), 1);
    assert.equal(firstFrom(tails, 'd', 0, 1), 1);
  });

  it('has what is there now, instead of what was looked at and what lay in it', () => {
    const isIn = (tail: string, looked: string) => tail === looked || tail.startsWith(`${looked}/`);
    fc.assert(
      fc.property(fc.array(path), fc.array(path), fc.array(path), (paths, looked, present) => {
        const tails = tailsOf(paths);
        const left = tails.filter((tail) => !looked.some((one) => isIn(tail, one)));
        assert.deepEqual(changed(tails, looked, present), tailsOf([...left, ...present]));
      }),
    );
  });

  it('is the same list where nothing differs', () => {
    const tails = ['a', 'b/c'];
    assert.equal(changed(tails, ['a', 'b', 'out'], ['a', 'b/c']), tails);
  });

  it('tells what only one of two lists has', () => {
    fc.assert(
      fc.property(fc.array(path), fc.array(path), (left, right) => {
        const [before, now] = [tailsOf(left), tailsOf(right)];
        const expected = [
          ...before.filter((tail) => !now.includes(tail)),
          ...now.filter((tail) => !before.includes(tail)),
        ];
        assert.deepEqual(differing(before, now), expected.sort());
      }),
    );
  });
});
