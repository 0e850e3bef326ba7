import assert from 'node:assert/strict';
import {
  AgentRequests,
  Batch,
  MAX_BATCH_ANSWER,
  MAX_OPEN_SIZE,
  ServerRequests,
  type WireReply,
} from '../../../../src/protocol/wire/requests.ts';
import { Wire } from '../../../../src/protocol/wire/wire.ts';
import { holdClock } from '../../../fakes/clock.ts';

const request = (size: number) => ({ method: 'a', size });

describe('protocol/wire/requests: those of the agent', () => {
  const clock = holdClock();

  it('names the limits of open requests, and takes them again once there is room', () => {
    for (const [count, size, data] of [
      [1024, 1, { limit: 1024, unit: 'open requests' }],
      [2, MAX_OPEN_SIZE / 2, { limit: MAX_OPEN_SIZE, unit: 'characters of open requests' }],
      [1, MAX_OPEN_SIZE + 1, { limit: MAX_OPEN_SIZE, unit: 'characters of open requests' }],
    ] as const) {
      const open = new AgentRequests();
      for (let id = 0; id < count; id++) open.begin(id, request(size));
      assert.throws(() => open.begin('over', request(1)), { code: -32000, data });
      open.end(0, open.get(0) ?? request(0));
      open.begin('over', request(1));
    }
  });

  it('names a limit of requests in a second', () => {
    const open = new AgentRequests();
    const begin = (id: number | string) => {
      open.begin(id, request(0));
      open.delete(id);
    };
    for (let id = 0; id < 100_000; id++) begin(id);
    clock.tick(999);
    assert.throws(() => begin('over'), {
      code: -32000,
      data: { limit: 100_000, unit: 'requests a second', retryAfterMs: 1000 },
    });
    clock.tick(1);
    begin('later');
  });
});

const ask = (id: number) => ({ jsonrpc: '2.0', id, method: 'roots/list' }) as const;
const answer = (id: string | number) => ({ jsonrpc: '2.0', id, result: { roots: [] } }) as const;
const takeBack = (requestId: number) =>
  ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'late' } }) as const;

/** The id by which a request goes out. */
const sent = (own: ServerRequests, id: number): string =>
  (own.outgoing(ask(id)) as unknown as { id: string }).id;

describe('protocol/wire/requests: those of the server', () => {
  it('go out with an id that no other connection has, and are answered by it', () => {
    const [one, other] = [new ServerRequests(), new ServerRequests()];
    const ids = [sent(one, 0), sent(one, 1), sent(other, 0)];
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.match(id, /^[0-9a-f]{8}:[01]$/);
    assert.deepEqual(one.incoming(answer(ids[1] ?? '')), answer(1));
    assert.deepEqual(one.incoming(answer(ids[0] ?? '')), answer(0));
  });

  it('are answered once, and by nothing else', () => {
    const [own, other] = [new ServerRequests(), new ServerRequests()];
    const id = sent(own, 0);
    for (const wrong of [0, '0', '', sent(other, 0), `${id}0`])
      assert.equal(own.incoming(answer(wrong)), undefined);
    assert.equal(own.incoming({}), undefined);
    assert.ok(own.incoming(answer(id)));
    assert.equal(own.incoming(answer(id)), undefined);
  });

  it('are taken back by the id that they went out with, and are not answered then', () => {
    const own = new ServerRequests();
    const id = sent(own, 0);
    assert.partialDeepStrictEqual(own.outgoing(takeBack(0)), { params: { requestId: id, reason: 'late' } });
    assert.equal(own.incoming(answer(id)), undefined);
  });

  it('of an earlier server on the connection are answered no more', () => {
    const own = new ServerRequests();
    const [first, second] = [sent(own, 0), sent(own, 0)];
    assert.equal(own.incoming(answer(first)), undefined);
    assert.deepEqual(own.incoming(answer(second)), answer(0));
  });

  it('leaves everything else as it is', () => {
    const own = new ServerRequests();
    for (const message of [
      answer(0),
      takeBack(7),
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const,
    ])
      assert.equal(own.outgoing(message), message);
  });
});

describe('protocol/wire/requests: the user sees', () => {
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

describe('protocol/wire/requests: a batch', () => {
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
