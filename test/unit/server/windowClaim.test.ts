import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, hostId } from '../../../src/ipc/machine.ts';
import { isWindowId, newToken, windowsDirectory, writeRecord } from '../../../src/ipc/windowRecord.ts';
import { claimWindowId, windowIdFrom } from '../../../src/server/windowClaim.ts';
import { record } from '../shim/records.ts';
import { openWindow, socketPathIn, temporaryDirectory } from './support.ts';

describe('server/windowClaim', () => {
  let home: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    home = temporaryDirectory();
  });
  afterEach(() => home.remove());

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
      assert.deepEqual(
        claims.map(({ id }) => id).filter((id) => id === 'a'),
        ['a'],
      );
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

  it('refuses an invalid id before a path is built from it', async () => {
    await assert.rejects(claimWindowId(home.path, '../x', newToken()), /"\.\.\/x" is not a window id/);
  });
});
