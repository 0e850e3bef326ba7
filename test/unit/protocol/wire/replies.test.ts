import assert from 'node:assert/strict';
import { Batch, MAX_BATCH_ANSWER, type WireReply } from '../../../../src/protocol/wire/requests.ts';
import { Wire } from '../../../../src/protocol/wire/wire.ts';

describe('protocol/wire/replies: the user sees', () => {
  it('what was sent in place of an answer that is too large', async () => {
    const ended: (WireReply | undefined)[] = [];
    const outlet = { send() {}, unread: () => 0, end() {} };
    const hooks = {
      onRequest: () => undefined,
      onEnd: (_: unknown, reply?: WireReply) => void ended.push(reply),
    };
    const wire = new Wire(outlet, hooks);
    const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } });
    const answer = (id: number, result: object) => wire.send({ jsonrpc: '2.0', id, result } as never);
    wire.take(JSON.stringify(request(1)));
    const toJSON = () => {
      throw new RangeError('Invalid string length');
    };
    await answer(1, { toJSON });
    wire.take(JSON.stringify([request(2), request(3)]));
    for (const id of [2, 3]) await answer(id, { text: 'x'.repeat(MAX_BATCH_ANSWER / 2) });
    assert.deepEqual(
      ended.map((reply) => [reply?.id, reply && 'error' in reply]),
      [
        [1, true],
        [2, false],
        [3, true],
      ],
    );
  });
});

describe('protocol/wire/replies: a batch', () => {
  it('answers what is too much by an error, and what still fits as it is', () => {
    let sent: readonly WireReply[] = [];
    const batch = new Batch(3, (replies) => {
      sent = replies;
    });
    const text = 'x'.repeat(MAX_BATCH_ANSWER / 2);
    for (const [id, result] of [text, text, ''].entries())
      batch.settle({ jsonrpc: '2.0', id, result: { text: result } } as WireReply);
    assert.deepEqual(
      sent.map((reply) => [reply.id, 'error' in reply && reply.error.code]),
      [
        [0, false],
        [1, -32000],
        [2, false],
      ],
    );
  });
});
