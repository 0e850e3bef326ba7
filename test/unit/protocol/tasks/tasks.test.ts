import assert from 'node:assert/strict';
import { Approvals } from '../../../../src/access/consent/approvals.ts';
import type { ApprovalRequest, Grantee } from '../../../../src/access/consent/types.ts';
import type { Call, Input } from '../../../../src/features/context.ts';
import { text } from '../../../../src/features/tool.ts';
import { Tasks } from '../../../../src/protocol/tasks/tasks.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { FakeConsent } from '../../../fakes/consent.ts';
import { silent } from '../../log.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a client gets
type Answer = any;

const RUN: ApprovalRequest = {
  kind: 'run',
  tool: 'run_command',
  subject: 'make',
  commandLine: 'make',
  arguments: { cwd: '/ws', env: { A: '1' } },
};
const FORM = { action: 'accept', content: { decision: 'Allow once' } };

describe('protocol/tasks/tasks: a call of a client that takes tasks', () => {
  const clock = holdClock();
  let isAway: boolean;
  let isWanted: boolean;
  let tasks: Tasks;
  let consent: FakeConsent;
  let approvals: Approvals;
  let grantee: Grantee;
  let request: AbortController;
  let input: Partial<Input>;
  beforeEach(() => {
    isAway = true;
    isWanted = true;
    tasks = new Tasks({ isAway: () => isAway, log: silent });
    consent = new FakeConsent();
    approvals = new Approvals({
      ...consent,
      setting: () => 'ask',
      asksInTerminal: () => isWanted,
      log: silent,
    });
    grantee = { asker: { agent: 'Claude Code' }, granted: new Set(), denied: new Set() };
    request = new AbortController();
    input = { answers: {} };
  });

  const run = (perform: (call: Call) => Promise<unknown>): Promise<Answer> => {
    const call = { signal: request.signal, input, progress() {}, log() {} } as unknown as Call;
    return tasks.run(call, perform);
  };
  const get = async (taskId: string): Promise<Answer> => tasks.find('tasks/get', { taskId });
  const answering = (taskId: string, key: string, answer: unknown) =>
    tasks.find('tasks/update', { taskId, inputResponses: { [key]: answer } });
  /** What the client is asked now. */
  const keyOf = async (taskId: string) => Object.keys((await get(taskId)).inputRequests ?? {})[0] ?? '';
  /** Asks whether it may run, and says what came of it. */
  const asks = (asked = RUN) =>
    run(async (call) => {
      const consent = await approvals.approve(asked, grantee, call as never).catch((error: Error) => error);
      return text(consent instanceof Error ? consent.message : consent);
    });
  const saidOf = async (taskId: string) => (await get(taskId)).result?.content[0].text;

  it('becomes a task once its question has been open for 20 s, and can be answered for half an hour', async () => {
    const answer = asks();
    await clock.pass(19_000);
    assert.equal(consent.questions.length, 1);
    await clock.pass(1_000);
    const { taskId, status, resultType } = await answer;
    assert.deepEqual([status, resultType], ['working', 'task']);
    await clock.pass(25 * 60_000);
    assert.equal((await get(taskId)).status, 'input_required');
    consent.answer({ allow: 'once' });
    await clock.pass(0);
    assert.equal(await saidOf(taskId), 'shown');
  });

  it('asks by a form while no window has the focus, which allows once, and shows all that runs', async () => {
    const answer = asks();
    await clock.pass(20_000);
    const { taskId } = await answer;
    isAway = false;
    assert.equal((await get(taskId)).status, 'working');
    isAway = true;
    const key = await keyOf(taskId);
    assert.match(key, /^form-[0-9a-f]{16}$/);
    const { message, requestedSchema } = (await get(taskId)).inputRequests[key].params;
    assert.match(message, /^run_command .*\nmake\ncwd: \/ws\nenv: \{\n│ {3}"A": "1"\n│ \}\n/s);
    assert.deepEqual(requestedSchema.properties.decision.enum, ['Allow once', 'Deny']);
    await answering(taskId, 'form', FORM);
    await answering(taskId, key, { action: 'cancel' });
    assert.equal((await get(taskId)).status, 'working');
    consent.answer({ deny: 'no' });
    await clock.pass(0);
    assert.match(await saidOf(taskId), /denied this call.*no$/s);

    const second = asks();
    await clock.pass(20_000);
    const next = (await second).taskId;
    const shown = await keyOf(next);
    isAway = false; // the terminal may be in a window
    await answering(next, shown, FORM);
    await clock.pass(0);
    assert.equal(await saidOf(next), 'shown');
    assert.equal(grantee.granted.size, 0);
    assert.equal(consent.questions.length, 2);
  });

  it('has no form unless the user wants it, nor for what a form cannot show: changes of files, and long texts', async () => {
    const diffs = [{ uri: undefined as never, path: 'a.ts', before: 'a', after: 'b' }];
    for (const [asked, wanted] of [
      [{ ...RUN, diffs }, true],
      [{ ...RUN, arguments: { script: 'x'.repeat(3_000) } }, true],
      [RUN, false],
    ] as const) {
      isWanted = wanted;
      const answer = asks(asked);
      await clock.pass(20_000);
      const { taskId } = await answer;
      assert.equal((await get(taskId)).status, 'working');
      consent.answer({ deny: '' });
      await clock.pass(0);
    }
  });

  it('has the answer to a question that it asks the client, in several rounds', async () => {
    const requests = (name: string) => ({ [name]: { method: 'roots/list' } }) as never;
    const { taskId } = await run(async ({ becomeTask, input: { answers, state, ask } }) => {
      becomeTask?.('At work');
      const given = [...((state as string[]) ?? []), ...Object.keys(answers)];
      return given.length < 2 ? ask(requests(`n${given.length}`), given) : text(given.join());
    });
    await clock.pass(0);
    const first = await keyOf(taskId);
    await answering(taskId, first, {});
    await clock.pass(0);
    const second = await keyOf(taskId);
    assert.match(`${first} ${second}`, /^n0-\w+ n1-\w+$/);
    await answering(taskId, first, {});
    await answering(taskId, second, {});
    await clock.pass(0);
    assert.equal(await saidOf(taskId), 'n0,n1');
  });

  it('is given up if nobody answers what it asks, and gives others their turn while it waits', async () => {
    const { taskId } = await run(async ({ becomeTask, input: { ask } }) => {
      becomeTask?.('At work');
      return ask({ a: { method: 'roots/list' } } as never);
    });
    await clock.pass(11 * 60_000);
    assert.match(await saidOf(taskId), /^Nobody answered/);

    const first = asks();
    await clock.pass(20_000);
    await first;
    const other: Grantee = { asker: { agent: 'gemini-cli' }, granted: new Set(), denied: new Set() };
    const signal = new AbortController().signal;
    const second = approvals.approve({ ...RUN, subject: 'second' }, other, { signal, progress() {} });
    await clock.pass(4 * 60_000);
    assert.deepEqual(
      consent.questions.map(({ subject }) => subject),
      ['make'],
    );
    await clock.pass(30_000);
    assert.deepEqual(
      consent.questions.map(({ subject }) => subject),
      ['make', 'second'],
    );
    consent.answer({ allow: 'once' });
    assert.equal(await second, 'shown');
    await clock.pass(0);
    assert.deepEqual(
      consent.questions.map(({ subject }) => subject),
      ['make', 'second', 'make'],
    );
  });

  it('goes on when its request is cancelled later, and ends with its task', async () => {
    let signal: AbortSignal | undefined;
    const perform = async (call: Call) => {
      signal = call.signal;
      call.becomeTask?.('At work');
      return new Promise(() => {});
    };
    const { taskId } = await run(perform);
    request.abort('late');
    assert.equal(signal?.aborted, false);
    await tasks.find('tasks/cancel', { taskId });
    assert.equal(signal?.aborted, true);
    assert.equal((await get(taskId)).status, 'cancelled');
    await tasks.find('tasks/cancel', { taskId });

    request = new AbortController();
    const byUser = (await run(perform)).taskId;
    tasks.get(byUser)?.cancelForUser();
    assert.deepEqual([await saidOf(byUser), signal?.aborted], ['The user cancelled this call.', true]);
    const closed = (await run(perform)).taskId;
    tasks.close();
    assert.match(await saidOf(closed), /window was closed .* unknown/);
  });

  it('fails as a task only by an error of the protocol, and answers at once what ends soon', async () => {
    const { taskId } = await run(async ({ becomeTask }) => {
      becomeTask?.('At work');
      throw new Error('broken');
    });
    await clock.pass(0);
    assert.partialDeepStrictEqual(await get(taskId), { status: 'failed', error: { code: -32603 } });
    assert.deepEqual(await run(async () => text('soon')), text('soon'));
    request.abort('gone');
    assert.deepEqual(
      await run(async ({ signal, becomeTask }) => {
        becomeTask?.('At work');
        return text(`${signal.reason}`);
      }),
      text('gone'),
    );
  });
});
