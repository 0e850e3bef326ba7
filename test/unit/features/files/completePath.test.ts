import assert from 'node:assert/strict';
import { completePath } from '../../../../src/features/files/completePath.ts';
import type { ListedFile } from '../../../../src/workspace/list/listedFile.ts';
import { CALL } from '../window.ts';

/** The values for files of `/ws`, without that folder. */
async function complete(typed: string, names: readonly string[]) {
  const files = names.map((named) => ({ named, uriPath: `/ws/${named}` }) as ListedFile);
  const found = await completePath(`ws/${typed}`, files, ({ uriPath }) => uriPath.slice(1), CALL.signal);
  return { ...found, values: found.values.map((value) => value.replace(/^ws\//, '')) };
}

describe('features/files/completePath', () => {
  const TREE = ['LICENSE', 'logo.png', 'src/a.ts', 'src/deep/b.ts'];
  const COMPLETED: [what: string, typed: string, expected: string[]][] = [
    ['what begins so', 'l', ['logo.png']],
    ['folders with a slash, and on into a single one', 's', ['src/a.ts', 'src/deep/']],
    ['what lies in a folder', 'src/deep/', ['src/deep/b.ts']],
    ['all', '', ['LICENSE', 'logo.png', 'src/']],
    ['nothing', 'x', []],
  ];
  for (const [what, typed, expected] of COMPLETED)
    it(`gives ${what}`, async () =>
      assert.deepEqual(await complete(typed, TREE), {
        ...{ values: expected, total: expected.length, hasMore: false },
      }));

  it('gives files that hold the text, behind what begins with it: names before paths, beginnings before the rest', async () => {
    const files = ['lib/Log.ts', 'src/blog.ts', 'logs/a.ts', 'src/logs/b.ts', 'src/z/log', 'logo.png'];
    const listed = files.map((named) => ({ named, uriPath: `/${named}` }) as ListedFile);
    const found = async (typed: string) =>
      (await completePath(typed, listed, ({ uriPath }) => uriPath.slice(1), CALL.signal)).values;
    const others = ['src/z/log', 'lib/Log.ts', 'logs/a.ts', 'src/blog.ts', 'src/logs/b.ts'];
    assert.deepEqual(await found('log'), ['logo.png', 'logs/', ...others]);
    assert.deepEqual(await found('LIB/lo'), ['lib/Log.ts']);
    assert.deepEqual(await found('bolg'), []);
  });

  const NAMES = ['a%41.txt', 'aA.txt', 'a#.txt', 'a?b', 'a b.txt', 'ä.txt', '50%/x.txt', '50%/y%.txt'];
  const ENCODED: [what: string, typed: string, expected: string[]][] = [
    [
      'what a URI would take for something else',
      '',
      ['50%25/', 'a b.txt', 'a%23.txt', 'a%2541.txt', 'a%3Fb', 'aA.txt', 'ä.txt'],
    ],
    ['what is begun by its own values', 'a%2541', ['a%2541.txt']],
    ['what is begun by half an escape', 'a%2', ['a%23.txt', 'a%2541.txt']],
    ['what is begun by a bare percent sign', 'a%', ['a%23.txt', 'a%2541.txt', 'a%3Fb']],
    ['what is begun by the name', 'a#.t', ['a%23.txt']],
    ['what is begun by a name with a question mark', 'a?', ['a%3Fb']],
    ['what is begun by a name with a percent sign', '50%/', ['50%25/x.txt', '50%25/y%25.txt']],
    ['what is begun by two bare percent signs', '50%/y%', ['50%25/y%25.txt']],
    ['what is begun by any other escapes', '%61%20', ['a b.txt']],
    ['what is begun by escapes in lower case', '%c3%a4', ['ä.txt']],
    ['what is begun by half an escape in lower case', 'a%3f', ['a%3Fb']],
  ];
  for (const [what, typed, expected] of ENCODED)
    it(`gives values that the template keeps as they are: ${what}`, async () =>
      assert.deepEqual((await complete(typed, NAMES)).values, expected));

  it('gives 100 at most, and says how many there are', async () => {
    const found = await complete('', Array.from(Array(130).keys(), String));
    assert.deepEqual([found.values.length, found.total, found.hasMore], [100, 130, true]);
  });
});
