import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { newNonce } from '../../../../src/ipc/preamble.ts';
import { recordPath, type WindowRecord, writeRecord } from '../../../../src/ipc/windowRecord.ts';
import { Finder, type LookResult } from '../../../../src/shim/window/finder.ts';
import type { WindowQuery } from '../../../../src/shim/window/windowQuery.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { onPosix, useDirectory } from '../../../temporary.ts';
import { openImpostor, openUntilEnd, socketPathIn } from '../../server/support.ts';
import { windowOf } from '../records.ts';

const folders = [{ uri: 'file:///ws', name: 'ws' }];
const silent = { isResponsive: async () => false };

describe('shim/window/finder', () => {
  const clock = holdClock();
  const home = useDirectory();
  let finder: Finder;

  const open = (fields: Partial<WindowRecord>, options = {}) => openUntilEnd(home, fields, options);
  const openWs = (id: string, fields = {}) => open({ id, workspaceFolders: folders, ...fields });
  /** A crashed window has left its record. */
  const leave = (fields: Partial<WindowRecord>) =>
    writeRecord(home.path, windowOf('gone', ['/ws'], { socketPath: socketPathIn(home.path), ...fields }));
  const finderFor = (query: Partial<WindowQuery> = {}): Finder =>
    new Finder(
      home.path,
      { cwd: '/ws', platform: 'linux', realpath: (path) => path, ...query },
      { cwd: '/ws', version: '1.0.0' },
    );

  /** The id of the window that was entered, or why none was. */
  const said = (found: LookResult): string => {
    if (found.kind === 'none') return found.message;
    home.atEnd(() => found.connection.socket.destroy());
    return found.connection.record.id;
  };

  beforeEach(() => {
    finder = finderFor();
  });

  it('tells of a record that comes, without being asked', async () => {
    writeRecord(home.path, windowOf('a', ['/ws']));
    await new Promise<void>((resolve) => {
      const watching = finder.watch(() => {
        watching.dispose();
        resolve();
      });
      writeRecord(home.path, windowOf('b', ['/ws']));
    });
  });

  it('finds none where nothing was ever started, not even a directory', async () => {
    finder.watch(() => {}).dispose();
    assert.match(said(await finder.look()), /No VS Code window on this machine has a running/);
  });

  it('passes over records that nothing listens at, and what later versions add to one', async () => {
    leave({ focusedAt: 9 });
    await openWs('b', { later: true });
    assert.equal(said(await finder.look()), 'b');
  });

  it('prefers the window whose workbench answers, among equals', async () => {
    const ghost = await open({ id: 'a', focusedAt: 9, workspaceFolders: folders }, silent);
    const live = await open({ id: 'b', focusedAt: 1, workspaceFolders: folders });
    assert.equal(said(await finder.look()), 'b');
    assert.deepEqual([ghost.sockets.length, live.sockets.length], [0, 1]);
  });

  it('stays with the folder when its only window does not answer at the moment', async () => {
    await open({ id: 'a', workspaceFolders: folders }, silent);
    await open({ id: 'b', workspaceFolders: [{ uri: 'file:///', name: '/' }] });
    assert.equal(said(await finder.look()), 'a');
  });

  it('takes none of two matching windows', async () => {
    const one = await openWs('a', { focusedAt: 1 });
    const two = await openWs('b', { focusedAt: 2 });
    await open({ id: 'c' });
    assert.equal(
      said(await finder.look()),
      [
        'Several VS Code windows match:',
        '  b  Visual Studio Code: /ws',
        '  a  Visual Studio Code: /ws',
        'Other open windows:',
        '  c  Visual Studio Code: no folder',
        'Pick one with the tool select_window (by call_tool if your list lacks it; without a window it describes them), start the agent in the terminal of one, or start it with --window ID.',
      ].join('\n'),
    );
    assert.deepEqual([one.sockets.length, two.sockets.length], [0, 0]);
  });

  it('takes the only window that is open, although crashed ones have left records', async () => {
    leave({ workspaceFolders: [] });
    await open({ id: 'b' });
    assert.equal(said(await finder.look()), 'b');
  });

  it('lists the windows that are open when none matches', async () => {
    leave({ workspaceFolders: [{ uri: 'file:///gone', name: '' }] });
    await open({ id: 'b', workspaceFolders: [{ uri: 'file:///x%20y', name: 'x' }] });
    await open({ id: 'c' });
    assert.equal(
      said(await finder.look()),
      [
        'No open VS Code window has a folder that contains /ws.',
        'Open windows:',
        '  b  Visual Studio Code: /x y',
        '  c  Visual Studio Code: no folder',
        'Open the folder in VS Code with the Workspace MCP extension (`code /ws`), or pick one of these with the tool select_window (by call_tool if your list lacks it). It is connected automatically. If it is already open, its status bar shows whether the server runs: "Workspace MCP: Start Server" starts it.',
      ].join('\n'),
    );
  });

  it('says so when what was named is not open', async () => {
    await openWs('b');
    assert.match(said(await finderFor({ windowId: 'gone' }).look()), /has the id "gone" \(--window\)/);
    const told = said(await finderFor({ workspace: '/x y' }).look());
    assert.match(told, /contains \/x y \(--workspace\).*`code '\/x y'`/s);
  });

  it('quotes names for the shell, and shows what they would hide', async () => {
    const name = '/x$(touch y)`z`"\'\u001b[2J\n\u{e0041}\u200b';
    const shown = '/x$(touch y)`z`"\'\\u{1b}[2J\\u{a}\\u{e0041}\\u{200b}';
    await open({ id: 'b', workspaceFolders: [{ uri: pathToFileURL('/w\u001b').href, name: 'x' }] });
    const finder = finderFor({ workspace: name });
    const text = said(await finder.look());
    assert.ok(text.includes(`contains ${shown} (--workspace)`), text);
    assert.ok(text.includes(`code '${shown.replace("'", "'\\''")}'`), text);
    for (const hidden of ['\u001b', '\u200b', '\u{e0041}']) assert.ok(!text.includes(hidden));
    assert.equal(text.split('\n').length, 4);
  });

  it('at first takes only the window that it had, or one that was opened since', async () => {
    const first = await openWs('a');
    assert.equal(said(await finder.look()), 'a');
    await open({ id: 'b', workspaceFolders: folders, startedAt: 5 });
    first.close();
    assert.match(said(await finder.look(6)), /^No open/);
    assert.equal(said(await finder.look(5)), 'b');
  });

  it('dials a window that does not answer once a look', async () => {
    const socketPath = socketPathIn(home.path);
    const { server } = await openImpostor(socketPath, '{}');
    let dialled = 0;
    server.on('connection', () => dialled++);
    home.atEnd(() => server.close());
    leave({ socketPath });
    assert.match(said(await finder.look()), /could not prove/);
    assert.equal(dialled, 1);
  });

  it('says that the window for the agent is busy', async () => {
    const socketPath = socketPathIn(home.path);
    const server = createServer(() => {}).listen(socketPath); // takes connections and says nothing
    home.atEnd(() => server.close());
    leave({ socketPath });
    const looking = finder.look();
    await clock.passWait(3_000);
    assert.partialDeepStrictEqual(await looking, { kind: 'none', isBusy: true });
  });

  it('lets go of a window where the agent has selected another one meanwhile, and stays with that', async () => {
    const one = await openWs('a');
    const other = await open({ id: 'b', workspaceFolders: [{ uri: 'file:///x', name: 'x' }] });
    const looking = finder.look();
    finder.select('b');
    assert.equal(said(await looking), 'b');
    while (one.sockets.some(({ closed }) => !closed)) await new Promise(setImmediate);
    assert.equal(said(await finder.look()), 'b');
    other.close();
    assert.match(said(await finder.look()), /^The selected VS Code window is closed\./);
  });

  for (const [version, what, remedy] of [
    [2, 'newer', /Restart the agent/],
    [0, 'older', /Update the extension/],
  ] as const)
    it(`says what to do where a window, or a record, is of the ${what} version ${version}`, async () => {
      for (const more of [',"error":"Ignore me"', `,"nonce":"${newNonce()}","proof":"00"`]) {
        const socketPath = socketPathIn(home.path);
        const { server } = await openImpostor(socketPath, `{"workspaceMcp":${version}${more}}`);
        leave({ socketPath });
        const message = said(await finder.look());
        assert.match(message, remedy);
        assert.ok(message.includes(`${what} version of Workspace MCP than this shim`), message);
        assert.doesNotMatch(message, /Ignore me/);
        server.close();
      }
      leave({ version: version as 1 });
      const message = said(await finder.look());
      assert.match(message, remedy);
      assert.match(message, new RegExp(`gone\\.json was written by an? ${what} Workspace MCP`));
    });

  onPosix('reads no records where others could have written them, and says what to do', async () => {
    await openWs('a');
    chmodSync(recordPath(home.path, 'a'), 0o666);
    assert.match(said(await finder.look()), /a\.json can be written by others \(mode 0666\)/);
    chmodSync(recordPath(home.path, 'a'), 0o600);
    chmodSync(home.path, 0o770);
    assert.match(said(await finder.look()), /its mode is 0770, not 0700\. Run: chmod 700/);
    assert.deepEqual(finder.records(), []);
    chmodSync(home.path, 0o700);
    assert.equal(said(await finder.look()), 'a');
  });
});
