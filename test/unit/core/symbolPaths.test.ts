import assert from 'node:assert/strict';
import { addressed, lastName, matchingSymbols, nearest } from '../../../src/core/symbolPaths.ts';

interface Tree {
  name: string;
  children?: Tree[];
}

const tree = (name: string, ...children: Tree[]): Tree => ({ name, children });
const ALL = addressed([
  tree('A', tree('run'), tree('run'), tree('find(String)'), tree('of', tree('run'))),
  tree('run'),
  tree('(*T).Run'),
  tree('# Title', tree('## a/b')),
]);
const found = (wanted: string) => matchingSymbols(ALL, wanted).map(({ path }) => path);

describe('core/symbolPaths', () => {
  for (const [wanted, expected] of [
    ['run', ['run']],
    ['A/run', ['A/run[1]', 'A/run[2]']],
    ['A/run[2]', ['A/run[2]']],
    ['run[2]', ['A/run[2]']],
    ['of/run', ['A/of/run']],
    ['/of/run', []],
    ['A.of.run', ['A/of/run']],
    ['A::run[1]', ['A/run[1]']],
    ['find', ['A/find(String)']],
    ['find(String)', ['A/find(String)']],
    ['Run', ['(*T).Run']],
    ['Title/a/b', ['# Title/## a/b']],
    ['Run[2]', []],
    ['', []],
  ] as const)
    it(`takes "${wanted}" for ${expected.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(found(wanted), expected));

  it('knows the nearest names', () => {
    assert.equal(nearest(ALL, 'A/fnd')[0]?.path, 'A/find(String)');
    assert.equal(lastName('A.b/cde[2]'), 'cde');
  });
});
