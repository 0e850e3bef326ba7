import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { directoryProblem, makePrivateDirectory } from '../../../src/ipc/privateDirectory.ts';
import { prepareStateDirectory } from '../../../src/server/serverRun.ts';
import { onPosix, useDirectory } from '../../temporary.ts';

describe('server/serverRun: the state directory', () => {
  const base = useDirectory();
  const home = (): string => join(base.path, 'state');

  it('creates the directory for the user alone, and takes it the next time', function () {
    assert.equal(directoryProblem(home(), 1), undefined);
    prepareStateDirectory(home(), []);
    prepareStateDirectory(home(), [join(base.path, 'ws')]);
    if (process.platform === 'win32') this.skip();
    assert.equal(statSync(home()).mode & 0o777, 0o700);
  });

  onPosix('refuses a link, and one that others can read, and says what to do', () => {
    mkdirSync(join(base.path, 'real'), { mode: 0o700 });
    symlinkSync('real', home());
    assert.throws(() => prepareStateDirectory(home(), []), /it is a symbolic link/);
    chmodSync(join(base.path, 'real'), 0o755);
    const readable = () => prepareStateDirectory(join(base.path, 'real'), []);
    assert.throws(readable, /its mode is 0755, not 0700\. Run: chmod 700/);
  });

  it('refuses a file and a path below a file, and says what to do', () => {
    writeFileSync(home(), '');
    assert.throws(() => prepareStateDirectory(home(), []), /it is not a directory\. Remove it/);
    const below = () => prepareStateDirectory(join(home(), 'state'), []);
    if (process.platform === 'win32') assert.throws(below);
    else assert.throws(below, /There is a file where a directory is needed\. Move it away\. \(ENOTDIR/);
  });

  onPosix("refuses another user's", () => {
    const uid = statSync(base.path).uid;
    assert.throws(() => makePrivateDirectory(base.path, uid + 1), new RegExp(`belongs to user ${uid}, not`));
  });

  it('refuses one in a workspace folder, before it is created', () => {
    assert.throws(() => prepareStateDirectory(home(), ['/other', base.path]), /inside the workspace folder/);
    assert.throws(() => prepareStateDirectory(home(), [home()]), /Set WORKSPACE_MCP_HOME/);
    assert.equal(existsSync(home()), false);
  });

  onPosix('refuses one that is in a workspace folder through a link on either side', () => {
    mkdirSync(join(base.path, 'ws'));
    symlinkSync('ws', join(base.path, 'link'));
    const [real, link] = [join(base.path, 'ws'), join(base.path, 'link')];
    assert.throws(() => prepareStateDirectory(join(link, 'state'), [real]), /inside the workspace folder/);
    assert.throws(() => prepareStateDirectory(join(real, 'state'), [link]), /inside the workspace folder/);
  });

  it('takes one beside a workspace folder of a similar name, or a missing one', () => {
    prepareStateDirectory(home(), [join(base.path, 'sta'), join(base.path, 'state2'), '/missing']);
    assert.ok(existsSync(home()));
  });
});
