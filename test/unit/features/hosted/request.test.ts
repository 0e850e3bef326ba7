import assert from 'node:assert/strict';
import type { Call, Context } from '../../../../src/features/context.ts';
import { send } from '../../../../src/features/hosted/request.ts';
import type { Hosted } from '../../../../src/hosting/servers/hosted.ts';
import type { UseOptions } from '../../../../src/hosting/servers/serverProcess.ts';
import { CALL, cleanUp, openWindow } from '../window.ts';

/** Nested so deep that no stack holds it. */
const deep = (): object => JSON.parse(`${'{"a":'.repeat(100_000)}"cheese"${'}'.repeat(100_000)}`);

function windowWith(pattern = 'cheese'): Context {
  const { ctx, fake } = openWindow();
  fake.person.sets('workspaceMcp.access.redact', [pattern]);
  return ctx;
}

/** A server that sends a message and then its answer. */
const serverOf = (answer: object, message?: object): Hosted =>
  ({
    name: 'Deep',
    slug: 'deep',
    questions: { forAgents: [] },
    async withClient(_agent: unknown, _run: unknown, { onMessage }: UseOptions) {
      if (message) onMessage?.({ method: 'notifications/message', params: { ...message } });
      return answer;
    },
  }) as unknown as Hosted;

const check = () => {};

/** A call of one of its tools. */
const requestTo = (server: Hosted, call: Call) => ({
  server,
  method: 'tools/call',
  params: {},
  ctx: windowWith(),
  call,
  readOnly: false,
  check,
});

describe('features/hosted/request: what is redacted', () => {
  afterEach(cleanUp);

  it('refuses an answer that nests too deep to redact, and says that the call may have taken effect', async () => {
    const server = serverOf({ content: [], structuredContent: deep() });
    const call = (method: string, to = server, ctx = windowWith()) =>
      send({ server: to, method, params: {}, ctx, call: CALL, readOnly: false, check });
    await assert.rejects(call('tools/call'), {
      name: 'UserError',
      message:
        'The answer of the server Deep to tools/call cannot be shown. It nests more than 1000 levels deep, so secrets in it cannot be redacted. It is unknown whether the call took effect.',
    });
    await assert.rejects(call('completion/complete'), /cannot be redacted\.$/);
    const plain = serverOf({ content: [{ type: 'text', text: 'x' }] });
    const unknown = /redact cannot be used .* whether the call took effect\.$/;
    await assert.rejects(call('tools/call', plain, windowWith('(')), unknown);
  });

  it('leaves out a log message that nests too deep, and nothing else', async () => {
    const logged: unknown[] = [];
    const call = { ...CALL, log: (_level: string, data: unknown) => void logged.push(data) };
    const answer = { content: [{ type: 'text', text: 'with cheese' }] };
    for (const data of [deep(), 'cheese']) {
      const server = serverOf(answer, { level: 'info', data });
      const request = requestTo(server, call);
      const shown = await send(request);
      assert.deepEqual(shown, { content: [{ type: 'text', text: 'with [redacted]' }] });
    }
    assert.deepEqual(logged, ['[redacted]']);
  });
});

/** A request whose server makes a task of it, and says so with these messages. */
function asking(
  more: object,
  forAgents: string[] = [],
  messages: unknown[] = [undefined, 'with cheese', 'b'],
) {
  const asked: unknown[] = [];
  const statuses: unknown[] = [];
  const progress: unknown[] = [];
  const client = {
    era: 'legacy',
    async request(_method: string, _params: unknown, { asTask, onTask }: Untyped) {
      asked.push(asTask);
      for (const message of messages) onTask(message);
      return { content: [] };
    },
  };
  const server = {
    name: 'S',
    slug: 's',
    questions: { forAgents },
    withClient: (_agent: unknown, run: (one: unknown) => unknown) => run(client),
  } as unknown as Hosted;
  const call = {
    ...CALL,
    progress: (...all: unknown[]) => progress.push(all),
    becomeTask: (status: string) => statuses.push(status),
  };
  const request = requestTo(server, call);
  return { sent: send({ ...request, ...more }), asked, statuses, progress };
}

// biome-ignore lint/suspicious/noExplicitAny: what a test looks into
type Untyped = any;

describe('features/hosted/request: a call that becomes a task at the server', () => {
  afterEach(cleanUp);

  it('becomes one of the agent if that takes tasks, with what the server says, and says it as progress', async () => {
    const { sent, statuses, progress } = asking({});
    assert.deepEqual(await sent, { content: [] });
    assert.deepEqual(statuses, ['The server S works on it.', 'with [redacted]', 'b']);
    assert.deepEqual(progress, [
      [1, undefined, 'with [redacted]'],
      [2, undefined, 'b'],
    ]);
  });

  it('stays a call if the agent answers the questions of the server', async () => {
    const { sent, statuses, progress } = asking({}, ['elicitation/create']);
    await sent;
    assert.deepEqual([statuses, progress.length], [[], 2]);
  });

  it('is asked for if the tool is only a task, and one that can be both for agents that take tasks', async () => {
    for (const [taskSupport, call, wanted] of [
      ['required', CALL, true],
      ['optional', CALL, false],
      ['optional', { ...CALL, becomeTask: () => {} }, true],
      ['forbidden', { ...CALL, becomeTask: () => {} }, false],
      [undefined, { ...CALL, becomeTask: () => {} }, false],
    ] as const) {
      const { sent, asked } = asking({ taskSupport, call });
      await sent;
      assert.deepEqual(asked, [wanted], `${taskSupport}`);
    }
  });

  it('is no answer to another request', async () => {
    const task = { resultType: 'task', taskId: 't', status: 'working', contents: [] };
    const request = {
      method: 'resources/read',
      params: {},
      ctx: windowWith(),
      call: CALL,
      readOnly: true,
      check,
    };
    await assert.rejects(send({ ...request, server: serverOf(task) }), /invalid answer to resources\/read/);
  });
});
