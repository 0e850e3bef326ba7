import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machinePrefix } from '../../../src/ipc/socketPath.ts';
import {
  bootId,
  hostId,
  isWindowId,
  newToken,
  windowsDirectory,
  writeRecord,
} from '../../../src/ipc/windowRecord.ts';
import { claimWindowId, removeStaleWindows, windowIdFrom } from '../../../src/server/windowClaim.ts';
import { onPosix, useDirectory } from '../../temporary.ts';
import { record } from '../shim/records.ts';
import { openWindow, socketPathIn } from './support.ts';

describe('server/windowClaim', () => {
  const home = useDirectory();

  const claim = (token = newToken()): ReturnType<typeof claimWindowId> =>
    claimWindowId(home.path, 'a', token);
  const locks = (): string[] =>
    readdirSync(windowsDirectory(home.path)).filter((name) => name.includes('.lock'));

  /** A lock on "a", and a record behind it where nothing listens. */
  function crashedWindow(fields: { host?: string; bootId?: string } = {}): void {
    const token = newToken();
    const socketPath = socketPathIn(home.path);
    writeRecord(home.path, record({ token, socketPath, host: hostId(), bootId: bootId(), ...fields }));
    writeFileSync(join(windowsDirectory(home.path), 'a.lock'), token);
  }

  it('makes the same id of the same storage, a random one without', () => {
    assert.equal(windowIdFrom('file:///storage/1'), windowIdFrom('file:///storage/1'));
    assert.notEqual(windowIdFrom('file:///storage/1'), windowIdFrom('file:///storage/1-1'));
    assert.notEqual(windowIdFrom(undefined), windowIdFrom(undefined));
    for (const uri of ['file:///storage/1', undefined]) assert.equal(isWindowId(windowIdFrom(uri)), true);
  });

  it('holds the id until it is released', async () => {
    const first = await claim();
    assert.deepEqual([first.id, first.isHeld()], ['a', true]);
    first.release();
    assert.equal(first.isHeld(), false);
    assert.equal((await claim()).id, 'a');
  });

  it('leaves the id to a window that answers', async () => {
    const token = newToken();
    await claim(token);
    const window = await openWindow(home.path, { id: 'a', token });
    assert.equal((await claim()).id, 'a-2');
    window.close();
  });

  it('takes the id over once from a window that is dead, on this boot or an earlier one', async () => {
    for (const fields of [{}, { bootId: 'earlier' }]) {
      crashedWindow(fields);
      const successor = await claim();
      assert.equal(successor.id, 'a');
      assert.notEqual((await claim()).id, 'a', 'the record is not taken for that of the successor');
      assert.equal(successor.isHeld(), true);
    }
  });

  it('takes the id over from a window whose workbench no longer answers', async () => {
    const token = newToken();
    const ghost = await claim(token);
    const window = await openWindow(home.path, { id: 'a', token }, { isResponsive: async () => false });
    const successor = await claim();
    assert.deepEqual([successor.id, successor.isHeld(), ghost.isHeld()], ['a', true, false]);
    ghost.release();
    assert.equal(successor.isHeld(), true);
    window.close();
  });

  it('gives windows that start at the same moment different ids, of which one takes a dead one over', async () => {
    for (const leavesOne of [false, true]) {
      if (leavesOne) crashedWindow();
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim()));
      const shown = claims.map(({ id }) => id).filter((id) => id === 'a');
      assert.deepEqual(shown, ['a']);
      assert.equal(new Set(claims.map(({ id }) => id)).size, 8);
      for (const one of claims) one.release();
    }
  });

  it('leaves the id to a window of another machine, which cannot be asked', async () => {
    crashedWindow({ host: 'another-machine' });
    assert.equal((await claim()).id, 'a-2');
  });

  it('leaves the id to a window that is just starting, but not to one that died on the way', async () => {
    mkdirSync(windowsDirectory(home.path));
    const lock = join(windowsDirectory(home.path), 'a.lock');
    writeFileSync(lock, newToken());
    assert.equal((await claim()).id, 'a-2');
    utimesSync(lock, 0, 0);
    assert.equal((await claim()).id, 'a');
  });

  it('leaves nothing behind', async () => {
    crashedWindow();
    const claims = await Promise.all([claim(), claim(), claim()]);
    for (const one of claims) one.release();
    assert.deepEqual(locks(), []);
  });

  it('refuses an invalid id before a path is built from it', async () =>
    await assert.rejects(claimWindowId(home.path, '../x', newToken()), /"\.\.\/x" is not a window id/));
});

describe('server/windowClaim: windows that crashed', () => {
  const home = useDirectory();

  const sweep = (): Promise<void> => removeStaleWindows(home.path, join(home.path, 'ours.sock'));
  const left = (): string[] => readdirSync(windowsDirectory(home.path)).sort();
  const machine = { host: hostId(), bootId: bootId() };

  it('removes the record and the lock of a window that crashed', async () => {
    const token = newToken();
    await claimWindowId(home.path, 'a', token);
    writeRecord(home.path, record({ token, socketPath: socketPathIn(home.path), ...machine }));
    assert.deepEqual(left(), ['a.json', 'a.lock']);
    await sweep();
    assert.deepEqual(left(), []);
  });

  onPosix('removes its socket with it, however young, but no other file that a record names', async () => {
    const [socket, other] = [`${machinePrefix()}1.sock`, 'other.txt'].map((name) =>
      join(home.path, name),
    ) as [string, string];
    for (const [id, socketPath] of [
      ['a', socket],
      ['b', other],
    ] as const) {
      writeFileSync(socketPath, '');
      writeRecord(home.path, record({ id, token: newToken(), socketPath, ...machine }));
    }
    await sweep();
    assert.deepEqual(left(), []);
    assert.deepEqual([existsSync(socket), existsSync(other)], [false, true]);
  });

  it('keeps windows that listen, and those of another machine or boot', async () => {
    const window = await openWindow(home.path, { id: 'live' });
    writeRecord(home.path, record({ ...machine, id: 'host', host: 'another-machine' }));
    writeRecord(home.path, record({ ...machine, id: 'boot', bootId: 'earlier' }));
    await sweep();
    assert.deepEqual(left(), ['boot.json', 'host.json', 'live.json']);
    window.close();
  });

  onPosix('removes old sockets that refuse, and no others', async () => {
    /** A socket file with nobody behind it: moved away, so that its listener does not remove it. */
    const leave = async (name: string): Promise<void> => {
      const window = await openWindow(home.path, { id: 'b' });
      renameSync(window.record.socketPath, join(home.path, name));
      window.close();
    };
    const [old, young, foreign] = [`${machinePrefix()}1.sock`, `${machinePrefix()}2.sock`, 'other-3.sock'];
    const socketPath = join(home.path, `${machinePrefix()}4.sock`);
    for (const name of [old, young, foreign]) await leave(name);
    const window = await openWindow(home.path, { id: 'live', socketPath });
    for (const name of [old, foreign, `${machinePrefix()}4.sock`]) utimesSync(join(home.path, name), 0, 0);
    await sweep();
    const sockets = readdirSync(home.path).filter((name) => name.endsWith('.sock'));
    assert.deepEqual(sockets.sort(), [young, foreign, `${machinePrefix()}4.sock`].sort());
    window.close();
  });
});
