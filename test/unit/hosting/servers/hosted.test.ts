import assert from 'node:assert/strict';
import { UserError } from '../../../../src/core/errors.ts';
import { Hosted } from '../../../../src/hosting/servers/hosted.ts';
import { delay } from '../../../../src/util/clock.ts';
import { holdClock } from '../../../fakes/clock.ts';

describe('hosting/servers/hosted', () => {
  const clock = holdClock();

  /** @param start of the launcher */
  function hostedBy(start: (...args: never[]) => Promise<unknown>, share = 'window'): Hosted {
    const server = {
      name: 'db',
      source: { kind: 'settings' },
      inputs: [],
      syntax: 'mcp.json',
      found: { definition: { launch: { type: 'stdio' }, options: { enabled: true, share, tools: {} } } },
    };
    const memento = { get: () => undefined, update: async () => {} };
    const parts = {
      launcher: { start },
      trust: { verdict: () => ({ kind: 'trusted' }) },
      store: memento,
      workspaceStore: memento,
      answers: {},
      onChange() {},
      onListsChange() {},
    };
    return new Hosted(server as never, { place: '', slug: 'db' }, parts as never);
  }

  /** A server whose lists take 500 ms to read. @param reading called with each reading */
  async function opened(reading: () => void) {
    let notify = (_method: string) => {};
    const client = {
      era: 'legacy',
      capabilities: { tools: {} },
      close: async () => {},
      request: async () => {
        reading();
        clock.tick(500);
        return { tools: [] };
      },
    };
    const start = async (_server: unknown, _place: unknown, options: { onNotification: typeof notify }) => {
      notify = options.onNotification;
      return { client, closed: new Promise(() => {}) };
    };
    const hosted = hostedBy(start);
    await hosted.withClient({ id: 1, agent: 'a' }, async () => {});
    return { hosted, changes: () => notify('notifications/tools/list_changed') };
  }

  it('reads the lists of a server that changes them all the time in a fifth of the time at most', async () => {
    let readings = 0;
    const { hosted, changes } = await opened(() => readings++);
    const readingsIn = async (ms: number) => {
      const before = readings;
      for (const end = clock.now() + ms; clock.now() < end; await clock.pass(300)) changes();
      return readings - before;
    };
    assert.equal(await readingsIn(900), 1);
    assert.equal(await readingsIn(8_100), 3);
    await hosted.processes.dispose();
    assert.equal(await readingsIn(3_000), 0);
  });

  it('can be stopped while the server does not send its lists', async () => {
    const { promise: lists, reject } = Promise.withResolvers<never>();
    const client = {
      era: 'legacy',
      capabilities: { tools: {} },
      request: () => lists,
      close: async () => reject(new Error('It was closed.')),
    };
    const hosted = hostedBy(async () => ({ client, closed: new Promise(() => {}) }));
    const started = assert.rejects(hosted.restart(), /was stopped before it had started/);
    await clock.pass(1_000);
    await hosted.processes.dispose();
    await started;
  });

  it('that is only read, and takes long to start, goes on starting', async () => {
    let signal: AbortSignal | undefined;
    const hosted = hostedBy((_: never, __: never, options: { signal: AbortSignal }) => {
      signal = options.signal;
      return delay(100_000).then(() => Promise.reject(new UserError('It has no lists.')));
    }, 'agent');
    for (const seconds of [45, 90]) {
      const reading = hosted.processes.read();
      reading.catch(() => {});
      await clock.pass(45_000);
      await assert.rejects(reading, new RegExp(`still starting \\(${seconds} s\\)`));
    }
    assert.equal(signal?.aborted, false);
    await assert.rejects(clock.settle(hosted.processes.read()), /It has no lists/);
    await hosted.processes.dispose();
  });
});
