import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from '../../../src/shim/connect.ts';
import { newNonce } from '../../../src/socket/preamble.ts';
import { openImpostor, openWindow, socketPathIn, temporaryDirectory } from '../socket/support.ts';
import { windowOf } from './records.ts';

const query = { cwd: '/ws', platform: 'linux', realpath: (path: string) => path } as const;
const folders = [{ uri: 'file:///ws', name: 'ws' }];

describe('shim/connect', () => {
  const home = temporaryDirectory();
  const windows: { close(): void }[] = [];
  const open = async (
    ...args: Parameters<typeof openWindow> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const window = await openWindow(home.path, ...args);
    windows.push(window);
    return window;
  };
  afterEach(() => {
    for (const window of windows.splice(0)) window.close();
  });
  after(() => home.remove());

  it('passes over records that nothing listens at', async () => {
    const gone = windowOf('gone', ['/ws'], { focusedAt: 9, socketPath: socketPathIn(home.path) });
    const { record } = await open({ id: 'b', workspaceFolders: folders });
    const connection = await connect([gone, record], query, {});
    assert.equal(connection.record.id, 'b');
    assert.match(connection.resume, /^[0-9a-f]{32}$/);
    connection.socket.destroy();
  });

  it('prefers the window whose workbench answers, among equals', async () => {
    const ghost = await open(
      { id: 'a', focusedAt: 9, workspaceFolders: folders },
      { isResponsive: async () => false },
    );
    const live = await open({ id: 'b', focusedAt: 1, workspaceFolders: folders });
    const connection = await connect([ghost.record, live.record], query, {});
    assert.equal(connection.record.id, 'b');
    assert.deepEqual([ghost.sockets.length, live.sockets.length], [0, 1]);
    connection.socket.destroy();
  });

  it('stays with the folder when its only window does not answer at the moment', async () => {
    const busy = await open({ id: 'a', workspaceFolders: folders }, { isResponsive: async () => false });
    const outer = await open({ id: 'b', workspaceFolders: [{ uri: 'file:///', name: '/' }] });
    const connection = await connect([busy.record, outer.record], query, {});
    assert.equal(connection.record.id, 'a');
    connection.socket.destroy();
  });

  it('takes an unresponsive window where all equals are', async () => {
    const options = { isResponsive: async () => false };
    const one = await open({ id: 'a', focusedAt: 1, workspaceFolders: folders }, options);
    const two = await open({ id: 'b', focusedAt: 2, workspaceFolders: folders }, options);
    const connection = await connect([one.record, two.record], query, {});
    assert.equal(connection.record.id, 'b');
    connection.socket.destroy();
  });

  it('takes the only window that is open, although crashed ones have left records', async () => {
    const gone = windowOf('gone', ['/other'], { socketPath: socketPathIn(home.path) });
    const { record } = await open({ id: 'b' });
    const connection = await connect([gone, record], query, {});
    assert.equal(connection.record.id, 'b');
    connection.socket.destroy();
  });

  it('lists the windows that are open when none matches', async () => {
    const gone = windowOf('gone', ['/gone'], { socketPath: socketPathIn(home.path) });
    const one = await open({ id: 'b', workspaceFolders: [{ uri: 'file:///x%20y', name: 'x' }] });
    const two = await open({ id: 'c' });
    await assert.rejects(connect([gone, one.record, two.record], query, {}), {
      message: [
        'No open VS Code window has a folder that holds /ws.',
        'Open windows:',
        '  b  Visual Studio Code: /x y',
        '  c  Visual Studio Code: no folder',
        'Open the folder in VS Code with the Workspace MCP extension, or name a window with --window ID, then reconnect this MCP server. If it is open, its status bar tells whether the server runs: "Workspace MCP: Start Server" starts it.',
      ].join('\n'),
    });
  });

  it('says so when a window named by --window is gone', async () => {
    const { record } = await open({ id: 'b', workspaceFolders: folders });
    await assert.rejects(
      connect([record], { ...query, windowId: 'gone' }, {}),
      /has the id "gone" that --window names/,
    );
  });

  it('does not enter what cannot prove itself, and says so', async () => {
    const socketPath = socketPathIn(home.path);
    const line = `{"workspaceMcp":1,"nonce":"${newNonce()}","proof":"${'0'.repeat(64)}"}`;
    const { heard, server } = await openImpostor(socketPath, line);
    await assert.rejects(connect([windowOf('a', ['/ws'], { socketPath })], query, {}), /could not prove/);
    server.close();
    await once(server, 'close');
    assert.doesNotMatch(heard.join(''), /proof/);
  });
});
