/** docs/protocol.md says for each method and version what happens; here it happens. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepTask } from '../../src/ipc/taskFile.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { Message, RawAgent } from './rawAgent.ts';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const PREFIX = 'io.modelcontextprotocol';
const UPDATED = 'notifications/resources/updated';
const CHANGES = [
  ...['tools', 'prompts', 'resources', 'roots'].map((list) => `notifications/${list}/list_changed`),
  UPDATED,
];
const DISABLED = 'workspaceMcp.tools.disabled';
const TREES = {
  ws: {
    'a.txt': 'a',
    'b.txt': 'b',
    '.vscode/x.code-snippets': JSON.stringify({ Explain: { body: 'Explain this' } }),
  },
  other: { 'c.txt': 'c' },
};

/** The cells of a table, by the name in the first column. */
function tableUnder(heading: string): Record<string, string[]> {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const [header, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(header?.slice(2, 7), VERSIONS);
  return Object.fromEntries(rows.map(([, name = '', ...cells]) => [name.replaceAll('`', ''), cells]));
}

/** What a table says of a version. */
const columnOf = (heading: string, version: string): [name: string, cell: string][] =>
  Object.entries(tableUnder(heading)).map(([name, cells]) => [name, cells[VERSIONS.indexOf(version)] ?? '']);

/** Speaks one version: what every request of it has to carry is put in. */
class Speaker {
  readonly agent: RawAgent;
  readonly #meta: object | undefined;

  private constructor(agent: RawAgent, meta?: object) {
    this.agent = agent;
    this.#meta = meta;
  }

  static async of(window: TestWindow, version: string, capabilities: object = {}): Promise<Speaker> {
    const agent = window.rawAgent();
    const meta = {
      [`${PREFIX}/protocolVersion`]: version,
      [`${PREFIX}/clientCapabilities`]: capabilities,
      [`${PREFIX}/clientInfo`]: { name: 'raw', version: '1' },
      [`${PREFIX}/logLevel`]: 'debug',
    };
    if (version >= '2026') return new Speaker(agent, meta);
    await agent.initialize(version, capabilities);
    return new Speaker(agent);
  }

  params(params: object = {}): object {
    const { _meta } = params as { _meta?: object };
    return this.#meta ? { ...params, _meta: { ...this.#meta, ..._meta } } : params;
  }

  request(method: string, params?: object): Promise<Message> {
    return this.agent.request(method, this.params(params));
  }

  send(id: string, method: string, params?: object): void {
    this.agent.send({ jsonrpc: '2.0', id, method, params: this.params(params) });
  }
}

/** A task that has ended, of a client that takes tasks. */
const TASK = {
  taskId: 'a'.repeat(32),
  _meta: {
    [`${PREFIX}/clientCapabilities`]: { extensions: { [`${PREFIX}/tasks`]: {} } },
  },
};

const paramsOf = (window: TestWindow): Record<string, object> => ({
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  'tools/call': { name: 'read_file', arguments: { path: 'ws/a.txt' } },
  'resources/read': { uri: window.uri('a.txt') },
  'resources/subscribe': { uri: window.uri('a.txt') },
  'resources/unsubscribe': { uri: window.uri('a.txt') },
  'prompts/get': { name: 'explain' },
  'completion/complete': {
    ref: { type: 'ref/resource', uri: 'file:///{+path}' },
    argument: { name: 'path', value: '' },
  },
  'logging/setLevel': { level: 'info' },
  'subscriptions/listen': { notifications: {} },
  'tasks/get': TASK,
  'tasks/update': { ...TASK, inputResponses: {} },
  'tasks/cancel': TASK,
});

/** What comes of a request, as a cell of the table has it. */
async function outcomeOf(speaker: Speaker, method: string, params?: object): Promise<string> {
  const { agent } = speaker;
  speaker.send('asked', method, params);
  // a listen that is served is acknowledged, and answered when it ends
  const { error } = await agent.until(
    ({ id, method: told }) => id === 'asked' || told === 'notifications/subscriptions/acknowledged',
  );
  if (method === 'subscriptions/listen' && !error)
    agent.notify('notifications/cancelled', speaker.params({ requestId: 'asked' }));
  agent.received.length = 0;
  return error ? `${error.code}`.replace('-', '−') : '✓';
}

/** Does everything that the server has a word for, and resolves when the words that are expected have come. */
async function provoke(window: TestWindow, speaker: Speaker, expected: readonly string[]): Promise<void> {
  const { agent } = speaker;
  const witness = await window.greeted();
  await witness.request('resources/subscribe', { uri: window.uri('a.txt') });
  for (const list of ['tools/list', 'prompts/list', 'resources/list', 'roots/list']) {
    await speaker.request(list);
    await witness.request(list);
  }
  await speaker.request('logging/setLevel', { level: 'debug' });
  await speaker.request('resources/subscribe', { uri: window.uri('a.txt') });
  window.fake.person.opensTab(window.path('b.txt'));
  window.fake.person.reports(window.path('b.txt'), []);
  const call = { name: 'get_diagnostics', arguments: { path: 'ws/b.txt' }, _meta: { progressToken: 't' } };
  assert.ok(!(await speaker.request('tools/call', call)).result.isError);
  window.fake.person.sets(DISABLED, ['edit_file']);
  window.writes('.vscode/y.code-snippets', '{"Second": {"body": "x"}}');
  window.writes('new.txt', 'new');
  window.fake.person.types(window.fake.person.loads(window.path('a.txt')), 'typed');
  if (expected.includes('notifications/cancelled')) {
    await agent.notification(UPDATED); // the roots were waited for before
    agent.notify('notifications/roots/list_changed', {});
  }
  window.fake.person.opensFolders([window.path()]);
  for (const method of expected) await agent.notification(method);
  // An agent that is told of everything: what is not told until then is not told.
  for (const method of CHANGES) await witness.notification(method);
  await speaker.request('tools/list');
}

describe('wire: what docs/protocol.md says', () => {
  const machine = useMachine();

  for (const version of VERSIONS) {
    it(`${version}: each request is served or refused as the table says`, async () => {
      const window = await machine.open({ trees: TREES });
      keepTask(join(machine.root, 'state'), 'window', { taskId: TASK.taskId, status: 'cancelled' });
      const speaker = await Speaker.of(window, version);
      await speaker.request('tools/list');
      for (const [method, cell] of columnOf('Requests of an agent', version)) {
        const asked =
          method === 'any other' ? ['tools/run', 'sampling/createMessage', 'tasks/list'] : [method];
        for (const name of asked)
          assert.equal(await outcomeOf(speaker, name, paramsOf(window)[name]), cell, name);
      }
    });

    it(`${version}: each notification of an agent is heeded or ignored as the table says`, async () => {
      const window = await machine.open({ trees: TREES });
      const speaker = await Speaker.of(window, version, { roots: { listChanged: true } });
      const { agent } = speaker;
      let asked = 0;
      agent.answers.set('roots/list', () => {
        asked++;
        return { roots: [] };
      });
      await speaker.request('tools/list');
      const loaded = Promise.withResolvers<void>();
      let waits = false;
      window.fake.answers.set('vscode.executeHoverProvider', () => {
        waits = true;
        return loaded.promise;
      });
      const params = { textDocument: { uri: 'ws/a.txt' }, position: { line: 0, character: 0 } };
      const hover = { method: 'textDocument/hover', params };
      speaker.send('slow', 'tools/call', { name: 'lsp_request', arguments: hover });
      await until(() => waits, 'the language server was not asked');
      for (const [row, cell] of columnOf('Notifications of an agent', version)) {
        const method = row === 'any other' ? 'notifications/made_up' : row;
        agent.received.length = 0;
        asked = 0;
        const params = { requestId: 'slow', progressToken: 't', progress: 1, level: 'info', message: 'x' };
        agent.notify(method, speaker.params(params));
        await speaker.request('tools/list');
        await speaker.request('resources/list'); // waits for the client's roots, where they were asked for
        const isCancelled = method === 'notifications/cancelled';
        if (isCancelled) loaded.resolve();
        if (isCancelled) await speaker.request('tools/list');
        assert.equal(asked, cell === '✓' && !isCancelled ? 1 : 0, method);
        assert.ok(!agent.received.some(({ id, error }) => id === 'slow' || error), method);
      }
    });

    it(`${version}: the server sends what the tables say`, async () => {
      const window = await machine.open({ trees: TREES });
      const sent = (heading: string): string[] =>
        columnOf(heading, version)
          .filter(([, cell]) => cell !== '–')
          .map(([name]) => name)
          .sort();
      const notifications = sent('Notifications of the server');
      const speaker = await Speaker.of(window, version, { roots: {}, sampling: {}, elicitation: {} });
      if (version >= '2026') {
        await speaker.request('tools/list');
        const wanted = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
        const resourceSubscriptions = [window.uri('a.txt')];
        const notifications = { ...wanted, resourceSubscriptions };
        speaker.send('listen', 'subscriptions/listen', { notifications });
      }
      await provoke(window, speaker, notifications);
      const { received } = speaker.agent;
      const methods = (isRequest: boolean) => [
        ...new Set(
          received.filter((it) => it.method && 'id' in it === isRequest).map(({ method }): string => method),
        ),
      ];
      assert.deepEqual(methods(false).sort(), notifications);
      assert.deepEqual(methods(true), sent('Requests of the server'));
      for (const { method, params } of received) {
        const isListened = columnOf('Notifications of the server', version).some(
          ([name, cell]) => name === method && cell === 'listen',
        );
        if (isListened) assert.equal(params._meta[`${PREFIX}/subscriptionId`], 'listen', method);
      }
    });
  }

  it('2026-07-28: an agent that listens to nothing is told of no change', async () => {
    const window = await machine.open({ trees: TREES });
    const speaker = await Speaker.of(window, '2026-07-28');
    await provoke(window, speaker, ['notifications/message', 'notifications/progress']);
    const told = speaker.agent.received.flatMap(({ method }) => method ?? []);
    assert.deepEqual([...new Set(told)].sort(), ['notifications/message', 'notifications/progress']);
  });

  it('requests are served without a handshake, and each handshake agrees on a version anew', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    assert.ok((await agent.request('tools/list')).result.tools.length > 0);
    for (const asked of ['2024-10-07', '2026-07-28', '2030-01-01', '1.0', '2025-11-25'])
      assert.equal((await agent.initialize(asked)).result.protocolVersion, '2025-11-25', asked);
    const ping = [{ jsonrpc: '2.0', id: 1, method: 'ping' }];
    agent.send(ping);
    const { error } = await agent.until((message) => message.error);
    assert.match(error.message, /2025-11-25 does not allow batches/);
    assert.equal((await agent.initialize('2024-11-05')).result.protocolVersion, '2024-11-05');
    agent.send(ping);
    const batch = await agent.until(Array.isArray);
    assert.deepEqual(batch, [{ jsonrpc: '2.0', id: 1, result: {} }]);
    assert.equal(window.agents.length, 1);
  });
});
