import assert from 'node:assert/strict';
import { InFlight } from '../../../../src/shim/relay/inFlight.ts';
import { readAgentLine } from '../../../../src/shim/relay/jsonRpc.ts';

const request = (id: unknown, method = 'tools/call'): object => ({ jsonrpc: '2.0', id, method });
const answer = (id: unknown): object => ({ jsonrpc: '2.0', id, result: {} });
const line = (message: unknown): Buffer => Buffer.from(JSON.stringify(message));

describe('shim/inFlight', () => {
  let inFlight: InFlight;
  const sentBytes = (bytes: Buffer) => inFlight.sent(bytes, readAgentLine(bytes));
  const sent = (message: unknown) => sentBytes(line(message));
  const ids = () => inFlight.all.map(({ id }) => id);
  const answered = (message: unknown): void => inFlight.answered(line(message));
  beforeEach(() => {
    inFlight = new InFlight();
  });

  it('counts what is sent and not answered, and tells 1 from "1"', () => {
    for (const id of [1, '1', 2]) sent(request(id));
    answered(answer(1));
    assert.deepEqual(ids(), ['1', 2]);
    answered(answer('1'));
    answered(answer('unknown'));
    assert.deepEqual(ids(), [2]);
  });

  it('waits for two answers where an id was used twice', () => {
    sent(request(1));
    sent(request(1));
    answered(answer(1));
    assert.equal(inFlight.awaited, 1);
    answered(answer(1));
    assert.equal(inFlight.awaited, 0);
  });

  it('keeps the first request where an id that is in use was refused', () => {
    sent(request('d', 'tools/call'));
    sent(request('d', 'ping'));
    answered({ jsonrpc: '2.0', id: 'd', error: { code: -32600, message: 'in use' } });
    assert.deepEqual(
      inFlight.all.map(({ method }) => method),
      ['tools/call'],
    );
  });

  it('takes a refusal for that of the line that no window takes', () => {
    sent([{ jsonrpc: '2.0', method: 'n' }]);
    sent(Array.from({ length: 1025 }, (_, id) => request(id)));
    answered({ jsonrpc: '2.0', id: null, error: {} });
    assert.deepEqual(ids(), []);
  });

  it('does not wait for what was cancelled', () => {
    sent(request(1));
    sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    assert.deepEqual(ids(), []);
  });

  it('does not wait for a subscription, but knows that it is open', () => {
    sent(request(1, 'subscriptions/listen'));
    assert.deepEqual([inFlight.awaited, ids()], [0, [1]]);
    answered(answer(1));
    assert.deepEqual([inFlight.awaited, ids()], [0, []]);
  });

  it('settles a batch by its array of answers', async () => {
    sent([request(1), request(2)]);
    answered([answer(2), answer(1)]);
    assert.equal(await inFlight.drained(0, 60_000), true);
  });

  it('settles a batch that was refused as a whole, in turn', () => {
    sentBytes(Buffer.from('not JSON'));
    sent([request(1), request(2)]);
    answered({ jsonrpc: '2.0', id: null, error: {} });
    assert.deepEqual(ids(), [1, 2]);
    answered({ jsonrpc: '2.0', id: null, error: {} });
    assert.deepEqual(ids(), []);
  });

  it('waits for a request whose id a batch has as well that was refused as a whole', () => {
    sent(request(1, 'resources/unsubscribe'));
    sent([request(1, 'subscriptions/listen')]);
    answered({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } });
    assert.deepEqual([inFlight.awaited, inFlight.streams.length], [1, 0]);
    answered(answer(1));
    assert.equal(inFlight.awaited, 0);
  });

  it('does not take the refusal of another line for that of a batch, which may have been taken', () => {
    sent([request(1)]);
    sentBytes(Buffer.from('not JSON'));
    answered({ jsonrpc: '2.0', id: null, error: {} });
    assert.deepEqual(ids(), [1]);
    sent([{}, 'none']);
    answered([null, null].map((id) => ({ jsonrpc: '2.0', id, error: {} })));
    assert.deepEqual(ids(), [1]);
    answered([answer(1)]);
    assert.deepEqual(ids(), []);
  });

  it('settles a very long request that was refused unread', () => {
    sent({ ...request(1), params: 'x'.repeat(1024 * 1024) });
    answered({ jsonrpc: '2.0', id: null, error: {} });
    assert.deepEqual(ids(), []);
  });

  it('is drained with the last answer', async () => {
    sent(request(1));
    const drained = inFlight.drained(60_000, 60_000);
    answered(answer(1));
    assert.equal(await drained, true);
  });

  it('is drained with the refusal of a line that is no request', async () => {
    sentBytes(Buffer.from('not JSON'));
    const drained = inFlight.drained(60_000, 60_000);
    answered({ jsonrpc: '2.0', id: null, error: {} });
    assert.equal(await drained, true);
  });

  it('gives up on answers after the time-out, and counts a missing refusal as nothing', async () => {
    sentBytes(Buffer.from('not JSON'));
    assert.equal(await inFlight.drained(1, 1), true);
    sent(request(1));
    assert.equal(await inFlight.drained(1, 1), false);
  });
});
