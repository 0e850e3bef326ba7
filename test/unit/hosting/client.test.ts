import assert from 'node:assert/strict';
import { holdClock } from '../../fakes/clock.ts';
import { until } from '../../until.ts';
import { call, Servers, serverCommand } from './support.ts';

describe('hosting/client: the client of a hosted server', () => {
  let servers: Servers;
  beforeEach(() => {
    servers = new Servers();
  });
  afterEach(() => servers.dispose());

  const answers = {
    'roots/list': async () => ({ roots: [{ uri: 'file:///a', own: 1 }] }),
    'sampling/createMessage': async (params: object) => ({ role: 'assistant', seen: params }),
  };

  describe('of the legacy era', () => {
    it('gets parameters, results and errors through unchanged', async () => {
      const server = await servers.faulty();
      const params = { name: 'echo', arguments: { a: [null] }, own: { b: 1 }, _meta: { 'x/y': 2 } };
      assert.deepEqual(await server.client.request('tools/call', params), { params });
      const error = { code: -32042, message: 'no', data: { elicitations: [], own: 1 } };
      await assert.rejects(call(server, 'fail'), error);
    });

    it('knows what the server said of itself, and answers what it asks', async () => {
      const server = await servers.faulty('plain', { answers });
      const { client } = server;
      assert.deepEqual(client.serverInfo, { name: 'faulty', version: '1', own: true });
      assert.deepEqual(
        [client.era, client.protocolVersion, client.instructions],
        ['legacy', '2025-11-25', 'Be careful.'],
      );
      // It repeats what the client declared.
      assert.deepEqual(client.capabilities.own, { roots: { listChanged: true }, sampling: {} });
      const ask = (method: string, params?: object) => call(server, 'ask', { method, params });
      assert.deepEqual((await ask('ping')).result, {});
      assert.deepEqual((await ask('roots/list')).result, { roots: [{ uri: 'file:///a', own: 1 }] });
      const sampled = await ask('sampling/createMessage', { messages: [], own: 1 });
      assert.deepEqual(sampled.result, { role: 'assistant', seen: { messages: [], own: 1 } });
      for (const unknown of ['elicitation/create', 'toString'])
        assert.equal((await ask(unknown)).error.code, -32601);
    });

    it('gets all progress before the answer, with the token of the caller', async () => {
      const server = await servers.faulty();
      const seen: unknown[] = [];
      const onProgress = (params: object) => seen.push(params);
      await call(server, 'progress', { _meta: { progressToken: 'mine', 'x/y': 1 } }, { onProgress });
      const own = { own: 'kept', progressToken: 'mine' };
      assert.deepEqual(seen, [
        { progress: 1, ...own },
        { progress: 2, ...own },
      ]);
      const unheard = await call(server, 'echo', { _meta: { progressToken: 'mine' } });
      assert.deepEqual(unheard.params._meta, {});
    });

    it('tells the server of a cancelled request, and ends one after its timeout', async () => {
      const server = await servers.faulty();
      const abort = new AbortController();
      const cancelled = call(server, 'never', {}, { signal: abort.signal });
      await until(() => servers.notified.length === 1, 'the call');
      abort.abort();
      await assert.rejects(cancelled, { name: 'CancelledError' });
      await until(() => servers.notified.length === 2, 'the cancellation');
      const { method, params } = servers.notified[1] ?? {};
      assert.equal(method, 'notifications/seen');
      assert.equal(`waiting ${params.requestId}`, servers.notified[0]?.params.data);
      const late = call(server, 'never', {}, { timeout: 1 });
      await assert.rejects(late, /did not answer tools\/call within 0\.001 s/);
    });

    it('understands duplicate answers, ids as strings, errors without an id and batches', async () => {
      const server = await servers.faulty('seed');
      const texts = [];
      for (const name of ['twice', 'stringId', 'withoutId', 'batch'])
        texts.push((await call(server, name)).content[0].text);
      assert.deepEqual(texts, ['first', 'string', 'after', 'batch']);
      assert.deepEqual(servers.notified, [
        { method: 'notifications/message', params: { data: 'in a batch' } },
      ]);
    });

    it('ends an answer that the server cancels', async () => {
      let aborted = false;
      const list = (_: object, signal: AbortSignal) =>
        new Promise<object>((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve({});
          });
        });
      const server = await servers.faulty('plain', { answers: { 'roots/list': list } });
      await call(server, 'cancelOwn', { method: 'roots/list' });
      assert.ok(aborted);
    });
  });

  describe('of unknown era', () => {
    for (const [mode, starts] of [
      ['plain', 1],
      ['exitsOnProbe', 2],
    ] as const)
      it(`uses initialize with a legacy server (${mode})`, async () => {
        const { client } = await servers.connect(serverCommand('faulty', mode));
        assert.deepEqual([client.era, servers.started.length], ['legacy', starts]);
      });

    it('tries the other era if the known one is over', async () => {
      const modern = await servers.connect(serverCommand('sdkServer', 'modern'), { knownEra: 'legacy' });
      assert.equal(modern.client.era, 'modern');
      const legacy = await servers.connect(serverCommand('faulty'), { knownEra: 'modern' });
      assert.equal(legacy.client.era, 'legacy');
    });
  });

  describe('of unknown era, that does not answer within 1.5 s', () => {
    const clock = holdClock();

    it('uses initialize with a legacy server', async () => {
      const connecting = servers.connect(serverCommand('faulty', 'silentToUnknown'));
      await clock.passWait(1_500);
      await clock.passWait(0);
      assert.equal((await connecting).client.era, 'legacy');
    });

    it('does not take a slow server of both eras for a legacy one', async () => {
      const connecting = servers.connect(serverCommand('sdkServer'));
      await clock.passWait(1_500); // before the server has started
      await until(() => {
        clock.tick(20); // between looks whether the first process has ended
        return servers.started.length === 2;
      }, 'the second start');
      assert.equal((await connecting).client.era, 'modern');
    });
  });

  describe('of the modern era', () => {
    it('opens with server/discover, passes results unchanged, and gets answers to what it asks', async () => {
      const server = await servers.connect(serverCommand('sdkServer'), { knownEra: 'modern', answers });
      const { era, protocolVersion, serverInfo, instructions } = server.client;
      assert.deepEqual([era, protocolVersion, instructions], ['modern', '2026-07-28', 'Both eras.']);
      assert.equal(serverInfo.name, 'sdk');
      const result = await call(server, 'echo', { arguments: { value: 'v' } });
      assert.deepEqual([result.resultType, result._meta.own], ['complete', 'v']);
      const { given, state } = JSON.parse((await call(server, 'roots')).content[0].text);
      assert.match(JSON.stringify(given), /file:\/\/\/a/);
      assert.equal(state, 'state of the server');
      await assert.rejects(call(server, 'insatiable'), /asked for input more than 10 times/);
    });
  });
});
