import assert from 'node:assert/strict';
import { CANCELLED_BY_USER } from '../../../../src/core/cancelled.ts';
import type { Context } from '../../../../src/features/context.ts';
import { waitForOwn } from '../../../../src/features/run/waiting.ts';
import { AgentRun } from '../../../../src/services/run/agentRun.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { silent } from '../../log.ts';

describe('features/run/waiting: a call that has started a run', () => {
  const clock = holdClock();
  const ctx = { log: silent, files: { redactor: { text: (text: string) => text } } } as unknown as Context;
  let run: AgentRun;
  let stopped: string[];
  let told: string[];
  let request: AbortController;
  beforeEach(() => {
    stopped = [];
    told = [];
    request = new AbortController();
    run = new AgentRun({
      id: 3,
      kind: 'command',
      title: 'make',
      author: { id: 1, agent: 'a' },
      identity: '',
      appRoot: '/',
    });
    run.running = { stop: (by) => void stopped.push(by) };
  });

  const waiting = (seconds: number) => {
    const call = { signal: request.signal, becomeTask: (status: string) => void told.push(status) };
    let isOver = false;
    const over = waitForOwn(run, seconds, call, ctx).then(() => {
      isOver = true;
    });
    return { over, isOver: () => isOver };
  };

  it('becomes a task after the usual time, until the run ends', async () => {
    const { over, isOver } = waiting(45);
    await clock.pass(44_000);
    assert.deepEqual(told, []);
    await clock.pass(60 * 60_000);
    assert.equal(isOver(), false);
    assert.match(told.join(), /^Run 3 \(make\) goes on\.$/);
    run.end({ exitCode: 0 });
    await clock.pass(0);
    await over;
  });

  it('answers that it still runs where it was to wait less', async () => {
    const { over } = waiting(5);
    await clock.pass(5_000);
    await over;
    assert.deepEqual([told, stopped], [[], []]);
  });

  for (const [reason, by] of [
    [undefined, 'agent'],
    ['The client has cancelled the task.', 'agent'],
    [CANCELLED_BY_USER, 'user'],
    ['SdkError: Request timed out', undefined],
    ['context deadline exceeded', undefined],
    [new Error('Connection closed'), undefined],
  ] as const)
    it(`that is cancelled stops the run, but at a time limit and with the connection: ${reason}`, async () => {
      const { over } = waiting(45);
      request.abort(reason);
      await over;
      assert.deepEqual(stopped, by ? [by] : []);
    });
});
