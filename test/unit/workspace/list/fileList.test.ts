import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { FileList } from '../../../../src/workspace/list/fileList.ts';
import { cleanUp, folderWith, openWindow } from '../openWindow.ts';

describe('workspace/list/fileList', () => {
  afterEach(cleanUp);

  /** Folders in one another, beside one another, and one whose name begins like another's. */
  async function nested() {
    const paths = ['a/0', 'a/b/1', 'a/b/c/2', 'a/b.d/3', 'a/z', 'ab/4', 'empty/in/5'];
    const root = folderWith(Object.fromEntries(paths.map((path) => [path, ''])));
    const folders = ['ab', 'a/b/c', 'a', 'empty/in', 'a/b', 'empty'].map((path) => join(root, path));
    const { window, fake } = openWindow({ folders, appRoot: '/no/ripgrep' });
    const list = await window.listing.files();
    return { list, uri: (path: string) => fake.api.Uri.file(join(root, path)).toString() };
  }

  it('is in the order of URIs, with each file once, wherever one begins', async () => {
    const { list, uri } = await nested();
    const keys = ['a/0', 'a/b.d/3', 'a/b/1', 'a/b/c/2', 'a/z', 'ab/4', 'empty/in/5'].map(uri);
    const keysOf = (files: Iterable<{ key: string }>) => [...files].map(({ key }) => key);
    assert.deepEqual(keysOf(list), keys);
    const starts = ['', 'z', ...['', 'a', 'a/b', 'b'].map(uri), ...keys, ...keys.map((key) => `${key}x`)];
    for (const start of starts) {
      const [from, after] = [list.from(start), list.after(start)].map((files) => keysOf(files).join());
      assert.equal(from, keys.filter((key) => key >= start).join(), start);
      assert.equal(after, keys.filter((key) => key > start).join(), start);
      assert.equal(list.has(start), keys.includes(start));
    }
  });

  it('has only what its judge lets pass, and asks it once', async () => {
    const { list, uri } = await nested();
    const asked: string[] = [];
    const judged = list.judgedBy(({ key }) => {
      asked.push(key);
      return key.endsWith('1') || key.endsWith('4');
    });
    for (let count = 0; count < 2; count++) {
      const some = judged.filter(({ inside }) => inside !== '4').map(({ key }) => basename(key));
      assert.equal(some.join(), '1');
      assert.equal([...judged].map(({ key }) => key).join(), [uri('a/b/1'), uri('ab/4')].join());
    }
    assert.deepEqual([judged.count, asked.length], [2, 7]);
    assert.deepEqual([judged.has(uri('a/b/1')), judged.has(uri('a/0'))], [true, false]);
  });

  it('tells what differs from another list', async () => {
    const { list } = await nested();
    const parts = list.parts.map((part) => ({ ...part, tails: part.tails.filter((tail) => tail !== '1') }));
    const names = new FileList(parts).differencesFrom(list).map(({ key }) => basename(key));
    assert.deepEqual([names, list.differencesFrom(list)], [['1'], []]);
  });
});
