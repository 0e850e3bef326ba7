import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Listing } from '../../../../src/workspace/list/listing.ts';
import { slashed } from '../../../../src/workspace/read/displayPath.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks } from '../../../temporary.ts';
import { cleanUp, folderWith, openWindow } from '../openWindow.ts';

const FILES =
  '.git/config mod/.git a.ts a.log dist/x.js node_modules/deep/er/x.js sub/dist/y.js sub/keep.log sub/b.log sub/made/z.js sub/made.ts quiet/x';
const TREE: Record<string, string> = {
  ...Object.fromEntries(FILES.split(' ').map((path) => [path, ''])),
  '.gitignore': 'node_modules/\n*.log\n/dist\n',
  'node_modules/.gitignore': '!*\n',
  'sub/.gitignore': '!keep.log\nmade\n',
  'quiet/.gitignore': '*\n',
};
const LISTED = ['.gitignore', 'a.ts', 'sub/.gitignore', 'sub/dist/y.js', 'sub/keep.log', 'sub/made.ts'];

function open(tree: Record<string, string | Buffer> = TREE, user: Record<string, unknown> = {}) {
  const path = folderWith(tree);
  const { fake } = openWindow({ folders: [{ path, name: 'ws', scheme: 'virtual' }], user });
  const listing = new Listing(fake.api);
  const namesOf = async (one: Listing) => [...(await one.files())].map((file) => file.path).sort();
  return {
    path,
    fake,
    listing,
    names: () => namesOf(listing),
    /** As ripgrep has it on the disk. */
    namesByRipgrep: () => namesOf(openWindow({ folders: [path], user }).window.listing),
  };
}

describe('workspace/list/virtualFiles', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('leaves out what .gitignore files do, as ripgrep does, reads those alone, and enters nothing ignored', async () => {
    const { path, fake, names, namesByRipgrep } = open();
    assert.deepEqual(await names(), LISTED);
    const read = fake.fileSystem.read.map((one) => slashed(relative(path, one)));
    assert.equal(read.sort().join(' '), ' .gitignore mod quiet quiet/.gitignore sub sub/.gitignore sub/dist');
    assert.deepEqual(await namesByRipgrep(), LISTED);
  });

  it('counts rules also where the settings leave out their files, and never lists the inside of a repository', async () => {
    const { names } = open(TREE, { 'files.exclude': { '**/.gitignore': true, '**/.git': false } });
    assert.deepEqual(
      await names(),
      LISTED.filter((name) => !name.endsWith('.gitignore')),
    );
  });

  it('goes without rules that are huge, that cannot be read, or that are a folder', async () => {
    const { names, fake } = open({
      ...{ 'big/.gitignore': `x\n${'#'.repeat(1024 * 1024)}`, 'big/x': '' },
      ...{ 'bad/.gitignore': 'x\n', 'bad/x': '' },
      ...{ 'good/.gitignore': 'x\n', 'good/x': '' },
      'folder/.gitignore/y': '',
    });
    fake.fileSystem.beforeReading = async (path) => {
      if (slashed(path).endsWith('bad/.gitignore')) throw new Error('not yours');
      assert.ok(!slashed(path).includes('/big/'), 'not even read');
    };
    const expected = 'bad/.gitignore bad/x big/.gitignore big/x folder/.gitignore/y good/.gitignore';
    assert.equal((await names()).join(' '), expected);
  });

  it('takes rules as they are saved, and does not wait forever for them', async () => {
    const { path, names, fake } = open();
    fake.person.loads(join(path, '.gitignore'), '*\n');
    assert.deepEqual(await names(), LISTED);
    const slow = open();
    slow.fake.fileSystem.beforeReading = () => new Promise(() => {});
    assert.ok((await clock.settle(slow.names(), 5_000)).includes('node_modules/deep/er/x.js'));
  });

  itWithLinks('takes rules through a link, and lists none', async () => {
    const { path, names, namesByRipgrep } = open({ a: '', b: '', rules: 'a\n', 'sub/c': '' });
    symlinkSync(join(path, 'rules'), join(path, '.gitignore'));
    symlinkSync(join(path, 'sub'), join(path, 'link'));
    assert.deepEqual(await names(), ['b', 'rules', 'sub/c']);
    assert.deepEqual(await namesByRipgrep(), ['b', 'rules', 'sub/c']);
  });

  it('takes the same on the disk where VS Code brings no ripgrep', async () => {
    const { window } = openWindow({ folders: [folderWith(TREE)], appRoot: '/no/ripgrep' });
    assert.deepEqual([...(await window.listing.files())].map(({ path }) => path).sort(), LISTED);
  });
});
