import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { until, useMachine } from './harness.ts';
import type { Message } from './rawAgent.ts';

const initialize = (protocolVersion = '2025-11-25'): Message => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'printf', version: '1' } },
});
const initialized = { jsonrpc: '2.0', method: 'initialized' };
const request = (id: unknown, method: string, params?: object): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const reading = (id: unknown, path: string): Message =>
  request(id, 'tools/call', { name: 'read_file', arguments: { path, maxCharacters: 2_000_000 } });
const lines = (...messages: Message[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const idsOf = (messages: Message[]): unknown[] => messages.map(({ id }) => id).sort();

describe('wire: framing', () => {
  const machine = useMachine();

  it('answers all of a pipeline whose stdin has ended, and exits with 0', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'hello' } } });
    const agent = window.rawAgent();
    agent.write(lines(initialize(), initialized, request(1, 'tools/list'), reading(2, 'a.txt')));
    assert.deepEqual(await agent.end(), { code: 0, stderr: '' });
    assert.deepEqual(idsOf(agent.received), [0, 1, 2]);
  });

  it('takes CRLF, empty lines, and a message in pieces that cut through a character', async () => {
    const window = await machine.open({ trees: { ws: { 'größe.txt': 'ok' } } });
    const agent = window.rawAgent();
    const bytes = Buffer.from(`${lines(initialize())}\r\n\n${JSON.stringify(reading(1, 'größe.txt'))}\r\n`);
    const middle = bytes.indexOf('ö') + 1;
    agent.write(bytes.subarray(0, middle));
    await agent.answerTo(0);
    agent.write(bytes.subarray(middle));
    assert.equal((await agent.answerTo(1)).result.content[0].text, 'ok');
  });

  it('carries a request of 1 MB and an answer of 1 MB, several at once', async () => {
    const big = `${'x'.repeat(1_000_000)}\n`;
    const window = await machine.open({ trees: { ws: { 'big.txt': big } } });
    const agent = window.rawAgent();
    await agent.initialize();
    const exclude = Array.from({ length: 100 }, (_, index) => `none-${index}-${'y'.repeat(900)}`);
    const find = { name: 'find_files', arguments: { query: 'big', exclude } };
    agent.send(reading('a', 'big.txt'), request('b', 'tools/call', find), reading('c', 'big.txt'));
    assert.equal((await agent.answerTo('a')).result.content[0].text, big);
    assert.equal((await agent.answerTo('b')).result.content[0].text, 'big.txt');
    assert.equal((await agent.answerTo('c')).result.content[0].text, big);
    const { result } = await agent.request('resources/read', { uri: window.uri('big.txt') });
    assert.equal(result.contents[0].text, big);
  });

  it('answers a batch by one array, notifications in it by nothing', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    await agent.initialize('2025-03-26');
    const notification = { jsonrpc: '2.0', method: 'notifications/log', params: { message: '开始批量操作' } };
    agent.send([request('1', 'tools/list'), notification, { jsonrpc: '2.0', id: '3' }]);
    const batch = await agent.until(Array.isArray);
    assert.deepEqual(idsOf(batch), ['1', '3']);
    assert.equal(batch.find(({ id }: Message) => id === '3').error.code, -32600);
    agent.received.length = 0;
    agent.send([notification]);
    await agent.request('ping');
    assert.equal(agent.received.length, 1, 'a batch of notifications has no answer');
  });

  it('refuses a message of 17 MB by its id, and answers those around it', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    await agent.initialize();
    const long = request('long', 'tools/call', { name: 'read_file', arguments: { path: 'x'.repeat(1.7e7) } });
    agent.send(request('before', 'ping'), long, request('after', 'ping'));
    const { error } = await agent.answerTo('long');
    assert.deepEqual([error.code, error.data.limit], [-32000, 16 * 1024 * 1024]);
    for (const id of ['before', 'after']) assert.deepEqual((await agent.answerTo(id)).result, {});
    assert.equal((await agent.end()).code, 0);
    assert.equal(agent.received.filter(({ id }) => id === 'long').length, 1);
  });

  it('begins no more large answers than an agent reads, and gives all of them in the end', async () => {
    const text = 'x'.repeat(2e6);
    const window = await machine.open({ trees: { ws: { 'large.txt': text } } });
    const agent = window.rawAgent();
    await agent.initialize();
    const before = process.memoryUsage().rss;
    let answers = 0;
    agent.onMessage = ({ result }) => {
      assert.equal(result.contents[0].text.length, text.length);
      agent.received.length = 0; // a test that kept them would not see what the window keeps
      answers++;
    };
    agent.pause();
    const uri = window.uri('large.txt');
    for (let id = 1; id <= 40; id++) agent.send(request(id, 'resources/read', { uri }));
    await delay(1_000);
    assert.ok(process.memoryUsage().rss - before < 160e6, 'the window has kept them all');
    agent.resume();
    await until(() => answers === 40, 'answers are missing');
  });

  it('takes a subscription back that is not made yet', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a' } } });
    const agent = window.rawAgent();
    await agent.initialize();
    const params = { uri: window.uri('a.txt') };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
    agent.send(request(1, 'resources/subscribe', params), request(2, 'resources/unsubscribe', params));
    agent.send(request(3, 'resources/subscribe', params), cancelled);
    for (const id of [1, 2]) await agent.answerTo(id);
    window.fake.person.types(window.fake.person.loads(window.path('a.txt')), 'typed');
    await delay(500); // longer than the time after which a change is told
    assert.deepEqual(
      agent.received.filter(({ method }) => method === 'notifications/resources/updated'),
      [],
    );
  });
});
