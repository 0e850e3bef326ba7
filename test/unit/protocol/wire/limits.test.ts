import assert from 'node:assert/strict';
import { idOfPart, MAX_LINE } from '../../../../src/core/jsonRpc.ts';
import { MAX_SIZE, RateLimit, requireRoom } from '../../../../src/protocol/wire/limits.ts';
import { Connection } from '../agent.ts';

describe('protocol/limits', () => {
  let agent: Connection;
  beforeEach(() => {
    agent = new Connection();
  });
  afterEach(() => agent.close());

  const PARTS: [what: string, beginning: string, ending: string, id: unknown][] = [
    ['first', '{"jsonrpc":"2.0","id":7,"method":"x', 'y"}', 7],
    ['first of all', '{ "id" : "a\\"b", "method":"x', 'y"}', 'a"b'],
    ['last', '{"method":"x","params":{', '"}},"jsonrpc":"2.0","id":7}', 7],
    ['last but the version', '{"method":"x', '"}},"id":"a","jsonrpc":"2.0"}\r', 'a'],
    ['deeper inside', '{"method":"x","params":{"id":1,', '"id":7}}', undefined],
    ['of another kind', '{"jsonrpc":"2.0","id":{"a":1},', '}', undefined],
    ['nowhere', '{"method":"x', '"}', undefined],
  ];
  for (const [what, beginning, ending, id] of PARTS)
    it(`finds an id that is ${what}`, () => assert.equal(idOfPart(beginning, ending), id));

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
    assert.deepEqual([error.code, error.data.limit], [-32000, MAX_SIZE]);
    assert.equal(agent.held.length, 4);
    assert.ok((await agent.request('ping')).result);
  });

  it('names a limit of subscriptions', () => {
    requireRoom(9_999);
    assert.throws(() => requireRoom(10_000), {
      code: -32000,
      data: { limit: 10_000, unit: 'subscribed resources' },
    });
  });

  it('lets a burst through, and then so many a second', () => {
    const limit = new RateLimit(0);
    const passing = (now: number) => {
      let count = 0;
      while (limit.take(now)) count++;
      return count;
    };
    assert.deepEqual([passing(0), passing(0), passing(100), passing(1e9)], [100_000, 0, 5_000, 100_000]);
  });
});
