import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newSocketPath } from '../../src/ipc/socketPath.ts';
import { readRecord, recordPath, type WindowRecord, writeRecord } from '../../src/ipc/windowRecord.ts';
import { WindowServer } from '../../src/server/windowServer.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import type { Message } from './rawAgent.ts';
import {
  echoSession,
  messages,
  nodesAtHand,
  type RunningShim,
  SHIM,
  STATE_FILES,
  startShim,
} from './shimSupport.ts';

const request = (id: number | string, method = 'echo', params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

for (const [index, node] of nodesAtHand().entries()) {
  describe(`The shim on Node ${node.version}`, () => {
    let base: string;
    let home: string;
    let servers: WindowServer[];
    let shims: RunningShim[];

    beforeEach(() => {
      base = makeTemporary();
      home = join(base, 'home', 'state');
      servers = [];
      shims = [];
      for (const folder of ['run', 'ws/sub', 'ws2']) mkdirSync(join(base, folder), { recursive: true });
    });
    afterEach(async () => {
      for (const server of servers) server.stop();
      for (const { process } of shims) process.kill('SIGKILL');
      await Promise.all(shims.map(({ ended }) => ended));
      removeTemporary(base);
    });

    /** Opens a window on a folder, as the extension does; `session` serves its agents. */
    async function openWindow(
      folder: string,
      session: (socket: Socket) => void = echoSession,
    ): Promise<WindowServer> {
      const uri = pathToFileURL(join(base, folder)).href;
      const server = new WindowServer({
        home,
        env: { XDG_RUNTIME_DIR: join(base, 'run') },
        wantedId: 'window',
        bundledShim: SHIM,
        describe: () => ({
          workspaceFolders: [{ uri, name: folder }],
          ideName: 'VS Code',
          ideVersion: '1.101.0',
          extensionVersion: '0.1.0',
          focusedAt: 0,
          trusted: true,
        }),
        folderPaths: () => [join(base, folder)],
        isResponsive: async () => true,
        knowsSession: () => false,
        openSession: session,
        log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      });
      servers.push(server);
      await server.start();
      assert.equal(server.state, 'running', server.error?.message);
      return server;
    }

    function shim(folder = 'ws', args: string[] = [], env: NodeJS.ProcessEnv = {}): RunningShim {
      const started = startShim(node.path, { home, cwd: join(base, folder), args, env });
      shims.push(started);
      return started;
    }

    const recordOf = (server: WindowServer): WindowRecord => {
      const record = readRecord(home, server.id ?? '');
      assert.ok(record);
      return record;
    };

    it('gets every answer although its input ends at once, with or without a last newline', async () => {
      await openWindow('ws');
      for (const end of ['', '\n']) {
        const { process, ended } = shim('ws/sub');
        process.stdin.end(
          `${request(1)}\n{"jsonrpc":"2.0","method":"n"}\n${request('b', 'echo', 'é')}${end}`,
        );
        const { code, stdout, stderr } = await ended;
        assert.deepEqual(messages(stdout), [
          { jsonrpc: '2.0', id: 1, result: { params: null } },
          { jsonrpc: '2.0', id: 'b', result: { params: 'é' } },
        ]);
        assert.deepEqual([code, stderr], [0, '']);
      }
    });

    if (index > 0) return; // the files are the same: another Node shows that it runs them

    it('waits for the answers of a batch', async () => {
      await openWindow('ws');
      const { process, ended } = shim();
      process.stdin.end(`[${request(1)},${request(2)}]`);
      const { code, stdout } = await ended;
      assert.deepEqual([code, JSON.parse(stdout).length], [0, 2]);
    });

    it('ends without an answer to what never has one', async () => {
      await openWindow('ws', (socket) => void socket.resume());
      const { process, ended } = shim();
      const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
      process.stdin.end(`${request(1, 'wait')}\n${cancel}\n${request(2, 'subscriptions/listen')}\n`);
      assert.deepEqual(await ended, { code: 0, signal: null, stdout: '', stderr: '' });
    });

    it('carries 20 MB both ways', async () => {
      await openWindow('ws');
      const params = 'é0'.repeat(7_000_000);
      const { process, ended } = shim();
      process.stdin.end(`${request(1, 'echo', params)}\n`);
      const { code, stdout } = await ended;
      assert.equal(code, 0);
      assert.equal((messages(stdout)[0] as { result: { params: string } }).result.params === params, true);
    });

    it('carries messages that are split at every byte', async () => {
      await openWindow('ws', (socket) => {
        // What the agent sends comes back byte by byte.
        const echo = async (): Promise<void> => {
          for await (const chunk of socket.setNoDelay())
            for (const byte of chunk) {
              socket.write(Buffer.from([byte]));
              await new Promise(setImmediate);
            }
        };
        echo().catch(() => {}); // the socket goes with the shim
      });
      const { process, ended } = shim();
      const sent = Buffer.from(`{"jsonrpc":"2.0","id":"é\u{1f600}","result":{}}\r\n`);
      let received = Buffer.alloc(0);
      process.stdout.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (received.length >= sent.length) process.stdin.end();
      });
      for (const byte of sent) {
        process.stdin.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      assert.equal((await ended).code, 0);
      assert.deepEqual(received, sent);
    });

    /** A session that says which window it is of. */
    const answerAs = (name: string) => (socket: Socket) =>
      void socket.on('data', () => socket.write(`{"jsonrpc":"2.0","id":1,"result":"${name}"}\n`));

    it('reaches the window of its folder, and is not disturbed when another one closes', async () => {
      const first = await openWindow('ws', answerAs('first'));
      await openWindow('ws2', answerAs('second'));
      const { process, ended } = shim('ws2');
      process.stdin.write(`${request(1)}\n`);
      assert.match(String((await once(process.stdout, 'data'))[0]), /second/);
      first.stop();
      process.stdin.write(`${request(1)}\n`);
      assert.match(String((await once(process.stdout, 'data'))[0]), /second/);
      process.stdin.end();
      assert.equal((await ended).code, 0);
    });

    it('reaches the window that --window names, or --workspace, or the terminal where none has the directory', async () => {
      await openWindow('ws', answerAs('first'));
      const { id = '' } = await openWindow('ws2', answerAs('second'));
      for (const named of [
        shim('ws', ['--window', id]),
        shim('ws', ['--workspace', '../ws2']),
        shim('run', [], { WORKSPACE_MCP_WINDOW: id }),
      ]) {
        named.process.stdin.end(request(1));
        assert.match((await named.ended).stdout, /second/);
      }
      const own = shim('ws', [], { WORKSPACE_MCP_WINDOW: id });
      own.process.stdin.end(request(1));
      assert.match((await own.ended).stdout, /first/);
    });

    it('shows an agent that finds no window what to do, and fails', async () => {
      await openWindow('ws2');
      await openWindow('run');
      const { process, ended } = shim('ws');
      process.stdin.end(`${request(1, 'initialize')}\n{"jsonrpc":"2.0","method":"n"}\n${request('b')}`);
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 1);
      assert.match(
        stderr,
        /No open VS Code window has a folder that contains .*ws\.\nOpen windows:\n.*ws2\n/s,
      );
      const [hello, other] = messages(stdout) as Message[];
      assert.deepEqual([hello?.id, other?.id, other?.error.code], [1, 'b', -32000]);
      assert.match(hello?.result.instructions, /Open the folder in VS Code/);
      assert.match(other?.error.message, /Open the folder in VS Code/);
    });

    it('works when nothing was ever started here, not even a directory', async () => {
      const { process, ended } = shim();
      process.stdin.end();
      const { code, stdout, stderr } = await ended;
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /No VS Code window on this machine has a running Workspace MCP server/);
    });

    it('proves nothing to an impostor, and does not talk to it', async () => {
      const server = await openWindow('ws');
      const record = recordOf(server);
      const socketPath = newSocketPath({
        env: { XDG_RUNTIME_DIR: join(base, 'run') },
        platform: globalThis.process.platform,
        tmpdir: base,
        home,
        uid: globalThis.process.getuid?.(),
      });
      let heard = '';
      const impostor = createServer((socket) => {
        socket
          .on('error', () => {})
          .on('data', (chunk) => {
            heard += chunk;
          });
        socket.write(`{"workspaceMcp":1,"nonce":"${'0'.repeat(32)}","proof":"${'0'.repeat(64)}"}\n`);
      }).listen(socketPath);
      await once(impostor, 'listening');
      writeRecord(home, { ...record, socketPath });
      const { process, ended } = shim();
      process.stdin.end(request(1));
      assert.match((await ended).stderr, /could not prove that it is that window/);
      impostor.close();
      assert.match(heard, /^(\{"workspaceMcp":1,"nonce":"[0-9a-f]{32}"\}\n)+$/);
    });

    it('is refused when its record has another token', async () => {
      const server = await openWindow('ws');
      writeRecord(home, { ...recordOf(server), token: 'f'.repeat(64) });
      const { process, ended } = shim();
      process.stdin.end(request(1));
      assert.equal((await ended).code, 1);
      assert.equal(server.connections, 0);
    });

    it('answers each request in flight when the window closes for good', async () => {
      const server = await openWindow('ws');
      const { process, ended } = shim('ws', [], { WORKSPACE_MCP_WAIT: '0.1' });
      process.stdin.write(`${[request(1, 'wait'), request(2), request('c', 'wait')].join('\n')}\n`);
      await once(process.stdout, 'data');
      server.stop();
      process.stdin.end(request(4));
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 1);
      assert.match(stderr, /No VS Code window on this machine/);
      assert.deepEqual(
        messages(stdout).map(({ id, error }) => [id, error !== undefined]),
        [
          [2, false],
          [1, true],
          ['c', true],
          [4, true],
        ],
      );
    });

    it('does not repeat for ever what ends the connection each time', async () => {
      await openWindow('ws');
      const { process, ended } = shim();
      process.stdin.write(`${[request(1, 'wait'), request(2, 'leave')].join('\n')}\n`);
      await once(process.stdout, 'data');
      process.stdin.end(request(3));
      const { code, stdout } = await ended;
      assert.equal(code, 0);
      const answers = messages(stdout) as Message[];
      assert.deepEqual(
        answers.map(({ id, error }) => [id, error?.code]),
        [
          [1, -32000],
          [2, -32000],
          [3, undefined],
        ],
      );
    });

    it('exits when nobody reads its output any more', async () => {
      await openWindow('ws');
      const { process, ended } = shim();
      process.stdout.destroy();
      process.stdin.write(`${request(1)}\n`);
      const { code, signal, stderr } = await ended;
      assert.deepEqual([code, signal, stderr], [0, null, '']);
    });

    it('exits on a signal, and the window learns of it', async function () {
      if (globalThis.process.platform === 'win32') this.skip();
      for (const [signal, expected] of [
        ['SIGTERM', 143],
        ['SIGINT', 130],
        ['SIGHUP', 129],
      ] as const) {
        let closed: Promise<unknown> = Promise.reject(new Error('not connected'));
        closed.catch(() => {});
        const server = await openWindow('ws', (socket) => {
          closed = once(socket, 'close');
          echoSession(socket);
        });
        const { process, ended } = shim('ws', ['--window', server.id ?? '']);
        process.stdin.write(`${request(1)}\n`);
        await once(process.stdout, 'data');
        process.kill(signal);
        assert.equal((await ended).code, expected);
        await closed;
      }
    });

    it('leaves nothing behind together with its window', async () => {
      const server = await openWindow('ws');
      const { process, ended } = shim();
      process.stdin.end(request(1));
      await ended;
      server.stop();
      assert.deepEqual(readdirSync(join(home, 'windows')), []);
      assert.deepEqual(readdirSync(home).sort(), STATE_FILES);
      if (globalThis.process.platform === 'win32') return;
      assert.deepEqual(readdirSync(join(base, 'run', 'workspace-mcp')), []);
    });

    it('prints its version and its usage, and refuses other arguments', async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      const printed = shim('ws', ['--version']);
      assert.deepEqual(await printed.ended, { code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
      assert.match((await shim('ws', ['--help']).ended).stdout, /^Usage: workspace-mcp/);
      const wrong = await shim('ws', ['--port', '1']).ended;
      assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
      assert.match(wrong.stderr, /Unknown argument "--port"/);
    });

    it('reads records with what later versions add to them', async () => {
      const server = await openWindow('ws');
      writeRecord(home, { ...recordOf(server), later: true } as WindowRecord);
      assert.match(readFileSync(recordPath(home, 'window'), 'utf8'), /later/);
      const { process, ended } = shim();
      process.stdin.end(request(1));
      assert.equal((await ended).code, 0);
    });
  });
}
