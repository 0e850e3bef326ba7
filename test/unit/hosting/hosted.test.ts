import assert from 'node:assert/strict';
import { Hosted } from '../../../src/hosting/servers/hosted.ts';
import { holdClock } from '../../fakes/clock.ts';

describe('hosting/hosted', () => {
  const clock = holdClock();

  /** A server whose lists take 100 ms to read. @param reading called with each reading */
  async function opened(reading: () => void) {
    let notify = (_method: string) => {};
    const client = {
      ...{ era: 'legacy', capabilities: { tools: {} }, close: async () => {} },
      request: async () => {
        reading();
        clock.tick(100);
        return { tools: [] };
      },
    };
    const start = async (_server: unknown, _place: unknown, options: { onNotification: typeof notify }) => {
      notify = options.onNotification;
      return { client, closed: new Promise(() => {}) };
    };
    const server = {
      ...{ name: 'db', source: { kind: 'settings' }, inputs: [], syntax: 'mcp.json' },
      found: {
        definition: { launch: { type: 'stdio' }, options: { enabled: true, share: 'window', tools: {} } },
      },
    };
    const parts = {
      launcher: { start },
      store: { get: () => undefined, update: async () => {} },
      answers: {},
    };
    const hosted = new Hosted(server as never, '', 'db', '', parts as never);
    await hosted.use(1, async () => {});
    return { hosted, changes: () => notify('notifications/tools/list_changed') };
  }

  it('reads the lists of a server that changes them all the time in a twentieth of the time at most', async () => {
    let readings = 0;
    const { hosted, changes } = await opened(() => readings++);
    const readingsIn = async (ms: number) => {
      const before = readings;
      for (const end = clock.now() + ms; clock.now() < end; await clock.pass(300)) changes();
      return readings - before;
    };
    assert.equal(await readingsIn(900), 1);
    assert.equal(await readingsIn(8_100), 4);
    await hosted.dispose();
    assert.equal(await readingsIn(3_000), 0);
  });
});
