import assert from 'node:assert/strict';
import { Outbox } from '../../../../src/protocol/wire/outbox.ts';

const updated = (uri: string) =>
  ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }) as const;
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } } as const;
const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;

describe('protocol/wire/outbox', () => {
  it('tells an agent that does not read of each change once, when it reads again', () => {
    const sent: unknown[] = [];
    let unread = 17 * 1024 * 1024;
    const outbox = new Outbox({
      send: (text) => void sent.push(JSON.parse(text)),
      unread: () => unread,
      end: () => {},
    });
    for (let times = 0; times < 1000; times++) {
      outbox.send(updated('a'));
      outbox.send(updated('b'));
      outbox.send(progress);
    }
    outbox.send(answer);
    assert.deepEqual(sent.splice(0), [answer]);
    unread = 0;
    outbox.drained();
    assert.deepEqual(sent.splice(0), [updated('a'), updated('b')]);
    outbox.send(progress);
    outbox.drained();
    assert.deepEqual(sent, [progress]);
  });
});
