import assert from 'node:assert/strict';
import { MAX_LINE } from '../../../../src/core/jsonRpc.ts';
import { MAX_OPEN_SIZE, requireRoom } from '../../../../src/protocol/wire/limits.ts';
import { OpenRequests } from '../../../../src/protocol/wire/openRequests.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { Connection } from '../agent.ts';

describe('protocol/wire/limits', () => {
  const clock = holdClock();
  let agent: Connection;
  beforeEach(() => {
    agent = new Connection();
  });
  afterEach(() => agent.close());

  it('answers a message that is too long by its id, and goes on', async () => {
    await agent.initialize('2025-11-25');
    const params = { name: 'x'.repeat(MAX_LINE), arguments: {} };
    agent.write({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
    const { error } = await agent.next(({ id }) => id === 'long');
    assert.deepEqual([error.code, error.data.limit], [-32000, MAX_LINE]);
    assert.ok((await agent.request('ping')).result);
  });

  it('names a limit of open requests', async () => {
    await agent.initialize('2025-11-25');
    const padding = 'x'.repeat(15 * 1024 * 1024);
    for (let id = 10; id < 15; id++)
      agent.write({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hold', _meta: { padding } } });
    const { error } = await agent.next(({ id }) => id === 14);
    assert.deepEqual([error.code, error.data.limit], [-32000, MAX_OPEN_SIZE]);
    assert.equal(agent.held.length, 4);
    assert.ok((await agent.request('ping')).result);
  });

  it('names a limit of subscriptions', () => {
    const uris = (count: number, length: number) =>
      new Set(Array.from({ length: count }, (_, index) => `${index}`.padStart(length, 'x')));
    requireRoom(uris(1_000, 1_000));
    assert.throws(() => requireRoom(uris(1_001, 10)), {
      code: -32000,
      data: { limit: 1_000, unit: 'subscribed resources' },
    });
    assert.throws(() => requireRoom(uris(2, 600_000)), {
      code: -32000,
      data: { limit: 1_048_576, unit: 'characters of subscribed URIs' },
    });
  });

  it('counts subscriptions that are asked for at once', async () => {
    await agent.initialize('2025-11-25');
    const params = (index: number) => ({ uri: `test:${index}` });
    for (let id = 1_001; id <= 2_002; id++)
      agent.write({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: params(id) });
    for (const last of [2_001, 2_002]) {
      const { error } = await agent.next(({ id }) => id === last);
      assert.deepEqual([error.code, error.data.limit], [-32000, 1_000]);
    }
    await agent.request('resources/unsubscribe', params(1_001));
    assert.ok((await agent.request('resources/subscribe', params(2_001))).result);
  });

  it('names a limit of requests in a second', () => {
    const open = new OpenRequests();
    for (let id = 0; id < 100_000; id++) open.requireRoom(id, 0);
    clock.tick(999);
    assert.throws(() => open.requireRoom('over', 0), {
      code: -32000,
      data: { limit: 100_000, unit: 'requests a second', retryAfterMs: 1000 },
    });
    clock.tick(1);
    open.requireRoom('later', 0);
  });
});
