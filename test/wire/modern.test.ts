/** MCP 2026-07-28: no handshake, every request carries what it needs. */
import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';
import { META } from './script.ts';

const PREFIX = 'io.modelcontextprotocol';

const ask = (agent: RawAgent, method: string, params: object = {}) =>
  agent.request(method, { ...params, _meta: META });

describe('wire: 2026-07-28', () => {
  const machine = useMachine();

  it('discovers, and that alone is no agent to show, and may still open with initialize', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    const { result } = await ask(agent, 'server/discover');
    assert.deepEqual(result.supportedVersions, ['2026-07-28']);
    assert.equal(result._meta[`${PREFIX}/serverInfo`].name, 'workspace-mcp');
    assert.partialDeepStrictEqual(result, { resultType: 'complete', cacheScope: 'private' });
    assert.ok(result.ttlMs > 0 && result.instructions.length > 0);
    assert.deepEqual(window.agents, []);
    assert.equal((await agent.initialize('2025-06-18')).result.protocolVersion, '2025-06-18');
    assert.ok((await agent.request('tools/list')).result.tools.length > 0);
  });

  it('lists, calls and reads with the fields of the version', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'x' } } });
    const agent = window.rawAgent();
    for (const [method, params] of [
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['prompts/list', {}],
      ['resources/read', { uri: window.uri('a.txt') }],
    ] as const) {
      const { result } = await ask(agent, method, params);
      assert.equal(result.resultType, 'complete', method);
      assert.equal(typeof result.ttlMs, 'number', method);
      assert.equal(result.cacheScope, 'private', method);
    }
    const call = { name: 'read_file', arguments: { path: 'a.txt' } };
    const { result } = await ask(agent, 'tools/call', call);
    assert.partialDeepStrictEqual(result, {
      resultType: 'complete',
      content: [{ type: 'text', text: 'x' }],
    });
    assert.deepEqual(
      window.agents.map(({ name, version }) => [name, version]),
      [['modern', '1']],
    );
  });

  const ERRORS: [what: string, method: string, params: object, error: object][] = [
    ['a missing envelope', 'tools/list', {}, { code: -32602 }],
    [
      'an envelope without capabilities',
      'tools/list',
      { _meta: { [`${PREFIX}/protocolVersion`]: '2026-07-28' } },
      { code: -32602 },
    ],
    [
      'a version that is not spoken',
      'tools/list',
      { _meta: { ...META, [`${PREFIX}/protocolVersion`]: '2030-01-01' } },
      { code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } },
    ],
    ['a missing resource', 'resources/read', { uri: 'test://none.txt', _meta: META }, { code: -32602 }],
  ];

  it('says what is wrong, by the codes of the version', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    await ask(agent, 'tools/list');
    for (const [what, method, params, error] of ERRORS) {
      const answer = await agent.request(method, params);
      assert.partialDeepStrictEqual(answer, { error }, what);
    }
  });

  it('listens: contents that it named, lists that it named, and nothing else', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a', 'b.txt': 'b', '.env': 'SECRET=1' } } });
    const [a, b, env] = ['a.txt', 'b.txt', '.env'].map((file) => window.fake.person.loads(window.path(file)));
    assert.ok(a && b && env);
    const none = window.uri('not-yet.txt');
    const agent = window.rawAgent();
    const notifications = {
      resourcesListChanged: true,
      resourceSubscriptions: [window.uri('a.txt'), window.uri('.env'), none, 'other:///a.txt'],
    };
    const params = { notifications, _meta: META };
    agent.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params });
    const { params: served } = await agent.notification('notifications/subscriptions/acknowledged');
    assert.deepEqual(served.notifications, {
      ...notifications,
      resourceSubscriptions: [window.uri('a.txt'), none],
    });
    for (const document of [env, b, a]) window.fake.person.types(document, 'typed');
    const updated = await agent.notification('notifications/resources/updated');
    assert.equal(updated.params._meta[`${PREFIX}/subscriptionId`], 'sub');
    let count = 0; // the list that others are compared with may not be made yet
    const writing = setInterval(() => window.writes(`c${count++}.txt`, 'c'), 500);
    await agent.notification('notifications/resources/list_changed').finally(() => clearInterval(writing));
    const uris = agent.received.filter(({ method }) => method === 'notifications/resources/updated');
    assert.deepEqual(
      uris.map(({ params: { uri } }) => uri),
      [window.uri('a.txt')],
    );
  });

  it('a cancelled listen hears nothing more', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a' } } });
    const agent = window.rawAgent();
    await ask(agent, 'resources/list');
    for (const id of ['first', 'second']) {
      const params = { notifications: { resourcesListChanged: true }, _meta: META };
      agent.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
      await agent.until(({ params }) => params?._meta?.[`${PREFIX}/subscriptionId`] === id);
    }
    agent.notify('notifications/cancelled', { requestId: 'first', _meta: META });
    window.writes('b.txt', 'b');
    const changed = await agent.notification('notifications/resources/list_changed');
    assert.equal(changed.params._meta[`${PREFIX}/subscriptionId`], 'second');
    await ask(agent, 'tools/list');
    assert.equal(agent.received.filter(({ method }) => method === changed.method).length, 1);
    assert.ok(!agent.received.some(({ id }) => id === 'first'));
  });

  it("the SDK's client subscribes, in auto mode too", async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a' } } });
    let changed = () => {};
    const heard = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const client = await window.agent({ versionNegotiation: { mode: 'auto' } }, (it) =>
      it.setNotificationHandler('notifications/resources/updated', changed),
    );
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    const subscription = await client.listen({ resourceSubscriptions: [window.uri('a.txt')] });
    window.fake.person.types(window.fake.person.loads(window.path('a.txt')), 'b');
    await heard;
    await subscription.close();
  });
});
