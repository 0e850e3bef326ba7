import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { Message } from './rawAgent.ts';

const UPDATED = 'notifications/resources/updated';

const request = (id: unknown, method: string, params: object): Message => {
  return { jsonrpc: '2.0', id, method, params };
};
const reading = (id: unknown, path: string): Message =>
  request(id, 'tools/call', { name: 'read_file', arguments: { path, maxCharacters: 2_000_000 } });

describe('wire: framing', () => {
  const machine = useMachine();

  it('takes CRLF, empty lines, a message cut through a character, and 1 MB each way, several at once', async () => {
    const big = `${'x'.repeat(1_000_000)}\n`;
    const window = await machine.open({ trees: { ws: { 'größe.txt': big } } });
    const agent = window.rawAgent();
    const exclude = Array.from({ length: 100 }, (_, index) => `none-${index}-${'y'.repeat(900)}`);
    const find = { name: 'find_files', arguments: { query: 'größe', exclude } };
    const [lists, finds] = [request('0', 'tools/list', {}), request('b', 'tools/call', find)];
    const messages = [lists, reading('a', 'größe.txt'), finds, reading('c', 'größe.txt')];
    const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\r\n\n`).join(''));
    const middle = bytes.indexOf('ö') + 1;
    agent.write(bytes.subarray(0, middle));
    await agent.answerTo('0');
    agent.write(bytes.subarray(middle));
    for (const [id, text] of Object.entries({ a: big, b: 'größe.txt', c: big }))
      assert.equal((await agent.answerTo(id)).result.content[0].text, text);
  });

  it('takes a subscription back that is not made yet', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a', 'b.txt': 'b' } } });
    const agent = await window.greeted();
    const [params, other] = ['a.txt', 'b.txt'].map((file) => ({ uri: window.uri(file) })) as [object, object];
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };
    const [first, back] = [
      request(1, 'resources/subscribe', params),
      request(2, 'resources/unsubscribe', params),
    ];
    agent.send(first, back, request(3, 'resources/subscribe', params), cancelled); // at once: it must not be made before
    for (const id of [1, 2]) await agent.answerTo(id);
    await agent.request('resources/subscribe', other);
    for (const file of ['a.txt', 'b.txt'])
      window.fake.person.types(window.fake.person.loads(window.path(file)), 'typed');
    assert.deepEqual((await agent.notification(UPDATED)).params, other, 'what comes first');
  });
});
