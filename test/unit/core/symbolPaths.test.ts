import assert from 'node:assert/strict';
import { addressed, lastName, matchingSymbols, namesIn, nearest } from '../../../src/core/symbolPaths.ts';

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
  tree('geo', tree('Shape::scale'), tree('Shape::scale'), tree('Box<T>::get'), tree('S::operator()')),
  tree('(*List[T]).Push'),
  tree('Pair', tree('first')),
  tree('Pair<bool, bool>'),
  tree('App\\Models'),
  tree('Model', tree('save')),
  tree('impl<T> Named for Tile<T>', tree('label')),
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
    ['Run', ['T/Run']],
    ['T.Run', ['T/Run']],
    ['(*T).Run', ['T/Run']],
    ['Push', ['List/Push']],
    ['scale', ['geo/Shape/scale[1]', 'geo/Shape/scale[2]']],
    ['Shape/scale[2]', ['geo/Shape/scale[2]']],
    ['geo::Shape::scale[1]', ['geo/Shape/scale[1]']],
    ['geo/scale', []],
    ['Pair', ['Pair']],
    ['Pair<bool, bool>', ['Pair<bool, bool>']],
    ['Box::get', ['geo/Box<T>/get']],
    ['Box<T>::get', ['geo/Box<T>/get']],
    ['S::operator()', ['geo/S/operator()']],
    ['App\\Models\\Model', ['Model']],
    ['\\App\\Models\\Model::save', ['Model/save']],
    ['App\\Other\\Model', []],
    ['Tile/label', ['impl<T> Named for Tile<T>/label']],
    ['Title/a/b', ['# Title/## a/b']],
    ['Run[2]', []],
    ['', []],
  ] as const)
    it(`takes "${wanted}" for ${expected.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(found(wanted), expected));

  it('splits the names of servers, but not titles, keys and operators', () => {
    for (const [name, expected] of [
      ['geo::Shape::scale', 'geo Shape scale'],
      ['Box<a::B<T>>::get', 'Box<a::B<T>> get'],
      ['Shape::~Shape', 'Shape ~Shape'],
      ['Shape::operator==', 'Shape operator=='],
      ['operator std::string', 'operator std::string'],
      ['(*Square).Area', 'Square Area'],
      ['(List[T]).Push', 'List Push'],
      ['describe("a::b") callback', 'describe("a::b") callback'],
      ['files.exclude', 'files.exclude'],
    ] as const)
      assert.equal(namesIn(name).join(' '), expected);
  });

  it('knows the nearest names', () => {
    assert.equal(nearest(ALL, 'A/fnd')[0]?.path, 'A/find(String)');
    assert.equal(lastName('A.b/cde[2]'), 'cde');
  });
});
