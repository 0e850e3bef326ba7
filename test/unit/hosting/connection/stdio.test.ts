import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { HostedConnection } from '../../../../src/hosting/connection/openConnection.ts';
import { StderrTail } from '../../../../src/hosting/connection/stderrTail.ts';
import { startTimeOf } from '../../../../src/hosting/servers/leftovers.ts';
import { GRACE, LAST_GRACE } from '../../../../src/util/processGroup.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { onPosix } from '../../../temporary.ts';
import { until } from '../../../until.ts';
import { call, ends, Servers, serverCommand, shellCommand } from '../support.ts';

describe('hosting/connection/stdio: a hosted server over stdio', () => {
  const servers = new Servers();
  afterEach(() => servers.dispose());

  it('fails its calls if it exits, and says why', async () => {
    const server = await servers.faulty();
    const [other, failed] = [call(server, 'never'), call(server, 'exit')];
    for (const lost of [other, failed]) await assert.rejects(lost, { name: 'ConnectionClosedError' });
    assert.equal(await server.closed, 'It exited with code 7. Its last output: Error: out of cheese');
    await assert.rejects(call(server, 'echo'), { name: 'ConnectionClosedError' });
  });

  describe('that does not end by itself', () => {
    const clock = holdClock();
    /** The time for its last words does not pass: its exit may be told a moment after its process has gone. */
    const closed = (server: HostedConnection) => clock.settle(server.closed, 1_000);

    onPosix('gets SIGTERM after 3 s, also if it closed its stdin', async () => {
      const server = await servers.faulty();
      await call(server, 'closeStdin');
      await until(() => {
        server.client.notify('notifications/x');
        return clock.waits.length > 0;
      }, 'the end of stdin');
      await clock.pass(2_980);
      assert.ok(await startTimeOf(servers.started[0] as number));
      await clock.pass(40);
      await ends(servers.started[0] as number);
      assert.equal(await closed(server), 'It was ended by SIGTERM.');
    });

    it('has 8 s to stop what it started before it is killed, and 4 s once the window ends', async function () {
      if (process.platform === 'win32') this.skip();
      const processes = { add: () => {}, remove: () => {}, grace: GRACE };
      for (const [ms, grace] of [
        [8_000, GRACE],
        [4_000, LAST_GRACE],
      ] as const) {
        const server = await servers.faulty('stubborn', { processes });
        const pid = Number((await call(server, 'pid')).content[0].text);
        const killed: unknown[] = [];
        const transport = servers.transports.at(-1);
        assert.ok(transport);
        transport.onkilled = (had) => killed.push(had);
        void server.client.close();
        processes.grace = grace; // the window ends while the server does
        await clock.pass(ms - 100);
        assert.ok(await startTimeOf(pid), 'it was killed too early');
        await clock.pass(200);
        await ends(pid);
        assert.equal(await closed(server), 'It was stopped.');
        assert.deepEqual(killed, [grace]);
      }
    });

    onPosix('is not killed if it needs its time to stop', async () => {
      const server = await servers.faulty('slow');
      const transport = servers.transports.at(-1);
      assert.ok(transport);
      transport.onkilled = () => assert.fail('killed');
      void server.client.close();
      await until(() => transport.stderr.complaint === 'stopping', 'the end of its input');
      await clock.pass(2_500);
      const pid = servers.started[0] as number;
      process.kill(pid, 'SIGUSR2');
      await ends(pid); // before more time passes than it has
      assert.equal(await closed(server), 'It was stopped. Its last output: stopping');
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
        assert.equal(await closed(server), reason);
        await ends(grandchild);
      });
  });

  it('that cannot be started says what to check', async () => {
    const missing = { ...serverCommand('faulty'), command: 'no-such-program' };
    await assert.rejects(servers.connect(missing), /program no-such-program was not found\. Check/);
    const nowhere = { ...serverCommand('faulty'), cwd: resolve('/no/such') };
    await assert.rejects(servers.connect(nowhere), /directory \S+no.such exists/);
  });

  it('leaves no process if the start is cancelled or takes too long', async () => {
    const abort = new AbortController();
    const options = { signal: abort.signal, onTransport: () => setImmediate(() => abort.abort()) };
    await assert.rejects(servers.faulty('silent', options), { name: 'CancelledError' });
    const refused = servers.faulty('silent', { startTimeout: 1 });
    await assert.rejects(refused, /did not answer initialize within 0\.001 s/);
  });

  describe('that answers nothing', () => {
    const clock = holdClock();

    it('has five minutes to start: it may first be downloaded', async () => {
      const connecting = servers.faulty('silent');
      connecting.catch(() => {});
      await clock.passWait(300_000);
      await assert.rejects(clock.settle(connecting, 1_000), /did not answer initialize within 300 s/);
    });
  });

  it('gets the environment that is given, and may speak no unknown version', async () => {
    const command = { ...serverCommand('faulty'), env: { VERSION: '2023-01-01' } };
    const unknown = servers.connect(command, { knownEra: 'legacy' });
    await assert.rejects(unknown, /speaks MCP version 2023-01-01, which is not supported/);
  });
});

describe('hosting/connection/stdio: StderrTail', () => {
  it('keeps the beginning of a long line, and the last line without an end', () => {
    const tail = new StderrTail();
    const lines: string[] = [];
    tail.added.listen((line) => lines.push(line));
    tail.push(`${'x'.repeat(6_000)}\r\nlast`);
    tail.end();
    assert.deepEqual(lines, [`${'x'.repeat(5_242)}…`, 'last']);
    assert.equal(tail.complaint, 'last');
  });

  it('gives the reason of npm, not its code or the path of its log', () => {
    const tail = new StderrTail();
    tail.push(
      'npm error code E404\nnpm error 404 Not Found - GET https://example.com/nothing\nnpm error 404\n',
    );
    tail.push('npm error 404 Note that you can also install from a\nnpm error A complete log is in: /log\n');
    assert.equal(tail.complaint, 'npm error 404 Not Found - GET https://example.com/nothing');
  });
});
