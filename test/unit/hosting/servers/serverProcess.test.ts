import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { UserError } from '../../../../src/core/errors.ts';
import { ConnectionClosedError } from '../../../../src/hosting/connection/client.ts';
import { NeedsUserError } from '../../../../src/hosting/connection/negotiate.ts';
import type { HostedConnection } from '../../../../src/hosting/connection/openConnection.ts';
import { ServerProcess } from '../../../../src/hosting/servers/serverProcess.ts';
import { delay } from '../../../../src/util/clock.ts';
import { holdClock } from '../../../fakes/clock.ts';

const MINUTE = 60_000;

/** A connection that ends when it is told to. */
function fakeConnection() {
  const [closed, lost] = [Promise.withResolvers<string>(), Promise.withResolvers<never>()];
  lost.promise.catch(() => {});
  const end = (reason: string): void => {
    lost.reject(new ConnectionClosedError('The connection ended.'));
    closed.resolve(reason);
  };
  const client = { request: () => lost.promise, close: async () => end('It was stopped.') };
  const connection: HostedConnection = { client: client as never, closed: closed.promise };
  return { connection, end };
}

describe('hosting/servers/serverProcess', () => {
  const clock = holdClock();
  const starts: ReturnType<typeof fakeConnection>[] = [];
  const states: string[] = [];
  /** What the next starts fail with. */
  const failures: Error[] = [];
  let server: ServerProcess;
  beforeEach(() => {
    for (const list of [starts, states, failures]) list.length = 0;
    server = hosted();
  });

  function hosted({ keepAlive = false, takes = 0 } = {}): ServerProcess {
    const start = async () => {
      if (takes > 0) await delay(takes);
      const failure = failures.shift();
      if (failure) throw failure;
      const started = fakeConnection();
      starts.push(started);
      return started.connection;
    };
    const stateChanged = ({ state }: ServerProcess) => void states.push(state);
    return new ServerProcess({ name: 'db', keepAlive, owner: { start, stateChanged } });
  }

  const done = async () => 'done';
  const waits = (client: { request(method: string): Promise<unknown> }) => client.request('x');

  it('starts with the first use, once for all', async () => {
    assert.equal(server.state, 'stopped');
    assert.deepEqual(await Promise.all([server.withClient(done), server.withClient(done)]), ['done', 'done']);
    assert.equal(starts.length, 1);
    assert.deepEqual(states, ['starting', 'running']);
  });

  it('stops after 15 minutes without a use, and starts again with the next', async () => {
    await server.withClient(done);
    await clock.pass(14 * MINUTE);
    await server.withClient(() => clock.pass(16 * MINUTE));
    assert.equal(server.state, 'running');
    await clock.pass(15 * MINUTE);
    assert.equal(server.state, 'idle');
    await server.withClient(done);
    assert.equal(starts.length, 2);
    const kept = hosted({ keepAlive: true });
    await kept.withClient(done);
    await clock.pass(60 * MINUTE);
    assert.equal(kept.state, 'running');
  });

  it('that is followed starts, goes on, and starts again after a crash, but not after a stop', async () => {
    const release = server.follow('a:b', () => {});
    await clock.pass(16 * MINUTE);
    starts[0]?.end('It exited with code 7.');
    await clock.pass(1_000);
    assert.deepEqual([server.state, starts.length], ['running', 2]);
    await server.stop();
    await clock.pass(MINUTE);
    assert.deepEqual([server.state, starts.length], ['stopped', 2]);
    await server.withClient(done);
    release();
    await clock.pass(16 * MINUTE);
    assert.equal(server.state, 'idle');
  });

  it('that ends fails its calls with what is unknown', async () => {
    const lost = server.withClient(waits);
    await turn();
    starts[0]?.end('It exited with code 7.');
    await assert.rejects(lost, {
      name: 'UserError',
      message:
        /^The server db ended during the call\. It exited with code 7\. It is unknown .*: check before/,
    });
    assert.deepEqual([server.state, server.lastError], ['failed', 'It exited with code 7.']);
  });

  it('that ends gets a read-only call once more', async () => {
    const lost = server.withClient(waits, { readOnly: true });
    await turn();
    starts[0]?.end('It exited with code 7.');
    await clock.pass(1_000);
    assert.equal(server.state, 'running');
    starts[1]?.end('It exited with code 8.');
    await assert.rejects(lost, /It exited with code 8. Try again later/);
    assert.equal(starts.length, 2);
  });

  it('pauses 1, 4, 16 and 60 s after failures, and is given up after the fifth until it is restarted', async () => {
    failures.push(...Array.from({ length: 5 }, () => new UserError('No database.')));
    await assert.rejects(server.withClient(done), /^UserError: The server db did not start. No database.$/);
    for (const pause of [1_000, 4_000, 16_000, 60_000]) {
      const next = server.withClient(done);
      next.catch(() => {});
      await clock.pass(pause - 1);
      assert.equal(server.state, 'failed');
      await clock.pass(1);
      await assert.rejects(next, /did not start/);
    }
    const refused = server.withClient(done);
    await assert.rejects(refused, /failed too often.*No database. Ask the user to restart it/);
    await server.restart();
    assert.deepEqual([server.state, server.lastError], ['running', undefined]);
  });

  it('that needs the user has not failed: it is not given up, makes nobody wait, and starts with the next use', async () => {
    failures.push(...Array.from({ length: 8 }, () => new NeedsUserError('It needs a value.')));
    const began = clock.now();
    const release = server.follow('a:b', () => {});
    for (let uses = 0; uses < 8; uses++)
      await assert.rejects(server.withClient(done), /did not start. It needs a value/);
    assert.deepEqual(
      [new Set(states), server.lastError],
      [new Set(['starting', 'needsUser']), 'The server db did not start. It needs a value.'],
    );
    assert.deepEqual([failures.length, clock.now() - began], [0, 0]);
    await server.withClient(done);
    assert.equal(server.state, 'running');
    release();
  });

  it('forgets failures after five minutes of running', async () => {
    for (let crash = 0; crash < 6; crash++) {
      await server.withClient(done);
      await clock.pass(5 * MINUTE);
      starts.at(-1)?.end('It exited with code 7.');
      await clock.pass(1_000);
    }
    await server.withClient(done);
    assert.equal(starts.length, 7);
  });

  it('that takes long to start tells the calls after 45 s, and goes on starting', async () => {
    server = hosted({ takes: 100_000 });
    const failed = [0, 45, 90].map((second) => async () => {
      const call = server.withClient(done);
      call.catch(() => {});
      await clock.pass(45_000);
      if (second === 90) assert.equal(await call, 'done');
      else
        await assert.rejects(call, {
          name: 'UserError',
          message: new RegExp(`^The server db is still starting \\(${second + 45} s\\).* Call again`),
        });
    });
    for (const call of failed) await call();
    assert.deepEqual([starts.length, states], [1, ['starting', 'running']]);
  });

  it('that takes long to start after a failure is waited for from its start on', async () => {
    server = hosted({ takes: 30_000 });
    await clock.settle(server.withClient(done));
    for (const reason of ['It exited.', 'It exited again.', 'It exited once more.', 'It gave up.']) {
      starts.at(-1)?.end(reason);
      await clock.pass(0);
      assert.equal(await clock.settle(server.withClient(done)), 'done');
    }
    assert.equal(starts.length, 5);
  });

  it('that is stopped fails its calls, and waits for the end before it starts again', async () => {
    const lost = server.withClient(waits);
    await turn();
    await server.stop();
    await assert.rejects(lost, /It was stopped. It is unknown/);
    assert.equal(server.state, 'stopped');
    await server.withClient(done);
    assert.deepEqual([starts.length, server.state], [2, 'running']);
  });

  it('lets a cancelled caller go, and starts for the others', async () => {
    const abort = new AbortController();
    const cancelled = server.withClient(done, { signal: abort.signal });
    const other = server.withClient(done);
    abort.abort();
    await assert.rejects(cancelled, { name: 'CancelledError' });
    assert.equal(await other, 'done');
  });

  it('that is stopped while it starts was not started', async () => {
    const started = server.restart();
    const stopped = server.stop();
    await assert.rejects(started, /was stopped before it had started/);
    await stopped;
    assert.deepEqual([server.state, starts.length], ['stopped', 0]);
  });
});
