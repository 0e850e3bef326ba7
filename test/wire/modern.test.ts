/** MCP 2026-07-28: no handshake, every request carries what it needs. */
import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';
import { META } from './script.ts';

const PREFIX = 'io.modelcontextprotocol';
const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';

const ask = (agent: RawAgent, method: string, params: object = {}) =>
  agent.request(method, { ...params, _meta: META });

describe('wire: 2026-07-28', () => {
  const machine = useMachine();

  it('discovers, and that alone is no agent to show, and may still open with initialize', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    const { result } = await ask(agent, 'server/discover');
    assert.equal(result._meta[`${PREFIX}/serverInfo`].name, 'workspace-mcp');
    assert.partialDeepStrictEqual(result, { resultType: 'complete', cacheScope: 'private' });
    assert.ok(result.ttlMs > 0 && result.instructions.length > 0);
    assert.deepEqual(window.agents, []);
    assert.equal((await agent.initialize('2025-06-18')).result.protocolVersion, '2025-06-18');
    assert.ok((await agent.request('tools/list')).result.tools.length > 0);
  });

  it('lists, calls and reads with the fields of the version, and refuses by its codes', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'x' } } });
    const agent = window.rawAgent();
    const lists = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];
    for (const method of [...lists, 'resources/read']) {
      const { result } = await ask(agent, method, { uri: window.uri('a.txt') });
      assert.partialDeepStrictEqual(result, { resultType: 'complete', cacheScope: 'private' }, method);
      assert.equal(typeof result.ttlMs, 'number', method);
    }
    const call = { name: 'read_file', arguments: { path: 'a.txt' } };
    const content = [{ type: 'text', text: 'x' }];
    const { result } = await ask(agent, 'tools/call', call);
    assert.partialDeepStrictEqual(result, { resultType: 'complete', content });
    assert.deepEqual([window.agents[0]?.name, window.agents[0]?.version], ['modern', '1']);
    const ofVersion = (version: string) => ({ _meta: { [`${PREFIX}/protocolVersion`]: version } });
    const later = { _meta: { ...META, ...ofVersion('2030-01-01')._meta } };
    for (const [method, params, error] of [
      ['tools/list', {}, { code: -32602 }],
      ['tools/list', ofVersion('2026-07-28'), { code: -32602 }],
      ['tools/list', later, { code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } }],
      ['resources/read', { uri: 'test://none.txt', _meta: META }, { code: -32602 }],
    ] as const)
      assert.partialDeepStrictEqual(await agent.request(method, params), { error });
  });

  it('listens to what it named that is open, and to nothing else, until that is cancelled', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a', 'b.txt': 'b', '.env': 'SECRET=1' } } });
    const { person } = window.fake;
    const agent = window.rawAgent();
    await ask(agent, 'resources/list');
    const [a, none] = [window.uri('a.txt'), window.uri('not-yet.txt')];
    const listen = async (id: string, ...resourceSubscriptions: string[]) => {
      const notifications = { resourcesListChanged: true, resourceSubscriptions };
      const params = { notifications, _meta: META };
      agent.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
      const served = await agent.until((it) => it.params?._meta?.[`${PREFIX}/subscriptionId`] === id);
      return served.params.notifications;
    };
    const closed = ['.env', '../ws/.env', '%2e%65nv', 'src/../.env'].map((path) => `${window.uri()}/${path}`);
    const served = await listen('first', a, ...closed, none, 'other:///a.txt');
    assert.deepEqual(served, { resourcesListChanged: true, resourceSubscriptions: [a, none] });
    await listen('second');
    for (const name of ['.env', 'b.txt', 'a.txt']) person.types(person.loads(window.path(name)), 'typed');
    const updated = await agent.notification(UPDATED);
    assert.deepEqual([updated.params.uri, updated.params._meta[`${PREFIX}/subscriptionId`]], [a, 'first']);
    agent.notify('notifications/cancelled', { requestId: 'first', _meta: META });
    await ask(agent, 'tools/list');
    agent.received.length = 0;
    person.types(person.loads(window.path('a.txt')), 'again');
    window.writes('c.txt', 'c');
    const changed = await agent.notification(LIST_CHANGED);
    assert.equal(changed.params._meta[`${PREFIX}/subscriptionId`], 'second');
    await ask(agent, 'tools/list');
    const shown = agent.received.flatMap(({ method }) => method ?? []);
    assert.deepEqual(shown, [LIST_CHANGED]);
  });

  it("the SDK's client subscribes, in auto mode too", async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a' } } });
    const { promise: heard, resolve: changed } = Promise.withResolvers<void>();
    const client = await window.agent({ versionNegotiation: { mode: 'auto' } }, (it) =>
      it.setNotificationHandler(UPDATED, () => changed()),
    );
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    const subscription = await client.listen({ resourceSubscriptions: [window.uri('a.txt')] });
    window.fake.person.types(window.fake.person.loads(window.path('a.txt')), 'b');
    await heard;
    await subscription.close();
  });
});
