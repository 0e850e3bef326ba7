import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, recordPath, type WindowRecord, writeRecord } from '../../src/ipc/windowRecord.ts';
import type { WindowServer } from '../../src/server/windowServer.ts';
import { makeTemporary, removeTemporary } from '../temporary.ts';
import type { Message } from './rawAgent.ts';
import {
  echoSession,
  messages,
  nodesAtHand,
  openEchoWindow,
  type RunningShim,
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

    /** Opens a window on a folder; `session` serves its agents. */
    async function openWindow(folder: string, session = echoSession): Promise<WindowServer> {
      const server = await openEchoWindow(base, { home, folder, session });
      servers.push(server);
      return server;
    }

    function shim(folder = 'ws', args: string[] = [], env: NodeJS.ProcessEnv = {}): RunningShim {
      const started = startShim(node.path, { home, cwd: join(base, folder), args, env });
      shims.push(started);
      return started;
    }

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
      await openWindow('ws');
      writeRecord(home, { ...readRecord(home, 'window'), later: true } as unknown as WindowRecord);
      assert.match(readFileSync(recordPath(home, 'window'), 'utf8'), /later/);
      const { process, ended } = shim();
      process.stdin.end(request(1));
      assert.equal((await ended).code, 0);
    });
  });
}
