import assert from 'node:assert/strict';
import { ProtocolError } from '@modelcontextprotocol/server';
import { UserError } from '../../../../src/core/errors.ts';
import { type Fields, fieldsOf } from '../../../../src/core/json.ts';
import { ServerTask, type TaskPeer } from '../../../../src/hosting/connection/serverTask.ts';
import { holdClock } from '../../../fakes/clock.ts';

const HOUR = 60 * 60_000;
const WORKING = { taskId: 't', status: 'working', ttlMs: null };
const done = { status: 'completed', result: { content: [], own: 1 } };

/** A status, an error, or what gives one. */
type Status = object | (() => object);

describe('hosting/connection/serverTask: the task of a server', () => {
  const clock = holdClock();

  /** Follows a task; each look gets the next status, and the last one again and again. */
  function follow(statuses: Status[], more: Partial<TaskPeer> = {}, first: Fields = WORKING) {
    const sent: [method: string, params: Fields][] = [];
    const said: unknown[] = [];
    let looks = 0;
    const peer: TaskPeer = {
      era: 'modern',
      async send(method, { taskId, ...params }, { signal }) {
        assert.equal(taskId, 't');
        sent.push([method, params]);
        if (method !== 'tasks/get') return {};
        signal?.throwIfAborted();
        const status = statuses[Math.min(looks++, statuses.length - 1)];
        const now = typeof status === 'function' ? status() : status;
        if (now instanceof Error) throw now;
        return now;
      },
      resultOf({ result, error }) {
        if (error) throw new ProtocolError(Number(fieldsOf(error).code), 'its own');
        return result;
      },
      answer: () => assert.fail('asks'),
      hide: (text) => text.replaceAll('secret', '[redacted]'),
      onStatus: (message) => said.push(message),
      ...more,
    };
    const result = new ServerTask('t', peer).result(first);
    result.catch(() => {});
    return { result, sent, said, methods: () => sent.map(([method]) => method) };
  }

  it('is looked at when the server says, but at least each 30 s and at most each 250 ms', async () => {
    for (const [said, ms] of [
      [undefined, 1_000],
      [0, 250],
      [5_000, 5_000],
      [HOUR, 30_000],
    ] as const) {
      const { result, methods } = follow([done], {}, { ...WORKING, pollIntervalMs: said });
      await clock.pass(ms - 1);
      assert.deepEqual(methods(), [], `${said}`);
      await clock.pass(1);
      assert.deepEqual([methods(), await result], [['tasks/get'], done.result]);
    }
  });

  it('says each message of the server once, with secrets hidden', async () => {
    const at = (statusMessage: unknown) => ({ ...WORKING, statusMessage });
    const { result, said } = follow([at('a secret'), at('a secret'), at('b'), done], {}, at(1));
    await clock.settle(result);
    assert.deepEqual(said, [undefined, 'a [redacted]', 'b']);
  });

  it('throws the error of the call, and says why there is no result', async () => {
    const unknown = new ProtocolError(-32602, 'Task not found');
    for (const [status, message] of [
      [{ status: 'failed', error: { code: -1 } }, /its own/],
      [{ status: 'cancelled', statusMessage: 'a secret' }, /^The server cancelled .* a \[redacted\]$/],
      [{ status: 'finished' }, /invalid status .* unknown whether the call took effect/],
      [{}, /invalid status/],
      [unknown, /does not know the task of this call any more.* unknown whether the call took effect/],
    ] as const) {
      const { result, methods } = follow([status]);
      await assert.rejects(clock.settle(result), ({ message: text }: Error) => message.test(text));
      assert.deepEqual(methods(), ['tasks/get']);
    }
  });

  it('goes on after two failures of the connection, and is cancelled after three', async () => {
    const broken = new UserError('HTTP 502');
    assert.deepEqual(await clock.settle(follow([broken, broken, done]).result), done.result);
    const { result, methods } = follow([broken]);
    await assert.rejects(clock.settle(result), broken);
    assert.deepEqual(methods(), [...new Array(3).fill('tasks/get'), 'tasks/cancel']);
  });

  it('is looked at again after an error that may pass, but not if the server has no such method', async () => {
    const failing = new ProtocolError(-32603, 'Restarting');
    assert.deepEqual(await clock.settle(follow([failing, failing, done]).result), done.result);
    for (const [error, looks] of [
      [failing, 3],
      [new ProtocolError(-32601, 'Method not found'), 1],
    ] as const) {
      const { result, methods } = follow([error]);
      await assert.rejects(clock.settle(result), error);
      assert.deepEqual(methods(), [...new Array(looks).fill('tasks/get'), 'tasks/cancel']);
    }
  });

  it('is cancelled an hour after its time to live, and when the call is', async () => {
    const { result, methods } = follow([{ ...WORKING, ttlMs: 2_000, pollIntervalMs: HOUR }]);
    await clock.pass(HOUR);
    assert.ok(!methods().includes('tasks/cancel'));
    await assert.rejects(clock.settle(result), /within the 2 s that it keeps it/);
    assert.equal(methods().at(-1), 'tasks/cancel');

    const abort = new AbortController();
    const cancelled = follow([WORKING], { signal: abort.signal });
    await clock.pass(1_000);
    abort.abort();
    await assert.rejects(cancelled.result, { name: 'CancelledError' });
    assert.deepEqual(cancelled.methods(), ['tasks/get', 'tasks/cancel']);
    await clock.pass(HOUR);
    assert.equal(cancelled.sent.length, 2);
  });

  const asks = (...keys: string[]) => ({
    status: 'input_required',
    inputRequests: Object.fromEntries(
      keys.map((key) => [key, { method: 'elicitation/create', params: { key } }]),
    ),
  });

  it('asks each question once, sends the answer, and takes back a question that the server does', async () => {
    const asked: unknown[] = [];
    const { promise: answered, resolve } = Promise.withResolvers<object>();
    const withdrawn: AbortSignal[] = [];
    const { result, sent } = follow([asks('a', 'b'), asks('a', 'b'), asks('a'), WORKING, done], {
      answer(method, { key }, signal) {
        asked.push([method, key]);
        if (key === 'a') return answered;
        withdrawn.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
      },
    });
    await clock.pass(2_000);
    assert.equal(withdrawn[0]?.aborted, false);
    await clock.pass(1_000);
    assert.ok(withdrawn[0]?.aborted);
    resolve({ action: 'accept' });
    assert.deepEqual(await clock.settle(result), done.result);
    assert.deepEqual(
      asked,
      ['a', 'b'].map((key) => ['elicitation/create', key]),
    );
    const updates = sent.filter(([method]) => method === 'tasks/update');
    assert.deepEqual(updates, [['tasks/update', { inputResponses: { a: { action: 'accept' } } }]]);
  });

  it('fails with a question that fails', async () => {
    const answer = () => Promise.reject(new ProtocolError(-1, 'The user said no.'));
    const { result, methods } = follow([asks('a')], { answer });
    await assert.rejects(clock.settle(result), /said no/);
    assert.deepEqual(methods(), ['tasks/get', 'tasks/cancel']);
  });

  it('of 2025-11-25 is asked for its result when it ends, or before if it has a question', async () => {
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 't' } };
    for (const [statuses, wanted] of [
      [
        [WORKING, { status: 'failed' }],
        ['tasks/get', 'tasks/get', 'tasks/result'],
      ],
      [
        [{ status: 'input_required' }, WORKING],
        ['tasks/get', 'tasks/result'],
      ],
    ] as const) {
      const methods: string[] = [];
      let looks = 0;
      const send = async (method: string) => {
        methods.push(method);
        return method === 'tasks/get' ? statuses[looks++] : { content: [], _meta: { ...related, own: 1 } };
      };
      const { result } = follow([], { era: 'legacy', send });
      assert.deepEqual(await clock.settle(result), { content: [], _meta: { own: 1 } });
      assert.deepEqual(methods, wanted);
    }
  });
});
