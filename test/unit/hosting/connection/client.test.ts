import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { HostedConnection } from '../../../../src/hosting/connection/openConnection.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { until } from '../../../until.ts';
import { call, Servers, serverCommand } from '../support.ts';

let signal: AbortSignal;
const answers = {
  'roots/list': async () => ({ roots: [{ uri: 'file:///a', own: 1 }] }),
  'sampling/createMessage': async (params: object, itsSignal: AbortSignal) => {
    signal = itsSignal;
    if (!('messages' in params)) await once(signal, 'abort');
    return { role: 'assistant', seen: params };
  },
};

describe('hosting/connection/client: the client of a legacy server', () => {
  const servers = new Servers();
  let server: HostedConnection;
  before(async () => {
    server = await servers.faulty('seed', { answers });
  });
  after(() => servers.dispose());

  it('gets parameters, results and errors through unchanged', async () => {
    const params = { name: 'echo', arguments: { a: [null] }, own: { b: 1 }, _meta: { 'x/y': 2 } };
    assert.deepEqual(await server.client.request('tools/call', params), { params });
    const error = { code: -32042, message: 'no', data: { elicitations: [], own: 1 } };
    await assert.rejects(call(server, 'fail'), error);
  });

  it('knows what the server said of itself, and answers what it asks', async () => {
    const { client } = server;
    assert.deepEqual([client.era, client.instructions], ['legacy', 'Be careful.']);
    // It repeats what the client declared.
    assert.deepEqual(client.capabilities.own, { roots: { listChanged: true }, sampling: { tools: {} } });
    const ask = (method: string, params?: object) => call(server, 'ask', { method, params });
    assert.deepEqual((await ask('ping')).result, {});
    assert.deepEqual((await ask('roots/list')).result, { roots: [{ uri: 'file:///a', own: 1 }] });
    const sampled = await ask('sampling/createMessage', { messages: [], own: 1 });
    assert.deepEqual(sampled.result, { role: 'assistant', seen: { messages: [], own: 1 } });
    for (const unknown of ['elicitation/create', 'toString'])
      assert.equal((await ask(unknown)).error.code, -32601);
  });

  /** The text of the answer, after the server has written these lines at once. */
  const textOf = async (lines: string, params: object = {}, options = {}): Promise<string> => {
    const all = lines
      .trim()
      .split('\n')
      .map((line) => line.replace('{', '{"jsonrpc":"2.0",'));
    const { content } = await call(server, 'lines', { arguments: { lines: all }, ...params }, options);
    return content;
  };

  it('gets all progress before the answer, with the token of the caller', async () => {
    const seen: unknown[] = [];
    const onProgress = (params: object) => seen.push(params);
    const params = { _meta: { progressToken: 'mine', 'x/y': 1 } };
    const lines = [1, 2].map(
      (progress) =>
        `{"method":"notifications/progress","params":{"progressToken":$token,"progress":${progress},"own":1}}`,
    );
    await textOf(`${lines.join('\n')}\n{"id":$id,"result":{}}`, params, { onProgress });
    assert.deepEqual(
      seen,
      [1, 2].map((progress) => ({ progress, own: 1, progressToken: 'mine' })),
    );
    const unheard = await call(server, 'echo', { _meta: { progressToken: 'mine' } });
    assert.deepEqual(unheard.params._meta, {});
  });

  it('gets progress of a call that has become a task; cancels a task that nobody waits for any more', async () => {
    const seen: unknown[] = [];
    const task = { task: { taskId: 'open', status: 'working', pollInterval: 1 } };
    const progress = '{"method":"notifications/progress","params":{"progressToken":$token,"progress":1}}';
    const lines = `{"id":$id,"result":${JSON.stringify(task)}}\n${progress}`;
    // It does not know the method that gets the status.
    await assert.rejects(textOf(lines, {}, { onProgress: (one: object) => seen.push(one) }), {
      code: -32601,
    });
    assert.deepEqual(seen, [{ progress: 1 }]);
    const { notified } = servers;
    const late = { task: { taskId: 'late' } };
    await textOf(`{"id":-1,"result":${JSON.stringify(late)}}\n{"id":$id,"result":{"content":"ok"}}`);
    await until(() => notified.length === 2, 'the cancellations');
    const seenIds = notified.splice(0).map(({ params }) => params.taskId);
    assert.deepEqual(seenIds, ['open', 'late']);
  });

  it('understands duplicate answers, ids as strings, errors without an id and batches', async () => {
    for (const lines of [
      '{"id":$id,"result":{"content":"ok"}}\n{"id":$id,"result":{"content":"again"}}',
      '{"id":"$id","result":{"content":"ok"}}',
      '{"error":{"code":-32600,"message":"no id"}}\n{"id":$id,"result":{"content":"ok"}}',
      '{"id":null,"error":{"code":-32600,"message":"null id"}}\n{"id":$id,"result":{"content":"ok"}}',
      '[{"method":"notifications/message","params":{"data":1}},{"jsonrpc":"2.0","id":$id,"result":{"content":"ok"}}]',
    ])
      assert.equal(await textOf(lines), 'ok', lines);
    assert.deepEqual(servers.notified, [{ method: 'notifications/message', params: { data: 1 } }]);
  });

  it('ends an answer that the server cancels', async () => {
    await call(server, 'cancelOwn', { method: 'sampling/createMessage' });
    assert.ok(signal.aborted);
  });

  it('tells the server of a cancelled request, and ends one after its timeout', async () => {
    const { notified } = servers;
    notified.length = 0;
    const abort = new AbortController();
    const cancelled = call(server, 'never', {}, { signal: abort.signal });
    await until(() => notified.length === 1, 'the call');
    abort.abort();
    await assert.rejects(cancelled, { name: 'CancelledError' });
    await until(() => notified.length === 2, 'the cancellation');
    const { method, params } = notified[1] ?? {};
    assert.equal(method, 'notifications/seen');
    assert.equal(`waiting ${params.requestId}`, notified[0]?.params.data);
    const late = call(server, 'never', {}, { timeout: 1 });
    await assert.rejects(late, /did not answer tools\/call within 0\.001 s/);
  });
});

