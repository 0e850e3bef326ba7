import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { fieldsOf } from '../../../src/core/json.ts';
import type { HostedConnection } from '../../../src/hosting/connection/connectStdio.ts';
import { StdoutReader } from '../../../src/hosting/connection/stdoutReader.ts';
import { holdClock } from '../../fakes/clock.ts';
import { until } from '../../until.ts';
import { call, ends, Servers, serverCommand, shellCommand } from './support.ts';

const MB = 1024 * 1024;

describe('hosting/stdio: what a server writes to stdout', () => {
  function read() {
    const stdout = new PassThrough();
    const messages: JSONRPCMessage[] = [];
    const reasons: string[] = [];
    const reader = new StdoutReader(stdout, {
      message: (message) => messages.push(message),
      misbehaved: (reason) => reasons.push(reason),
    });
    return { stdout, messages, reasons, reader };
  }
  /** So many MB without the end of a line. */
  const long = async (stdout: PassThrough, megabytes: number) => {
    const part = Buffer.alloc(MB, 'x');
    for (let count = 0; count < megabytes; count++) if (!stdout.write(part)) await once(stdout, 'drain');
  };

  const ID_FIRST = ['{"jsonrpc":"2.0","id":7,"result":{"text":"', '"}}'] as const;
  const ID_LAST = ['{"result":{"text":"', '"},"jsonrpc":"2.0","id":7}'] as const;
  for (const [what, megabytes, [before, after], error] of [
    ['a long result', 12, ID_FIRST, /undefined/],
    ['a result longer than 64 MB, which is an error then', 64, ID_FIRST, /longer than 64 MB, so it was not/],
    ['one with its id at the end', 64, ID_LAST, /longer than 64 MB, so it was not read/],
  ] as const)
    it(`may be ${what}`, async () => {
      const { stdout, messages, reasons } = read();
      stdout.write(before);
      await long(stdout, megabytes);
      stdout.write(`${after}\n`);
      await until(() => messages.length > 0, 'the answer');
      const answer = fieldsOf(messages[0]);
      assert.deepEqual([answer.id, reasons], [7, []]);
      assert.match(`${fieldsOf(answer.error).message}`, error);
    });

  it('may be no message longer than 64 MB that is no answer', async () => {
    const { stdout, reasons } = read();
    stdout.write('{"jsonrpc":"2.0","method":"x","params":{"text":"');
    await long(stdout, 64);
    stdout.write('"}}\n');
    await until(() => reasons.length === 1, 'the reason');
    assert.match(`${reasons}`, /sent a message longer than/);
  });

  it('may be no flood', async () => {
    const { stdout, messages, reader, reasons } = read();
    const write = async (lines: number) => {
      const all = messages.length + lines;
      stdout.write('{"jsonrpc":"2.0","method":"x"}\n'.repeat(lines));
      await until(() => messages.length === all, 'all lines');
    };
    await write(1);
    reader.sent();
    await write(20_000);
    assert.deepEqual(reasons, []);
    await write(1);
    assert.match(`${reasons}`, /more than 20000 messages within 10 s/);
  });
});

