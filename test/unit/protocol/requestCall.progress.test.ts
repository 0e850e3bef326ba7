import assert from 'node:assert/strict';
import type { Call } from '../../../src/features/context.ts';
import { CallProgress } from '../../../src/protocol/requestCall.ts';
import { holdClock } from '../../fakes/clock.ts';
import { Connection } from './agent.ts';

interface Told {
  sent: Record<string, unknown>[];
  progress: Call['progress'];
}

/** Runs a call whose agent gave this token. */
async function during(
  progressToken: string | number | undefined,
  run: (told: Told) => unknown,
  signal = new AbortController().signal,
): Promise<Record<string, unknown>[]> {
  const sent: Record<string, unknown>[] = [];
  const notify = async ({ params }: { params: Record<string, unknown> }) => {
    sent.push(params);
    throw new Error('the connection has gone');
  };
  const call = new CallProgress({ _meta: { progressToken }, signal, notify } as never);
  await run({ sent, progress: call.report });
  call.sendHeld();
  call.end();
  return sent;
}

describe('protocol/requestCall: progress', () => {
  const clock = holdClock();

  it('is sent only where there is a token; 0 is one', async () => {
    const agent = new Connection();
    await agent.initialize();
    for (const [token, count] of [
      [undefined, 0],
      [0, 1],
      ['', 1],
    ] as const) {
      const _meta = token === undefined ? {} : { progressToken: token };
      agent.write({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hold', _meta } });
      await agent.settle();
      const held = agent.held.pop();
      held?.call.progress(1);
      held?.finish();
      await agent.answerTo(1);
      const sent = agent.received.splice(0).filter(({ method }) => method === 'notifications/progress');
      const progressTokens = sent.map(({ params }) => params.progressToken);
      assert.deepEqual(progressTokens, Array(count).fill(token));
    }
    agent.close();
  });

  it('is throttled, and the last one is sent', async () => {
    const sent = await during('t', ({ progress }) => {
      for (let count = 1; count <= 1000; count++) progress(count, 1000);
    });
    assert.equal(sent.length, 2);
    assert.deepEqual(sent.at(-1), { progressToken: 't', progress: 1000, total: 1000 });
  });

  it('rises strictly', async () => {
    const sent = await during('t', ({ progress }) => {
      for (const value of [5, 5, 4, 5]) progress(value, value, 'message');
    });
    assert.deepEqual(sent, [{ progressToken: 't', progress: 5, total: 5, message: 'message' }]);
  });

  it('ends with the call', async () => {
    const sent = await during('t', () => {});
    clock.tick(600);
    assert.deepEqual(sent, []);
    assert.deepEqual(await during('t', ({ progress }) => progress(1, 1), AbortSignal.abort()), []);
  });

  it('is told where the call itself tells nothing, between what it has told and may tell next', async () => {
    const sent = await during('t', ({ sent, progress }) => {
      progress(0, 2, 'a.ts');
      clock.tick(500);
      clock.tick(1_000);
      assert.equal(sent.length, 3);
      clock.tick(150); // past the pause
      progress(1, 2, 'b.ts');
      clock.tick(1_850);
    });
    assert.deepEqual(
      sent.map(({ progress, total, message }) => [progress, total, message]),
      [
        [0, 2, 'a.ts'],
        [0.5, 2, 'a.ts'],
        [0.75, 2, 'a.ts'],
        [1, 2, 'b.ts'],
        [1.5, 2, 'b.ts'],
      ],
    );
  });
});
