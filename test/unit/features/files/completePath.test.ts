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
  it('gives what begins so, folders with a slash, and on into a single one', async () => {
    for (const [typed, ...values] of [
      ['l', 'logo.png'],
      ['s', 'src/a.ts', 'src/deep/'],
      ['src/deep/', 'src/deep/b.ts'],
      ['', 'LICENSE', 'logo.png', 'src/'],
      ['x'],
    ] as [string, ...string[]][])
      assert.deepEqual(await complete(typed, TREE), { values, total: values.length, hasMore: false });
  });

  it('gives files that hold the text, behind what begins with it: names before paths, beginnings before the rest', async () => {
    const files = ['lib/Log.ts', 'src/blog.ts', 'logs/a.ts', 'src/logs/b.ts', 'src/z/log', 'logo.png'];
    const listed = files.map((named) => ({ named, uriPath: `/${named}` }) as ListedFile);
    const found = async (typed: string) =>
      (await completePath(typed, listed, ({ uriPath }) => uriPath.slice(1), CALL.signal)).values;
    const others = ['src/z/log', 'lib/Log.ts', 'logs/a.ts', 'src/blog.ts', 'src/logs/b.ts'];
    assert.deepEqual(await found('log'), ['logo.png', 'logs/', ...others]);
    assert.deepEqual(await found('LIB/lo'), ['lib/Log.ts']);
  });

  const NAMES = ['a%41.txt', 'aA.txt', 'a#.txt', 'a?b', 'a b.txt', 'ä.txt', '50%/x.txt', '50%/y%.txt'];
  it('gives values that the template keeps as they are, whether they are begun by names, escapes or half of one', async () => {
    for (const [typed, ...expected] of [
      ['', '50%25/', 'a b.txt', 'a%23.txt', 'a%2541.txt', 'a%3Fb', 'aA.txt', 'ä.txt'],
      ['a%2541', 'a%2541.txt'],
      ['a%2', 'a%23.txt', 'a%2541.txt'],
      ['a%', 'a%23.txt', 'a%2541.txt', 'a%3Fb'],
      ['a#.t', 'a%23.txt'],
      ['a?', 'a%3Fb'],
      ['50%/', '50%25/x.txt', '50%25/y%25.txt'],
      ['50%/y%', '50%25/y%25.txt'],
      ['%61%20', 'a b.txt'],
      ['%c3%a4', 'ä.txt'],
      ['a%3f', 'a%3Fb'],
    ] as [string, ...string[]][])
      assert.deepEqual((await complete(typed, NAMES)).values, expected);
  });

  it('gives 100 at most, and says how many there are', async () => {
    const found = await complete('', Array.from(Array(130).keys(), String));
    assert.deepEqual([found.values.length, found.total, found.hasMore], [100, 130, true]);
  });
});
