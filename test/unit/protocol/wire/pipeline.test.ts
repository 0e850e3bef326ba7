import assert from 'node:assert/strict';
import { MAX_LINE } from '../../../../src/core/jsonRpc.ts';
import { Pipeline } from '../../../../src/protocol/wire/pipeline.ts';

const ping = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }, undefined, 2);

describe('protocol/wire/pipeline', () => {
  let unread: number;
  let ended: boolean;
  let sent: unknown[];
  /** With nothing but texts on the agent's side: no stream, no lines. Nobody answers its requests. */
  let pipeline: Pipeline;
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
    pipeline = new Pipeline({ send, unread: () => unread, end }, hooks);
  });

  it('takes whole messages, and refuses an id that is in use, what is too long, and too much', () => {
    for (const text of ['no JSON', ping(2), ping(2), ping('long').padEnd(MAX_LINE + 1)]) pipeline.take(text);
    for (let id = 10; id < 14; id++) pipeline.take(ping(id).padEnd(MAX_LINE));
    assert.deepEqual(sent, [
      [null, -32700],
      [2, -32600],
      ['long', -32000],
      [13, -32000],
    ]);
  });

  it('says when the next message may be given', async () => {
    assert.equal(pipeline.take(ping(1)), undefined);
    unread = 17 * 1024 * 1024;
    const later = pipeline.take(ping(2));
    assert.ok(later);
    unread = 0;
    pipeline.drained();
    await later;
    assert.equal(pipeline.take(ping(3)), undefined);
  });

  it('ends with what carries it', () => {
    pipeline.close();
    assert.ok(ended);
    pipeline.take('no JSON');
    assert.deepEqual(sent, []);
  });
});
