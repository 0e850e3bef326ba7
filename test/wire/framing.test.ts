import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { Message } from './rawAgent.ts';

const request = (id: unknown, method: string, params?: object): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const reading = (id: unknown, path: string): Message =>
  request(id, 'tools/call', { name: 'read_file', arguments: { path, maxCharacters: 2_000_000 } });

describe('wire: framing', () => {
  const machine = useMachine();

  it('takes CRLF, empty lines, and a message in pieces that cut through a character', async () => {
    const window = await machine.open({ trees: { ws: { 'größe.txt': 'ok' } } });
    const agent = window.rawAgent();
    const bytes = Buffer.from(
      `${JSON.stringify(request(0, 'tools/list'))}\r\n\n${JSON.stringify(reading(1, 'größe.txt'))}\r\n`,
    );
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

  it('takes a subscription back that is not made yet', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a', 'b.txt': 'b' } } });
    const agent = window.rawAgent();
    await agent.initialize();
    const [params, other] = ['a.txt', 'b.txt'].map((file) => ({ uri: window.uri(file) }));
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
    agent.send(request(1, 'resources/subscribe', params), request(2, 'resources/unsubscribe', params));
    agent.send(request(3, 'resources/subscribe', params), cancelled);
    for (const id of [1, 2]) await agent.answerTo(id);
    await agent.request('resources/subscribe', other);
    for (const file of ['a.txt', 'b.txt'])
      window.fake.person.types(window.fake.person.loads(window.path(file)), 'typed');
    const updated = await agent.notification('notifications/resources/updated');
    await agent.request('ping');
    assert.deepEqual(
      agent.received.filter(({ method }) => method === updated.method),
      [{ jsonrpc: '2.0', method: updated.method, params: other }],
    );
  });
});
