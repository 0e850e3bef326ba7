import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dial } from '../../../src/ipc/dial.ts';
import { readRecord, readRecords, type WindowRecord } from '../../../src/ipc/windowRecord.ts';
import type { WindowServerOptions } from '../../../src/server/serverRun.ts';
import { WindowServer } from '../../../src/server/windowServer.ts';
import { useDirectory } from '../../temporary.ts';
import { until } from '../../until.ts';
import { silentLog } from './support.ts';

describe('server/windowServer', () => {
  const base = useDirectory();
  let home: string;
  let runtime: string;
  let sockets: Socket[];

  beforeEach(() => {
    home = join(base.path, 'state');
    runtime = join(base.path, 'run');
    mkdirSync(runtime);
    for (const name of ['shim.js', 'relay.js', 'hook.js', 'lspServer.js', 'package.json'])
      writeFileSync(join(base.path, name), `// ${name}`);
    sockets = [];
  });

  function newServer(more: Partial<WindowServerOptions> = {}): WindowServer {
    const server = new WindowServer({
      home,
      env: { XDG_RUNTIME_DIR: runtime },
      wantedId: 'a',
      bundledShim: join(base.path, 'shim.js'),
      describe: () => ({
        workspaceFolders: [{ uri: 'file:///ws', name: 'ws' }],
        ideName: 'Visual Studio Code',
        ideVersion: '1.101.0',
        extensionVersion: '0.1.0',
        trusted: false,
        focusedAt: 1,
      }),
      folderPaths: () => ['/ws'],
      isResponsive: async () => true,
      knowsSession: () => false,
      openSession: (socket) => void sockets.push(socket.resume()),
      log: silentLog,
      ...more,
    });
    base.atEnd(() => server.stop());
    return server;
  }

  const recordOf = (server: WindowServer): WindowRecord => {
    const record = readRecord(home, server.id ?? '');
    assert.ok(record);
    return record;
  };

  /** The end of a shim that was let in. */
  async function entered(server: WindowServer): Promise<Socket> {
    const { socket, enter } = await dial(recordOf(server));
    await enter({});
    return socket;
  }

  /** Records, locks and sockets that are there. */
  const traces = (): string[] => [
    ...readdirSync(join(home, 'windows')).sort(),
    ...(process.platform === 'win32' ? [] : readdirSync(join(runtime, 'workspace-mcp')).map(() => 'socket')),
  ];

  it('can be found and reached once it runs, and leaves nothing behind when it is stopped', async () => {
    const server = newServer();
    await server.start();
    assert.deepEqual([server.state, server.id, server.error], ['running', 'a', undefined]);
    const socket = await entered(server);
    assert.equal(server.connections, 1);
    assert.equal(readFileSync(join(home, 'shim.js'), 'utf8'), '// shim.js');
    assert.deepEqual(recordOf(server).workspaceFolders, [{ uri: 'file:///ws', name: 'ws' }]);
    server.stop();
    assert.deepEqual([server.state, server.id, server.connections], ['stopped', undefined, 0]);
    assert.deepEqual(traces(), []);
    assert.equal(sockets[0]?.destroyed, true);
    await once(socket.resume(), 'close');
  });

  it('says goodbye if the user stops it, and nothing if the window closes', async () => {
    const server = newServer();
    const said: string[] = [];
    for (const end of [() => server.stop('stopped'), () => server.restart(), () => server.stop()]) {
      await server.start();
      const socket = await entered(server);
      const heard = text(socket);
      await end();
      said.push(/"reason":"(\w+)"/.exec(await heard.catch(() => ''))?.[1] ?? 'nothing');
    }
    assert.deepEqual(said, ['stopped', 'restarting', 'nothing']);
  });

  it('tells of its states and its connections', async () => {
    const server = newServer();
    const seen: string[] = [];
    const subscription = server.onDidChangeState(() => seen.push(`${server.state} ${server.connections}`));
    await server.start();
    const socket = await entered(server);
    socket.destroy();
    await once(sockets[0] as Socket, 'close');
    server.stop();
    subscription.dispose();
    await server.start();
    assert.deepEqual(seen, ['starting 0', 'running 0', 'running 1', 'running 0', 'stopped 0']);
  });

  it('starts once however often it is asked, and keeps its id over stop and start', async () => {
    const server = newServer();
    await Promise.all([server.start(), server.start()]);
    const { token } = recordOf(server);
    await server.start();
    assert.equal(recordOf(server).token, token);
    server.stop();
    void server.start();
    await server.restart();
    assert.deepEqual([server.state, server.id], ['running', 'a']);
    assert.equal(readRecords(home).length, 1);
  });

  it('leaves nothing behind when it is stopped while it starts', async () => {
    const server = newServer();
    const started = server.start();
    server.stop();
    await started;
    assert.equal(server.state, 'stopped');
    assert.equal(existsSync(home) ? traces().length : 0, 0);

    const again = server.start();
    await new Promise(setImmediate);
    server.stop();
    await again;
    assert.deepEqual([server.state, ...traces()], ['stopped']);
  });

  it('leaves nothing behind when the process ends between the socket and its listener', async function () {
    if (process.platform === 'win32') this.skip(); // a pipe ends with its process
    const server = newServer();
    const started = server.start();
    const sockets = join(runtime, 'workspace-mcp');
    while (!existsSync(sockets) || readdirSync(sockets).length === 0) await Promise.resolve();
    assert.equal(server.state, 'starting');
    server.stop();
    assert.deepEqual(traces(), []); // at once: a process that ends runs nothing more
    await started;
  });

  it('does not disturb another window when it stops', async () => {
    const [first, second] = [newServer(), newServer()];
    await Promise.all([first.start(), second.start()]);
    assert.deepEqual([first.id, second.id].sort(), ['a', 'a-2']);
    first.stop();
    (await entered(second)).destroy();
    const shown = traces();
    assert.deepEqual(shown, [`${second.id}.json`, `${second.id}.lock`, 'socket'].slice(0, traces().length));
  });

  it('says why it has failed, can be started again, and fails where a folder comes that holds its state', async () => {
    let folders = [base.path];
    const server = newServer({ folderPaths: () => folders });
    await server.start();
    assert.equal(server.state, 'failed');
    assert.match(server.error?.message ?? '', /inside the workspace folder/);
    folders = [];
    await server.start();
    assert.deepEqual([server.state, server.error], ['running', undefined]);
    folders = [base.path];
    server.updateRecord({ workspaceFolders: [] });
    assert.equal(server.state, 'failed');
    assert.deepEqual(traces(), []);
  });

  it('says what to do when its state cannot be written', async () => {
    const server = newServer({
      describe: () => {
        throw Object.assign(new Error("ENOSPC: no space left on device, write '/x'"), { code: 'ENOSPC' });
      },
    });
    await server.start();
    assert.equal(server.state, 'failed');
    assert.match(server.error?.message ?? '', /^The disk is full\. Free some space there\./);
    assert.deepEqual(traces(), []);
  });

  it('runs without a copy of the shim, and warns', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (text: string) => void warnings.push(text) };
    const server = newServer({ bundledShim: join(base.path, 'missing', 'shim.js'), log });
    await server.start();
    assert.equal(server.state, 'running');
    assert.match(String(warnings), /The shim could not be copied/);
  });

  it('brings its record up to date', async () => {
    const server = newServer();
    await server.start();
    server.updateRecord({ focusedAt: 2 });
    server.updateRecord({ trusted: true });
    const isUpToDate = () => recordOf(server).focusedAt === 2 && recordOf(server).trusted;
    await until(isUpToDate, 'the record as it is now');
  });

  it('does not write over the record of a window that has taken its id over', async () => {
    const { promise: warned, resolve } = Promise.withResolvers<string>();
    const ghost = newServer({ isResponsive: async () => false, log: { ...silentLog, warn: resolve } });
    const successor = newServer();
    await ghost.start();
    await successor.start();
    ghost.updateRecord({ focusedAt: 99 });
    assert.match(await warned, /taken over the id a/);
    ghost.stop();
    const [record, ...more] = readRecords(home);
    assert.deepEqual([record?.id, record?.focusedAt, more], ['a', 1, []]);
  });
});
