import assert from 'node:assert/strict';
import { MAX_OPEN_SIZE, requireRoom } from '../../../../src/protocol/wire/limits.ts';
import { OpenRequests } from '../../../../src/protocol/wire/openRequests.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { Connection } from '../agent.ts';

describe('protocol/wire/limits', () => {
  const clock = holdClock();

  it('names the limits of open requests, and takes them again once there is room', () => {
    for (const [count, size, data] of [
      [1024, 1, { limit: 1024, unit: 'open requests' }],
      [2, MAX_OPEN_SIZE / 2, { limit: MAX_OPEN_SIZE, unit: 'characters of open requests' }],
      [1, MAX_OPEN_SIZE + 1, { limit: MAX_OPEN_SIZE, unit: 'characters of open requests' }],
    ] as const) {
      const open = new OpenRequests();
      for (let id = 0; id < count; id++) {
        open.requireRoom(id, size);
        open.begin(id, { method: 'a', size, answers: { settle: () => 0 } });
      }
      assert.throws(() => open.requireRoom('over', 1), { code: -32000, data });
      open.end(0);
      open.requireRoom('over', 1);
    }
  });

  it('names a limit of subscriptions', () => {
    const uris = (count: number, length: number) =>
      new Set(Array.from({ length: count }, (_, index) => `${index}`.padStart(length, 'x')));
    requireRoom(uris(1_000, 1_000));
    assert.throws(() => requireRoom(uris(2, 600_000)), {
      code: -32000,
      data: { limit: 1_048_576, unit: 'characters of subscribed URIs' },
    });
  });

  it('counts subscriptions that are asked for at once', async () => {
    const agent = new Connection();
    await agent.initialize('2025-11-25');
    const params = (name: string) => ({ uri: `test:${name.repeat(600_000)}` });
    for (const id of ['a', 'b'])
      agent.write({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: params(id) });
    const { error } = await agent.answerTo('b');
    assert.deepEqual([error.code, error.data.limit], [-32000, 1_048_576]);
    await agent.request('resources/unsubscribe', params('a'));
    assert.ok((await agent.request('resources/subscribe', params('b'))).result);
    agent.close();
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
