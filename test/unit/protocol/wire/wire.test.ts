import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { MAX_LINE } from '../../../../src/core/jsonRpc.ts';
import { Wire } from '../../../../src/protocol/wire/wire.ts';
import { Connection, type Message, MODERN } from '../agent.ts';

const request = (id: unknown, method: string, params?: object): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const hold = (id: unknown) => request(id, 'tools/call', { name: 'hold', arguments: {} });
const list = (id: unknown) => request(id, 'tools/list');
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
const notification = { jsonrpc: '2.0', method: 'notifications/log', params: { level: 'info', data: 'x' } };
const codes = (messages: Message[]): unknown[] => messages.map(({ id, error }) => [id, error?.code]);

let connection: Connection;
const open = async (version?: string) => {
  connection = new Connection();
  if (version) await connection.initialize(version);
  return connection;
};

describe('protocol/wire/wire: batches', () => {
  afterEach(() => connection.close());

  it('are answered by one array, each message as it deserves', async () => {
    const agent = await open('2025-03-26');
    const messages = [{ jsonrpc: '2.0', id: 2 }, 42, request('x', 'no/such'), request(null, 'ping')];
    agent.write([list(1), notification, ...messages]);
    const batch: Message[] = await agent.next(Array.isArray);
    assert.deepEqual(codes(batch).map(String).sort(), [',-32600', ',-32600', '1,', '2,-32600', 'x,-32601']);
    await agent.settle();
    assert.equal(agent.received.filter(Array.isArray).length, 1);
  });

  for (const version of ['2025-06-18', '2026-07-28'])
    it(`are refused in ${version}`, async () => {
      const meta = version === '2026-07-28' ? { _meta: MODERN } : {};
      const agent = await open(version === '2026-07-28' ? undefined : version);
      await agent.request('tools/list', meta);
      agent.write([request(1, 'tools/list', meta)]);
      assert.deepEqual(codes([await agent.next(({ error }) => error)]), [[null, -32600]]);
      await agent.request('tools/list', meta);
      assert.ok(!agent.received.some(({ id }) => id === 1));
    });

  it('of notifications alone get no answer', async () => {
    const agent = await open('2025-03-26');
    const before = agent.received.length;
    agent.write([notification, notification], [{ jsonrpc: '2.0', id: 9, result: 'none' }]);
    await agent.settle();
    assert.equal(agent.received.length, before + 3);
  });

  it('may not hold initialize', async () => {
    const agent = await open();
    agent.write([
      request(1, 'initialize', {
        protocolVersion: '2025-03-26',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      }),
    ]);
    assert.deepEqual(codes(await agent.next(Array.isArray)), [[1, -32600]]);
    assert.ok((await agent.initialize('2025-03-26')).result);
  });

  it('do not wait for what is cancelled, and say nothing where all of it is', async () => {
    const agent = await open('2025-03-26');
    agent.write([hold(1), list(2), cancel(1)], [hold(3), cancel(3)]);
    assert.deepEqual(codes(await agent.next(Array.isArray)), [[2, undefined]]);
    await agent.settle();
    for (const { finish } of agent.held) finish();
    await agent.settle();
    assert.equal(agent.received.filter(Array.isArray).length, 1);
  });
});

describe('protocol/wire/wire: requests in flight', () => {
  afterEach(() => connection.close());

  it('sends nothing for what is cancelled, and its id is free again; one in use is not', async () => {
    const agent = await open('2025-11-25');
    agent.write(hold(1));
    await agent.settle();
    agent.write(cancel(1), cancel(1), cancel('none'), cancel(undefined));
    await agent.settle();
    const [held] = agent.held;
    assert.equal(held?.call.signal.aborted, true);
    agent.write(hold(1), list(1));
    await agent.settle();
    assert.deepEqual(codes(agent.received.filter(({ id }) => id === 1)), [[1, -32600]]);
    agent.received.length = 0;
    held?.finish();
    await agent.settle();
    assert.ok(!agent.received.some(({ id }) => id === 1));
    agent.held[1]?.finish();
    assert.equal((await agent.answerTo(1)).result.content[0].text, 'finished');
  });

  it('writes the id first', async () => {
    const agent = await open('2025-11-25');
    agent.write(list('a'), request('b', 'no/such'), request('c', 'resources/read', { uri: 'test:missing' }));
    for (const id of ['a', 'b', 'c']) await agent.answerTo(id);
    const lines = agent.lines.filter((line) => !line.includes('"method"'));
    for (const line of lines) assert.match(line, /^\{"jsonrpc":"2.0","id":/);
  });

  it('aborts what is in flight when the connection ends, and forgets the agent', async () => {
    const agent = await open('2025-11-25');
    agent.write(hold(1));
    await agent.settle();
    assert.equal(agent.agents.length, 1);
    agent.socket.end();
    await turn();
    assert.equal(agent.held[0]?.call.signal.aborted, true);
    agent.socket.destroy();
    await turn();
    assert.equal(agent.agents.length, 0);
  });

  it('takes no more requests while the agent does not read, and all of them in the end', async () => {
    const agent = await open('2025-11-25');
    agent.socket.pause();
    const echo = (id: number) =>
      request(id, 'tools/call', { name: 'echo', arguments: { say: 'x', times: 1e6 } });
    for (let id = 0; id < 20; id++) {
      agent.write(echo(id));
      await turn();
    }
    agent.write(hold('held'));
    for (let count = 0; count < 20; count++) await turn();
    assert.equal(agent.held.length, 0);
    agent.socket.resume();
    for (let id = 0; id < 20; id++) await agent.answerTo(id);
  });
});

const ping = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }, undefined, 2);

describe('protocol/wire/wire: texts in and out', () => {
  let unread: number;
  let ended: boolean;
  let sent: unknown[];
  /** With nothing but texts on the agent's side: no stream, no lines. Nobody answers its requests. */
  let wire: Wire;
  beforeEach(() => {
    unread = 0;
    ended = false;
    sent = [];
    const send = (text: string) => {
      const { id, error } = JSON.parse(text);
      sent.push([id, error.code]);
    };
    const end = () => {
      ended = true;
    };
    const hooks = { onRequest: () => undefined, onEnd: () => {} };
    wire = new Wire({ send, unread: () => unread, end }, hooks);
  });

  it('takes whole messages, and refuses an id that is in use, what is too long, and too much', () => {
    for (const text of ['no JSON', ping(2), ping(2), ping('long').padEnd(MAX_LINE + 1)]) wire.take(text);
    for (let id = 10; id < 14; id++) wire.take(ping(id).padEnd(MAX_LINE));
    assert.deepEqual(sent, [
      [null, -32700],
      [2, -32600],
      ['long', -32000],
      [13, -32000],
    ]);
  });

  it('says when the next message may be given', async () => {
    assert.equal(wire.take(ping(1)), undefined);
    unread = 17 * 1024 * 1024;
    const later = wire.take(ping(2));
    assert.ok(later);
    unread = 0;
    wire.outbox.drained();
    await later;
    assert.equal(wire.take(ping(3)), undefined);
  });

  it('ends with what carries it', () => {
    void wire.close();
    assert.ok(ended);
    wire.take('no JSON');
    assert.deepEqual(sent, []);
  });
});
