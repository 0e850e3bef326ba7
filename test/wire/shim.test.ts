import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useDirectory } from '../temporary.ts';
import type { Message } from './rawAgent.ts';
import { messages, nodesAtHand, openEchoWindow, type RunningShim, startShim } from './shimSupport.ts';

const request = (id: number | string, method = 'echo', params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

for (const [index, node] of nodesAtHand().entries())
  describe(`The shim on Node ${node.version}`, () => {
    const base = useDirectory();
    let home: string;
    beforeEach(() => {
      home = join(base.path, 'home', 'state');
      for (const folder of ['run', 'ws/sub', 'ws2']) mkdirSync(join(base.path, folder), { recursive: true });
    });

    async function openWindow(folder: string): Promise<void> {
      const server = await openEchoWindow(base.path, { home, folder });
      base.atEnd(() => server.stop());
    }

    function shim(folder = 'ws', args: string[] = []): RunningShim {
      const started = startShim(node.path, { home, cwd: join(base.path, folder), args });
      base.atEnd(() => started.process.kill('SIGKILL'));
      base.atEnd(() => started.ended);
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

    it('exits when nobody reads its output any more', async () => {
      await openWindow('ws');
      const { process, ended } = shim();
      process.stdout.destroy();
      process.stdin.write(`${request(1)}\n`);
      const { code, stderr } = await ended;
      assert.deepEqual([code, stderr], [0, '']);
    });

    it('exits on a signal', async function () {
      if (globalThis.process.platform === 'win32') this.skip();
      await openWindow('ws');
      for (const [signal, expected] of [
        ['SIGTERM', 143],
        ['SIGINT', 130],
        ['SIGHUP', 129],
      ] as const) {
        const { process, ended } = shim();
        process.stdin.write(`${request(1)}\n`);
        await once(process.stdout, 'data');
        process.kill(signal);
        assert.equal((await ended).code, expected);
      }
    });

    it('prints its version and its usage, and refuses other arguments', async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      const printed = shim('ws', ['--version']);
      assert.deepEqual(await printed.ended, { code: 0, stdout: `${version}\n`, stderr: '' });
      assert.match((await shim('ws', ['--help']).ended).stdout, /^Usage: workspace-mcp/);
      const wrong = await shim('ws', ['--port', '1']).ended;
      assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
      assert.match(wrong.stderr, /Unknown argument "--port"/);
    });
  });
