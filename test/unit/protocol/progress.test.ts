import assert from 'node:assert/strict';
import type { ServerContext } from '@modelcontextprotocol/server';
import { progressOf } from '../../../src/protocol/progress.ts';

function call(progressToken?: string | number, signal = new AbortController().signal) {
  const sent: Record<string, unknown>[] = [];
  const notify = async ({ params }: { params: Record<string, unknown> }) => {
    sent.push(params);
    throw new Error('the connection has gone');
  };
  const mcpReq = { _meta: { progressToken }, signal, notify };
  return { sent, progress: progressOf({ mcpReq } as unknown as ServerContext) };
}

describe('protocol/progress', () => {
  it('is sent only where there is a token; 0 is one', () => {
    for (const [token, count] of [
      [undefined, 0],
      [0, 1],
      ['', 1],
    ] as const) {
      const { sent, progress } = call(token);
      progress(1);
      assert.equal(sent.length, count);
    }
  });

  it('is throttled, and the last one is sent', () => {
    const { sent, progress } = call('t');
    for (let count = 1; count <= 1000; count++) progress(count, 1000);
    assert.ok(sent.length < 20);
    assert.deepEqual(sent.at(-1), { progressToken: 't', progress: 1000, total: 1000 });
  });

  it('rises strictly', () => {
    const { sent, progress } = call('t');
    for (const value of [5, 5, 4, 5]) progress(value, value, 'message');
    assert.deepEqual(sent, [{ progressToken: 't', progress: 5, total: 5, message: 'message' }]);
  });

  it('ends with the call', () => {
    const { sent, progress } = call('t', AbortSignal.abort());
    progress(1, 1);
    assert.deepEqual(sent, []);
  });
});
