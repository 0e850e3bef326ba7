import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, hostId } from '../../../src/ipc/machine.ts';
import { machinePrefix } from '../../../src/ipc/socketPath.ts';
import { newToken, windowsDirectory, writeRecord } from '../../../src/ipc/windowRecord.ts';
import { removeStaleWindows } from '../../../src/server/staleWindows.ts';
import { claimWindowId } from '../../../src/server/windowClaim.ts';
import { record } from '../shim/records.ts';
import { onPosix, openWindow, socketPathIn, temporaryDirectory } from './support.ts';

describe('server/staleWindows', () => {
  let home: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    home = temporaryDirectory();
  });
  afterEach(() => home.remove());

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
