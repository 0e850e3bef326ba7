import assert from 'node:assert/strict';
import { Batch, MAX_BATCH_ANSWER, type WireReply } from '../../../../src/protocol/wire/requests.ts';

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
