import assert from 'node:assert/strict';
import type { Agent } from '../../../src/server/agent.ts';
import { holdClock } from '../../fakes/clock.ts';
import { until } from '../../until.ts';
import { Connection, MODERN } from '../protocol/agent.ts';

const hold = { name: 'hold', arguments: {} };
const CANCELLED = [{ type: 'text', text: 'The user cancelled this call.' }];

describe('server/agent: what the user sees and does', () => {
  const clock = holdClock();
  let connection: Connection;
  beforeEach(() => {
    connection = new Connection();
  });
  afterEach(() => {
    connection.close();
  });

  const agent = (): Agent => {
    const [one] = connection.sessions.agents();
    assert.ok(one);
    return one;
  };
  const running = () => agent().calls.filter(({ state }) => state === 'running');
  const cancelAll = () => {
    for (const call of running()) agent().cancel(call);
  };

  it('the calls, with what was asked and answered as it went over the wire', async () => {
    await connection.initialize();
    await connection.request('tools/call', { name: 'echo', arguments: { say: 'hello' } });
    const { calls, callCount } = agent();
    assert.equal(callCount, 1);
    const shown = calls.map(({ name, about, state }) => [name, about, state]);
    assert.deepEqual(shown, [['echo', 'hello', 'done']]);
    const [call] = calls;
    assert.deepEqual(JSON.parse(JSON.stringify(call?.response)), connection.received.at(-1));
    assert.deepEqual(call?.request?.params, { name: 'echo', arguments: { say: 'hello' } });
  });

  it('changes of calls are reported soon, once for many', async () => {
    let words = 0;
    connection.onDidChangeCalls = () => words++;
    await connection.initialize();
    for (let count = 0; count < 20; count++) await connection.request('tools/list');
    await clock.pass(100);
    assert.equal(words, 1);
  });

  for (const [era, meta] of [
    ['2025-11-25', {}],
    ['2026-07-28', { _meta: MODERN }],
  ] as const) {
    it(`cancelling a call answers it, and aborts what runs for it (${era})`, async () => {
      const isModern = era !== '2025-11-25';
      if (!isModern) await connection.initialize();
      const answer = connection.request('tools/call', { ...hold, ...meta });
      await connection.settle(isModern);
      cancelAll();
      const { result } = await answer;
      assert.deepEqual([result.content, result.isError], [CANCELLED, true]);
      assert.equal(result.resultType, isModern ? 'complete' : undefined);
      await connection.settle(isModern);
      assert.equal(connection.held[0]?.call.signal.aborted, true);
      assert.deepEqual(running(), []);
      connection.held[0]?.finish();
      await connection.settle(isModern);
      assert.equal(connection.received.filter(({ id }) => id === 'own-0' || id === 'own-1').length, 2);
      assert.equal(agent().calls.find(({ name }) => name === 'hold')?.state, 'cancelled');
    });
  }

  it('a call that has ended is not cancelled, nor another one of the same id', async () => {
    await connection.initialize();
    connection.write({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await connection.answerTo(1);
    const ended = agent().calls.find(({ requestId }) => requestId === 1);
    assert.ok(ended);
    connection.write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: hold });
    await connection.settle();
    agent().cancel(ended);
    assert.equal(running().length, 1);
  });

  it('what the agent cancels itself is shown as that', async () => {
    await connection.initialize();
    connection.write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: hold });
    connection.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await connection.settle();
    assert.equal(agent().calls[0]?.state, 'cancelled');
    assert.equal(agent().calls[0]?.response, undefined);
  });

  it('disconnecting answers what runs, and takes back what was allowed for the session', async () => {
    await connection.initialize();
    const answer = connection.request('tools/call', hold);
    await connection.settle();
    const it = agent();
    it.allowed.add('edit');
    const closed = new Promise((resolve) => connection.socket.once('end', resolve));
    it.disconnect();
    assert.deepEqual((await answer).result.content, CANCELLED);
    await closed;
    await until(() => connection.sessions.agents().length === 0, 'the end of its session');
    assert.deepEqual(connection.agents, []);
    assert.equal(it.allowed.size, 0);
    assert.equal(connection.held[0]?.call.signal.aborted, true);
  });
});