describe('hosting/connection/client: the era of a server', () => {
  const servers = new Servers();
  afterEach(() => servers.dispose());

  it('is legacy if it exits when it is probed, and if it is no longer the modern one', async () => {
    const { client } = await servers.connect(serverCommand('faulty', 'exitsOnProbe'));
    assert.deepEqual([client.era, servers.started.length], ['legacy', 2]);
    const legacy = await servers.connect(serverCommand('faulty'), { knownEra: 'modern' });
    assert.equal(legacy.client.era, 'legacy');
  });

  it('is modern if it is no longer the legacy one: results are unchanged, and questions answered', async () => {
    const command = serverCommand('sdkServer', 'modern');
    const server = await servers.connect(command, { knownEra: 'legacy', answers });
    const { era, instructions } = server.client;
    assert.deepEqual([era, instructions], ['modern', 'Both eras.']);
    const result = await call(server, 'echo', { arguments: { value: 'v' } });
    assert.deepEqual([result.resultType, result._meta.own], ['complete', 'v']);
    const { given, state } = JSON.parse((await call(server, 'roots')).content[0].text);
    assert.match(JSON.stringify(given), /file:\/\/\/a/);
    assert.equal(state, 'state of the server');
    await assert.rejects(call(server, 'insatiable'), /asked for input more than 10 times/);
  });

  describe('that does not answer within 1.5 s', () => {
    const clock = holdClock();

    it('is found with a second start if it speaks both', async () => {
      clock.skipped = 1_500;
      const connecting = servers.connect(serverCommand('faulty', 'modern'));
      await until(() => {
        clock.tick(20); // between looks whether the first process has ended
        return servers.started.length === 2;
      }, 'the second start');
      assert.equal((await connecting).client.era, 'modern');
    });
  });
});
