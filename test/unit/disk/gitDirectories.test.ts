import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainAccess } from '../../../src/workspace/explainAccess.ts';
import { holdClock } from '../../fakes/clock.ts';
import { cleanUp, find, folderWith, listed, openWindow, real, write } from '../workspace/openWindow.ts';

/** How long what was seen is believed, in milliseconds. */
const BELIEVED = 1_000;

function git(cwd: string, ...args: string[]): void {
  const settings = ['user.name=a', 'user.email=a@b', 'protocol.file.allow=always'];
  execFileSync('git', [...settings.flatMap((one) => ['-c', one]), ...args], { cwd, stdio: 'ignore' });
}

/** A repository whose Git directory is `.bare`. */
function bareClone(): string {
  const ws = folderWith({ 'origin/a.txt': 'a\n' });
  const origin = join(ws, 'origin');
  git(origin, 'init', '--initial-branch=main');
  git(origin, 'add', '.');
  git(origin, 'commit', '--message=a');
  git(ws, 'clone', '--bare', 'origin', 'ws/.bare');
  writeFileSync(join(ws, 'ws/.git'), 'gitdir: ./.bare\n');
  return real(ws, 'ws');
}

describe('disk/gitDirectories: Git directories by other names', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  async function assertClosed(root: string, folder: string, file: string): Promise<void> {
    assert.ok(readFileSync(join(root, folder, file)));
    const { files, fake } = openWindow({ folders: [root] });
    for (const path of [`${folder}/${file}`, folder, `${folder}/none`])
      await assert.rejects(files.locate(path), /is closed to agents/);
    const shown = [...(await listed(files)), ...(await find(files, { query: '.', isRegex: true }))];
    assert.ok(!shown.some((path) => path.startsWith(folder)), `${shown}`);
    const { closed } = await explainAccess(fake.api, [], `${folder}/${file}`);
    assert.match(closed?.reason.by === 'secret' ? closed.reason.reason : '', /^Version control/);
  }

  it('closes that of a bare clone, and of its worktrees', async () => {
    const ws = bareClone();
    git(ws, 'worktree', 'add', 'main', 'main');
    await assertClosed(ws, '.bare', 'config');
    await assertClosed(ws, '.bare/worktrees/main', 'HEAD');
    assert.deepEqual(await listed(openWindow({ folders: [ws] }).files), ['main/a.txt']);
  });

  it('closes that of a submodule whose repository keeps it elsewhere', async () => {
    const ws = folderWith({ 'b.txt': '' });
    git(ws, 'init', '--separate-git-dir=store');
    git(ws, 'submodule', 'add', join(bareClone(), '.bare'), 'sub');
    await assertClosed(ws, 'store', 'config');
    await assertClosed(ws, 'store/modules/sub', 'config');
  });

  it('closes what a `.git` file and `commondir` name, even if parts are missing', async () => {
    const ws = folderWith({
      'main/.git': 'gitdir: ../one\n',
      'main/a.txt': '',
      'one/HEAD': 'ref: refs/heads/main\n',
      'one/commondir': '../common\n',
      'common/config': '',
      'common/hooks/pre-commit': '',
    });
    const { files } = openWindow({ folders: [ws] });
    await files.locate('main/a.txt');
    for (const path of ['one/HEAD', 'common/config', 'common/hooks/pre-commit'])
      await assert.rejects(files.locate(path), /is closed to agents/, path);
  });

  it('leaves worktrees open that lie in a bare repository', async () => {
    const ws = bareClone();
    git(join(ws, '.bare'), 'worktree', 'add', 'main', 'main');
    const { files } = openWindow({ folders: [join(ws, '.bare/main')] });
    assert.deepEqual(await listed(files), ['a.txt']);
    assert.equal((await files.read(await files.locate('a.txt'))).kind, 'text');
    await assertClosed(ws, '.bare', 'config');
  });

  it('leaves folders open that have some of the names', async () => {
    const paths = ['HEAD/d', 'src/config/c.ts', 'src/objects/a.ts', 'src/refs/b.ts'];
    const { files } = openWindow({
      folders: [folderWith(Object.fromEntries(paths.map((path) => [path, ''])))],
    });
    assert.deepEqual(await listed(files), paths);
    await files.locate('src/objects/a.ts');
  });

  it('sees when a folder becomes one, and when it is none any more', async () => {
    const ws = folderWith({ 'x/config': '' });
    const { files } = openWindow({ folders: [ws] });
    await files.locate('x/config');
    for (const name of ['objects', 'refs']) mkdirSync(join(ws, 'x', name));
    write(join(ws, 'x/HEAD'), 'ref: refs/heads/main\n');
    await clock.pass(BELIEVED);
    await assert.rejects(files.locate('x/config'), /is closed to agents/);
    renameSync(join(ws, 'x/objects'), join(ws, 'x/things'));
    await clock.pass(BELIEVED);
    await files.locate('x/config');
  });
});
