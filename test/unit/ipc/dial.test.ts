import assert from 'node:assert/strict';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { openWindows } from '../../../src/ipc/dial.ts';
import { readRecords, type WindowRecord, writeRecord } from '../../../src/ipc/windowRecord.ts';
import type { ListenerOptions } from '../../../src/server/listener.ts';
import { holdClock } from '../../fakes/clock.ts';
import { useDirectory } from '../../temporary.ts';
import { openImpostor, openUntilEnd, socketPathIn } from '../server/support.ts';
import { record } from '../shim/records.ts';

describe('ipc/dial: open windows', () => {
  const clock = holdClock();
  const home = useDirectory();

  const open = (fields: Partial<WindowRecord>, options: Partial<ListenerOptions> = {}) =>
    openUntilEnd(home, fields, options);

  it('lists the windows that answer, last focused first, without their secrets', async () => {
    const workspaceFolders = [
      { uri: pathToFileURL(home.path).href, name: 'ws' },
      { uri: 'vscode-vfs://github/o/r', name: 'r' },
    ];
    const one = await open({ id: 'one', focusedAt: 1, trusted: false, workspaceFolders: [] });
    const two = await open({ id: 'two', focusedAt: 2, ideName: 'Code', ideVersion: '1', workspaceFolders });
    await open({ id: 'stuck', focusedAt: 3 }, { isResponsive: async () => false });
    writeRecord(home.path, record({ id: 'dead', socketPath: socketPathIn(home.path) }));
    const socketPath = socketPathIn(home.path);
    const { server } = await openImpostor(socketPath, '{"workspaceMcp":1,"nonce":"","proof":""}');
    writeRecord(home.path, record({ id: 'forged', socketPath }));
    const windows = await openWindows(readRecords(home.path), 'one');
    server.close();
    await once(server, 'close');
    assert.deepEqual(windows.map(({ id }) => id).join(), 'two,one');
    assert.partialDeepStrictEqual(windows[1], { isThis: true, trusted: false });
    assert.deepEqual(windows[0], {
      id: 'two',
      folders: [
        { name: 'ws', path: home.path },
        { name: 'r', path: 'vscode-vfs://github/o/r' },
      ],
      ide: 'Code 1',
      trusted: two.record.trusted,
      focusedAt: 2,
      isThis: false,
    });
    for (const { record } of [one, two])
      for (const secret of [record.token, record.socketPath])
        assert.ok(!JSON.stringify(windows).includes(secret));
  });

  it('does not ask itself, and waits for no one for long', async () => {
    await open({ id: 'this' }, { isResponsive: async () => false });
    await open({ id: 'silent' }, { isResponsive: () => new Promise(() => {}) });
    const opening = openWindows(readRecords(home.path), 'this');
    await clock.passWait(3_000);
    assert.equal((await opening).map(({ id }) => id).join(), 'this');
  });
});
