import assert from 'node:assert/strict';
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
const open = async (version?: string, options?: ConstructorParameters<typeof Connection>[0]) => {
  connection = new Connection(options);
  if (version) await connection.initialize(version);
  return connection;
};

describe('protocol/wire/transport: batches', () => {
  afterEach(() => connection.close());

  for (const version of ['2024-11-05', '2025-03-26']) {
    it(`${version}: are answered by one array, each message as it deserves`, async () => {
      const agent = await open(version);
      agent.write([
        list(1),
        notification,
        { jsonrpc: '2.0', id: 2 },
        42,
        request('x', 'no/such'),
        request(null, 'ping'),
      ]);
      const batch: Message[] = await agent.next(Array.isArray);
      const byId = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1);
      assert.deepEqual(
        codes(batch).sort(byId),
        [
          [1, undefined],
          [2, -32600],
          [null, -32600],
          [null, -32600],
          ['x', -32601],
        ].sort(byId),
      );
      await agent.settle();
      assert.equal(agent.received.filter(Array.isArray).length, 1);
    });
  }

  for (const version of ['2025-06-18', '2025-11-25']) {
    it(`${version}: are refused`, async () => {
      const agent = await open(version);
      agent.write([list(1)]);
      assert.deepEqual(codes([await agent.next(({ error }) => error)]), [[null, -32600]]);
      await agent.settle();
      assert.equal(
        agent.received.some(({ id }) => id === 1),
        false,
      );
    });
  }

  it('2026-07-28: are refused', async () => {
    const agent = await open();
    await agent.request('tools/list', { _meta: MODERN });
    agent.write([request(1, 'tools/list', { _meta: MODERN })]);
    assert.deepEqual(codes([await agent.next(({ error }) => error)]), [[null, -32600]]);
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
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    agent.write([request(1, 'initialize', params)]);
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

  it('of a million messages cost one answer', async () => {
    const agent = await open('2025-03-26');
    agent.write(Array(1_000_000).fill(1));
    assert.deepEqual(codes([await agent.next(({ error }) => error)]), [[null, -32600]]);
  });
});

describe('protocol/wire/transport: requests in flight', () => {
  afterEach(() => connection.close());

  it('answers garbage, and goes on', async () => {
    const agent = await open('2025-11-25');
    agent.socket.write('garbage\n\n{}\n');
    agent.write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'garbage' } });
    await agent.settle();
    assert.deepEqual(codes(agent.received.filter(({ error }) => error)), [
      [null, -32700],
      [null, -32600],
    ]);
  });

  it('refuses an id that is in use, and answers the first one still', async () => {
    const agent = await open('2025-11-25');
    agent.write(hold(1), list(1), list('1'));
    assert.equal((await agent.answerTo(1)).error.code, -32600);
    assert.ok((await agent.answerTo('1')).result);
    agent.held[0]?.finish();
    await agent.next(({ id, result }) => id === 1 && result);
    agent.write(list(1));
    await agent.next(({ id, result }) => id === 1 && result?.tools);
  });

  it('sends nothing for what is cancelled, and its id is free again', async () => {
    const agent = await open('2025-11-25');
    agent.write(hold(1));
    await agent.settle();
    agent.write(cancel(1), cancel(1), cancel('none'), cancel(undefined));
    await agent.settle();
    const [held] = agent.held;
    assert.equal(held?.call.signal.aborted, true);
    agent.write(hold(1));
    await agent.settle();
    held?.finish();
    await agent.settle();
    assert.equal(
      agent.received.some(({ id }) => id === 1),
      false,
    );
    agent.held[1]?.finish();
    assert.equal((await agent.answerTo(1)).result.content[0].text, 'finished');
  });

  it('takes 1024 at once and refuses the next, until there is room', async () => {
    const agent = await open('2025-11-25');
    agent.write(...Array.from({ length: 1024 }, (_, id) => hold(id)), list('over'));
    const { error } = await agent.answerTo('over');
    const { details, ...limit } = error.data;
    assert.deepEqual([error.code, limit], [-32000, { limit: 1024, unit: 'open requests' }]);
    assert.equal(details, error.message);
    agent.held[0]?.finish();
    await agent.answerTo(0);
    assert.ok((await agent.request('tools/list')).result);
  });

  it('writes the id first', async () => {
    const agent = await open('2025-11-25');
    agent.write(list('a'), request('b', 'no/such'), request('c', 'resources/read', { uri: 'test:missing' }));
    for (const id of ['a', 'b', 'c']) await agent.answerTo(id);
    const lines = agent.lines.filter((line) => !line.includes('"method"'));
    for (const line of lines) assert.match(line, /^\{"jsonrpc":"2.0","id":/);
  });

  it('takes a last message without a newline', async () => {
    const agent = await open('2025-11-25');
    agent.write(hold(1));
    await agent.settle();
    agent.socket.end(JSON.stringify(cancel(1)));
    await new Promise((resolve) => agent.socket.once('end', resolve));
    assert.equal(agent.held[0]?.call.signal.aborted, true);
  });

  it('aborts what is in flight when the connection ends, and forgets the agent', async () => {
    const agent = await open('2025-11-25');
    agent.write(hold(1));
    await agent.settle();
    assert.equal(agent.agents.length, 1);
    agent.socket.end();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(agent.held[0]?.call.signal.aborted, true);
    agent.socket.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(agent.agents.length, 0);
  });

  it('takes no more requests while the agent does not read, and all of them in the end', async () => {
    const agent = await open('2025-11-25');
    agent.socket.pause();
    const echo = (id: number) =>
      request(id, 'tools/call', { name: 'echo', arguments: { say: 'x', times: 1e6 } });
    for (let id = 0; id < 60; id++) {
      agent.write(echo(id));
      await new Promise((resolve) => setImmediate(resolve));
    }
    agent.write(hold('held'));
    for (let count = 0; count < 20; count++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(agent.held.length, 0);
    agent.socket.resume();
    for (let id = 0; id < 60; id++) await agent.answerTo(id);
  });
});
