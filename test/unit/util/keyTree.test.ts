import assert from 'node:assert/strict';
import { KeyTree } from '../../../src/util/keyTree.ts';

describe('util/keyTree', () => {
  const tree = new KeyTree();
  for (const key of [
    'file:///',
    'file:///ws',
    'file:///ws/src/',
    'file:///ws/src/a.ts',
    'file:///ws2',
    'list/file:///ws/b',
    'untitled:Untitled-1',
  ])
    tree.add(key, key);
  tree.add('list', 'list');

  const AROUND: [key: string, names: string[]][] = [
    ['file:///ws/src/a.ts', ['file:///ws/src/a.ts', 'file:///ws/src/', 'file:///ws', 'file:///']],
    ['file:///ws/src/b.ts', ['file:///ws/src/', 'file:///ws', 'file:///']],
    ['file:///ws', ['file:///ws', 'file:///ws/src/', 'file:///ws/src/a.ts', 'file:///']],
    ['list/file:///ws', ['list/file:///ws/b', 'list']],
    ['list', ['list', 'list/file:///ws/b']],
    ['untitled:', ['untitled:Untitled-1']],
    ['other', []],
  ];
  for (const [key, names] of AROUND)
    it(`finds what holds ${key}, and what it holds`, () => assert.deepEqual([...tree.around(key)], names));

  it('finds what it holds alone', () => {
    assert.deepEqual([...tree.within('file:///ws/src')], ['file:///ws/src/', 'file:///ws/src/a.ts']);
    assert.deepEqual([...tree.within('file:///ws/none')], []);
  });

  it('keeps nothing of what was taken out', () => {
    const own = new KeyTree();
    for (const name of ['x', 'y']) own.add('a/b/c', name);
    own.delete('a/b/c', 'x');
    assert.deepEqual([...own.around('a')], ['y']);
    own.delete('a/b/c', 'y');
    own.delete('a/b/c', 'never there');
    assert.deepEqual([...own.around('a'), ...own.around('a/b/c')], []);
  });
});