describe('hosting/stdio: a hosted server over stdio', () => {
  let servers: Servers;
  beforeEach(() => {
    servers = new Servers();
  });
  afterEach(() => servers.dispose());

  it('may write banners and log lines to stdout; the first are kept', async () => {
    const server = await servers.faulty('garbage');
    assert.equal((await call(server, 'echo')).params.name, 'echo');
    assert.deepEqual(servers.transports[0]?.garbage, {
      count: 4,
      first: ['*** Welcome ***', '{"level":"info","method":"GET"}', '{"broken', '42'],
    });
  });

  it('may write to stderr more than a pipe holds; the last 200 lines are kept', async () => {
    const server = await servers.faulty();
    let lines = 0;
    servers.transports[0]?.stderr.onLine(() => lines++);
    await call(server, 'stderr', { lines: 1024 });
    await until(() => lines === 1024, 'all of stderr');
    assert.equal(servers.transports[0]?.stderr.lines.length, 200);
  });

  it('fails its calls if it exits, and says why', async () => {
    const server = await servers.faulty();
    const [other, failed] = [call(server, 'never'), call(server, 'exit')];
    for (const lost of [other, failed]) await assert.rejects(lost, { name: 'ConnectionClosedError' });
    assert.equal(await server.closed, 'It exited with code 7. Its last output: Error: out of cheese');
    await assert.rejects(call(server, 'echo'), { name: 'ConnectionClosedError' });
  });

  describe('that does not end by itself', () => {
    const clock = holdClock();

    it('gets SIGTERM after 1 s, also if it closed its stdin', async () => {
      const server = await servers.faulty();
      await call(server, 'closeStdin');
      await until(() => {
        server.client.notify('notifications/x');
        return clock.waits.length > 0;
      }, 'the end of stdin');
      await clock.pass(1_020);
      await ends(servers.started[0] as number);
      assert.equal(await clock.settle(server.closed), 'It was ended by SIGTERM.');
    });

    it('is stopped if it floods', async () => {
      const server = await servers.faulty();
      await assert.rejects(clock.settle(call(server, 'flood')), { name: 'ConnectionClosedError' });
      assert.match(await server.closed, /more than 20000 messages/);
    });

    const stops: [what: string, end: (server: HostedConnection) => unknown, reason: string][] = [
      ['is stopped', ({ client }) => client.close(), 'It was stopped.'],
      ['is killed', () => process.kill(servers.started[0] as number, 'SIGKILL'), 'It was ended by SIGKILL.'],
    ];
    for (const [what, end, reason] of stops)
      it(`is killed with its grandchildren, which ignore SIGTERM, if it ${what}`, async function () {
        if (process.platform === 'win32') this.skip();
        const server = await servers.connect(shellCommand('stubborn'), { knownEra: 'legacy' });
        const grandchild = Number((await call(server, 'pid')).content[0].text);
        assert.notEqual(grandchild, servers.started[0]);
        void end(server);
        assert.equal(await clock.settle(server.closed), reason);
        await ends(grandchild);
      });
  });

  it('that cannot be started says what to check', async () => {
    const missing = { ...serverCommand('faulty'), command: 'no-such-program' };
    await assert.rejects(servers.connect(missing), /program no-such-program was not found\. Check/);
    const nowhere = { ...serverCommand('faulty'), cwd: '/no/such/directory' };
    await assert.rejects(servers.connect(nowhere), /directory \/no\/such\/directory exists/);
  });

  it('that exits at its start says why', async () => {
    await assert.rejects(
      servers.faulty('crash'),
      /^UserError: It exited with code 3. Its last output: Error: no database$/,
    );
  });

  it('that is another program shows what it wrote', async () => {
    await assert.rejects(
      servers.connect({ ...serverCommand('faulty'), command: 'sh', args: ['-c', 'echo Usage: x; exit 2'] }),
      /^UserError: It exited with code 2. It wrote what is no message of MCP: Usage: x$/,
    );
  });

  it('leaves no process if the start is cancelled or takes too long', async () => {
    const abort = new AbortController();
    const options = { signal: abort.signal, onTransport: () => setImmediate(() => abort.abort()) };
    await assert.rejects(servers.faulty('silent', options), { name: 'CancelledError' });
    await assert.rejects(
      servers.faulty('silent', { startTimeout: 1 }),
      /did not answer initialize within 0\.001 s/,
    );
  });

  it('gets only the environment that is given', async () => {
    const command = serverCommand('faulty');
    await servers.connect({ ...command, env: { VERSION: '2024-11-05' } }, { knownEra: 'legacy' });
    const unknown = servers.connect({ ...command, env: { VERSION: '2023-01-01' } }, { knownEra: 'legacy' });
    await assert.rejects(unknown, /speaks MCP version 2023-01-01, which is not supported/);
  });
});
