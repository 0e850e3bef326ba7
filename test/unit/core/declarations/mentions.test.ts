import assert from 'node:assert/strict';
import { namesCalled, namesExtended } from '../../../../src/core/declarations/mentions.ts';

const wordsAt = (text: string, indexes: readonly number[]) =>
  indexes.map((at) => /^[\w$]+(?:-\w+)*/.exec(text.slice(at))?.[0]);

describe('core/declarations/mentions', () => {
  it('finds the names that are called, in several languages', () => {
    const called = (text: string, languageId: string) => wordsAt(text, namesCalled(text, languageId));
    const cpp = '{ if (a) return s.scale(2) + geo::largest<int>(area (s)); // not(x)\n }';
    assert.deepEqual(called(cpp, 'cpp'), ['scale', 'largest', 'area']);
    assert.deepEqual(called('(a):\n  # no(a)\n  return f(g(a)) if not (a) else a', 'python'), ['f', 'g']);
    const shell = '() {\n  local x=1\n  if is_set "$x"; then log-it a | trim; fi\n  y=$(now) # no\n}';
    assert.deepEqual(called(shell, 'shellscript'), ['is_set', 'log-it', 'trim', 'now']);
  });

  it('finds the types that a class extends, in several languages', () => {
    const heads: [string, string, string[]][] = [
      ['python', '(abc.ABC, Generic[Shape], metaclass=Meta):\n    a = f(Other)', ['ABC', 'Generic']],
      ['python', '[T: Other](Shape):', ['Shape']],
      ['python', ':\n    area: (Shape)', []],
      ['cpp', ' final : public geo::Shape<Circle>, private virtual Base {\n  Other o; };', ['Shape', 'Base']],
      ['cpp', ' { Other o : 3; };', []],
      [
        'java',
        '<T extends Other> extends a.Base<T> implements One, Two permits Other {',
        ['Base', 'One', 'Two'],
      ],
      ['php', ' extends \\App\\Shape implements Countable {', ['Shape', 'Countable']],
      ['csharp', ' : Base, IShape<Other> where T : Other {', ['Base', 'IShape']],
      ['kotlin', '(val a: Other) : Base(a), Shape', ['Base', 'Shape']],
      ['ruby', ' < Geo::Shape\n  def a < b', ['Shape']],
      ['typescript', ' extends Shape<Other> { a: Other }', ['Shape']],
      ['typescript', '<T = {}> extends B<{ a: Other }> implements C { d: Other', ['B', 'C']],
      ['typescript', ' extends Map<string, () => Other>, A<{ a(): { b: Other } }> {', ['Map', 'A']],
      ['cpp', ' : public Shape<1 << 2>, Base { Other o; }', ['Shape', 'Base']],
      ['typescript', `${'<'.repeat(20_000)}${'>'.repeat(20_000)} extends B {`, ['B']],
    ];
    for (const [languageId, text, names] of heads)
      assert.deepEqual(wordsAt(text, namesExtended(text, languageId)), names, `${languageId}: ${text}`);
  });
});
