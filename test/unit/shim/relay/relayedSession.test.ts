import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type AgentLine, readAgentLine } from '../../../../src/shim/relay/jsonRpc.ts';
import { RelayedSession } from '../../../../src/shim/relay/relayedSession.ts';

const request = (id: unknown, method = 'tools/call'): object => ({ jsonrpc: '2.0', id, method });

describe('shim/relay/relayedSession', () => {
  let session: RelayedSession;
  const sent = (message: unknown): AgentLine => {
    const line = readAgentLine(Buffer.from(JSON.stringify(message))) as AgentLine;
    session.sent(line);
    return line;
  };
  const ids = () => session.open.map(({ id }) => id);
  const answered = (id: string | number | null, isRefused = false): void => {
    const open = session.get(id, isRefused);
    if (open) session.settle(open);
  };
  beforeEach(() => {
    session = new RelayedSession(new PassThrough(), new PassThrough());
  });

  it('counts what is sent and not answered, tells 1 from "1", and an id that is used twice', () => {
    for (const id of [1, '1', 2, 2]) sent(request(id));
    answered(1);
    assert.deepEqual(ids(), ['1', 2, 2]);
    for (const id of ['1', 'unknown', 2]) answered(id);
    assert.deepEqual(ids(), [2]);
    sent(request(2, 'ping'));
    answered(2, true);
    const methods = session.open.map(({ method }) => method);
    assert.deepEqual(methods, ['tools/call'], 'the later one of an id that is in use was refused');
  });

  it('does not wait for what was cancelled; a handshake cannot be', () => {
    sent(request(1));
    sent(request(2, 'initialize'));
    for (const requestId of [1, 2])
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    assert.deepEqual(ids(), [2]);
    assert.ok(session.isOpening);
  });

  it('does not wait for a subscription, but knows that it is open', () => {
    sent(request(1, 'subscriptions/listen'));
    assert.deepEqual([session.awaited.length > 0, ids()], [false, [1]]);
    answered(1);
    assert.deepEqual([session.awaited.length > 0, ids()], [false, []]);
  });

  it('keeps a line while any of its requests is open, and a line without requests always', () => {
    const batch = sent([request(1), request(2)]);
    const notification = sent({ jsonrpc: '2.0', method: 'n' });
    answered(2);
    assert.ok(session.isOwed(batch) && session.isOwed(notification));
    answered(1);
    assert.ok(!session.isOwed(batch));
  });

  it('is drained with the last answer, also to what can only be refused', async () => {
    sent([request(1), 7]);
    const drained = session.drained(60_000);
    answered(null);
    answered(1);
    assert.equal(await drained, true);
  });
});
