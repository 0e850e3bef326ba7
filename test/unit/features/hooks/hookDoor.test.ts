import assert from 'node:assert/strict';
import type { HookEvent, HookReply } from '../../../../src/core/hooks/event.ts';
import { HookDoor } from '../../../../src/features/hooks/hookDoor.ts';
import { holdClock } from '../../../fakes/clock.ts';

const of = (moment: HookEvent['moment'], more: Partial<HookEvent> = {}): HookEvent => ({
  agent: 'copilot-cli',
  moment,
  session: 's',
  cwd: '/ws',
  ...more,
});

describe('features/hooks/hookDoor', () => {
  const clock = holdClock();
  let isTrusted = true;
  let taken: HookEvent[];
  let errors: unknown[];
  let reply: (event: HookEvent, signal: AbortSignal) => Promise<HookReply>;
  let door: HookDoor;
  beforeEach(() => {
    isTrusted = true;
    taken = [];
    errors = [];
    reply = async () => ({ goOn: 'Fix\na.ts' });
    door = new HookDoor({
      take(event, _ctx, signal) {
        taken.push(event);
        return reply(event, signal);
      },
    });
  });

  const answer = (event: HookEvent, signal = new AbortController().signal) =>
    door.answer(
      event,
      {
        vscode: { workspace: { isTrusted } },
        log: { error: (error: unknown) => errors.push(error) },
      } as never,
      signal,
    );
  const marks = () => taken.map(({ isContinued }) => isContinued);

  it('asks an agent to go on once, also where that does not tell that it did', async () => {
    assert.notEqual(await answer(of('stop')), '');
    assert.equal(await answer(of('prompt', { prompt: 'Fix a.ts' })), '');
    assert.equal(await answer(of('after')), '');
    assert.equal(await answer(of('stop')), '');
    assert.deepEqual(marks(), [undefined, true, true, true]);
    assert.notEqual(await answer(of('stop')), '');
  });

  it('begins anew with a prompt of the person, and tells sessions apart', async () => {
    await answer(of('stop'));
    assert.notEqual(await answer(of('stop', { session: 'other' })), '');
    await answer(of('prompt', { prompt: 'Something else' }));
    assert.notEqual(await answer(of('stop')), '');
    await answer(of('prompt'));
    assert.deepEqual(marks(), [undefined, undefined, undefined, undefined, undefined]);
  });

  it('says nothing in a window that is not trusted', async () => {
    isTrusted = false;
    assert.equal(await answer(of('stop')), '');
    assert.deepEqual(taken, []);
  });

  it('says nothing after its time, and tells that nobody waits', async () => {
    let given: AbortSignal | undefined;
    reply = (_event, signal) => {
      given = signal;
      return new Promise(() => {});
    };
    const waiting = answer(of('before'));
    clock.tick(299);
    assert.equal(given?.aborted, false);
    clock.tick(1);
    assert.equal(await waiting, '');
    assert.equal(given?.aborted, true);
  });

  it('says nothing, and logs why, where something fails; not where the agent has gone', async () => {
    const problem = new Error('bug');
    reply = () => Promise.reject(problem);
    assert.equal(await answer(of('stop')), '');
    assert.deepEqual(errors, [problem]);
    assert.equal(await answer(of('stop'), AbortSignal.abort()), '');
    assert.equal(errors.length, 1);
  });
});
