import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newSocketPath, type SocketPlace } from '../../../src/ipc/socketPath.ts';
import { onPosix, useDirectory } from '../../temporary.ts';

describe('ipc/socketPath', () => {
  const base = useDirectory();
  let place: SocketPlace;
  beforeEach(() => {
    mkdirSync(join(base.path, 'run'));
    const uid = process.getuid?.();
    const [env, home] = [{ XDG_RUNTIME_DIR: join(base.path, 'run') }, join(base.path, 'home')];
    place = { env, platform: 'linux', tmpdir: base.path, home, uid };
  });

  const directory = (more: Partial<SocketPlace> = {}): string =>
    dirname(newSocketPath({ ...place, ...more }));
  const temporary = (): string => join(base.path, `workspace-mcp-${place.uid}`);

  onPosix('lies in the runtime directory, in one of the user alone', () => {
    assert.equal(directory(), join(base.path, 'run', 'workspace-mcp'));
    assert.equal(statSync(directory()).mode & 0o777, 0o700);
    assert.notEqual(newSocketPath(place), newSocketPath(place));
  });

  onPosix('lies in the temporary directory where the runtime one cannot be used', () => {
    writeFileSync(join(base.path, 'file'), '');
    const long = join(base.path, 'x'.repeat(100));
    mkdirSync(long);
    for (const runtime of [undefined, '', join(base.path, 'missing'), join(base.path, 'file'), long])
      assert.equal(directory({ env: { XDG_RUNTIME_DIR: runtime } }), temporary(), runtime);
    assert.equal(statSync(temporary()).mode & 0o777, 0o700);
  });

  onPosix('lies in the state directory where another user has taken its place in the temporary one', () => {
    const uid = 4_000_000_000; // of the user, to whom nothing here belongs
    const refused = () => directory({ env: {}, uid });
    assert.throws(refused, /workspace-mcp-4000000000: it belongs to user.*home\/sockets/s);
    writeFileSync(temporary(), '');
    assert.equal(directory({ env: {} }), join(base.path, 'home', 'sockets'));
    assert.equal(statSync(join(base.path, 'home', 'sockets')).mode & 0o777, 0o700);
  });

  onPosix('is at most 107 bytes long on Linux and 103 on macOS', () => {
    const parts = '/workspace-mcp/'.length + basename(newSocketPath(place)).length;
    const runtime = `${base.path}/`.padEnd(107 - parts, 'x');
    mkdirSync(runtime, { recursive: true });
    const env = { XDG_RUNTIME_DIR: runtime };
    assert.equal(Buffer.byteLength(newSocketPath({ ...place, env })), 107);
    assert.equal(directory({ env, platform: 'darwin' }), temporary());
  });

  onPosix('says what is wrong when no directory will do', () => {
    const tmpdir = join(base.path, 'é'.repeat(60));
    assert.throws(
      () => directory({ env: {}, tmpdir, home: tmpdir }),
      /No directory can be used for the server's socket.*longer than .*\(107 bytes\).*Set TMPDIR/s,
    );
  });

  it('is a pipe with a random name on Windows', () => {
    const path = newSocketPath({ ...place, platform: 'win32', uid: undefined });
    assert.match(path, /^\\\\\.\\pipe\\workspace-mcp-[0-9a-f]{32}$/);
    assert.notEqual(newSocketPath({ ...place, platform: 'win32', uid: undefined }), path);
  });
});
