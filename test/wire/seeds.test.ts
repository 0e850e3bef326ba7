/**
 * Every request and notification of the five documents that the protocol is known by, in their spellings (string and
 * number ids, params left out or empty, the bare `initialized`); the names of files and tools are ours.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
import assert from 'node:assert/strict';
import { PNG } from '../picture.ts';
import { type TestWindow, useMachine } from './harness.ts';
import { HttpClient, SseClient, WebSocketClient } from './http/rawClients.ts';
import type { Message, RawClient } from './rawClient.ts';

const TREE = {
  'config.json': '{"key": "value"}',
  'logo.png': Buffer.from(PNG, 'base64'),
  '.vscode/x.code-snippets': JSON.stringify({
    'Analyze code': { body: 'Analyze this ${1:language} code: $2', description: '分析代码质量' },
  }),
};

/** As the documents have them; the version is put in. */
const HANDSHAKES: [id: unknown, name: string, capabilities: object, initialized: string][] = [
  [1, 'Cursor', { roots: { listChanged: true }, sampling: {} }, 'notifications/initialized'],
  ['init-1', 'claude-code', { tools: {}, resources: {}, logging: {} }, 'notifications/initialized'],
  [1, 'Claude Desktop', { experimental: { customFeature: true } }, 'notifications/initialized'],
  [1, 'opencode', {}, 'initialized'],
];

type Case = [id: unknown, method: string, params: object | undefined, result: object];

const reading = (path?: string, more: object = {}) => ({ name: 'read_file', arguments: { path }, ...more });

function casesIn(window: TestWindow): Case[] {
  const [uri, logo] = [window.uri('config.json'), window.uri('logo.png')];
  const text = '{"key": "value"}';
  const tools = [{ name: 'read_file', inputSchema: { type: 'object', required: ['path'] } }];
  const config = { content: [{ type: 'text', text }] };
  const failure = { content: [{ type: 'text' }], isError: true };
  const description = '分析代码质量';
  const prompts = [{ name: 'analyze_code', description, arguments: [{ name: 'language', required: false }] }];
  const getting = { name: 'analyze_code', arguments: { language: 'JavaScript', arg2: 'x' } };
  const messages = [{ role: 'user', content: { type: 'text', text: 'Analyze this JavaScript code: x' } }];
  return [
    [2, 'ping', undefined, {}],
    [2, 'tools/list', undefined, { tools }],
    [2, 'tools/list', { cursor: null }, { tools }],
    ['call-1', 'tools/call', reading('config.json', { _meta: { progressToken: 'progress-123' } }), config],
    ['stream-1', 'tools/call', reading('config.json', { _stream: true }), config],
    ['call-1', 'tools/call', reading(), failure],
    [3, 'tools/call', reading('none'), failure],
    [
      3,
      'tools/call',
      reading('logo.png'),
      { content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] },
    ],
    [
      'res-1',
      'resources/list',
      {},
      { resources: [{ uri, name: 'config.json', mimeType: 'application/json', size: 16 }] },
    ],
    ['2', 'resources/list', undefined, { resources: [{ uri: logo }] }],
    [6, 'resources/templates/list', {}, { resourceTemplates: [{ uriTemplate: 'file:///{+path}' }] }],
    ['read-1', 'resources/read', { uri }, { contents: [{ uri, mimeType: 'application/json', text }] }],
    [5, 'resources/read', { uri: logo }, { contents: [{ blob: PNG }] }],
    ['sub-1', 'resources/subscribe', { uri }, {}],
    [7, 'resources/unsubscribe', { uri }, {}],
    ['prompts-1', 'prompts/list', undefined, { prompts }],
    ['prompt-1', 'prompts/get', getting, { description, messages }],
    [10, 'roots/list', {}, { roots: [{ uri: window.uri(), name: 'ws' }] }],
  ];
}

const ERRORS: [rest: string, error: object][] = [
  ['"id":1', { code: -32600 }],
  ['"id":1,"method":"tools/run"', { code: -32601, message: 'Method not found: tools/run' }],
  ['"id":1,"method":"resources/read","params":{}', { code: -32602 }],
  ['"id":1,"method":"tools/call","params":{"name":"query_database"}', { code: -32602 }],
  ['"id":1,"method":"resources/list","params":{"cursor":"分页游标"}', { code: -32602 }],
  ['"id":1,"method":"tools/list","params":{"cursor":"eyJ..."}', { code: -32602 }],
  ['"id":1,"method":"resources/read","params":{"uri":"file://path/to/file.txt"}', { code: -32602 }],
  [
    '"id":1,"method":"resources/read","params":{"uri":"test://none.txt"}',
    { code: -32002, data: { uri: 'test://none.txt' } },
  ],
  ['"id":1,"method":"prompts/get","params":{"name":"git_commit_helper"}', { code: -32602 }],
];

/** What the second document shows of resources and prompts: no id, and what is asked and answered in one message. */
const WITHOUT_ID: Message[] = [
  { method: 'resources/list', result: { resources: [] } },
  { method: 'resources/read', params: { uri: 'file://path/to/file.txt' }, result: { contents: [] } },
  { method: 'tools/list' },
];

/** The four transports that the documents name. */
const TRANSPORTS: Record<string, (window: TestWindow) => Promise<RawClient & { end(): unknown }>> = {
  stdio: async (window) => window.rawAgent(),
  HTTP: async (window) => new HttpClient((await window.serveHttp()).port),
  SSE: async (window) => new SseClient((await window.serveHttp()).port),
  WebSocket: async (window) => new WebSocketClient((await window.serveHttp()).port),
};

for (const [transport, connect] of Object.entries(TRANSPORTS))
  describe(`wire: what the documents show, over ${transport}`, () => {
    const machine = useMachine();
    const agents: { end(): unknown }[] = [];
    const client = async (window: TestWindow) => {
      const agent = await connect(window);
      agents.push(agent);
      return agent;
    };

    async function open(): Promise<{ window: TestWindow; agent: RawClient }> {
      const window = await machine.open({ trees: { ws: TREE } });
      const agent = await client(window);
      await agent.initialize();
      agent.received.length = 0;
      return { window, agent };
    }

    afterEach(() => {
      for (const agent of agents.splice(0)) agent.end();
    });

    it('the handshakes, and all lists at once right after each', async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      for (const [id, name, capabilities, initialized] of HANDSHAKES) {
        const agent = await client(window);
        agent.answers.set('roots/list', () => ({ roots: [{ uri: window.uri(), name: 'Project Root' }] }));
        const clientInfo = { name, version: '1.0.0' };
        const params = { protocolVersion: '2024-11-05', capabilities, clientInfo };
        agent.send({ jsonrpc: '2.0', id, method: 'initialize', params });
        const { result } = await agent.answerTo(id);
        agent.notify(initialized);
        const lists = ['tools', 'resources', 'prompts', 'roots'];
        agent.send(
          ...lists.map((list) => ({ jsonrpc: '2.0', id: list, method: `${list}/list`, params: {} })),
        );
        for (const list of lists) assert.ok((await agent.answerTo(list)).result[list].length > 0, list);
        assert.partialDeepStrictEqual(result, {
          protocolVersion: '2024-11-05',
          serverInfo: { name: 'workspace-mcp', version: '0.1.0' },
          capabilities: {
            tools: { listChanged: true },
            resources: { subscribe: true, listChanged: true },
            prompts: { listChanged: true },
            logging: {},
          },
        });
        assert.ok(result.instructions.length > 0);
      }
    });

    it('every request, and every error', async () => {
      const { window, agent } = await open();
      for (const [id, method, params, result] of casesIn(window)) {
        agent.received.length = 0; // ids come again
        agent.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
        const answer = await agent.answerTo(id);
        const what = `${method} ${JSON.stringify(params)}`;
        assert.partialDeepStrictEqual(answer, { jsonrpc: '2.0', id, result }, what);
        assert.ok(!('nextCursor' in answer.result), 'nextCursor on the last page');
      }
      for (const [rest, error] of ERRORS) {
        agent.received.length = 0;
        agent.write(`{"jsonrpc":"2.0",${rest}}\n`);
        const answer = await agent.answerTo(1);
        assert.partialDeepStrictEqual(answer, { jsonrpc: '2.0', id: 1, error }, rest);
        assert.equal(answer.error.data.details, answer.error.message, rest);
      }
    });

    it('a stream is progress, where there is a token for it; what has no id gets no answer', async () => {
      const { window, agent } = await open();
      window.fake.person.opensTab(window.path('config.json'));
      window.fake.person.reports(window.path('config.json'), []);
      const call = { name: 'get_diagnostics', arguments: { path: 'config.json' }, _stream: true };
      await agent.request('tools/call', call);
      assert.equal(agent.received.length, 1);
      await agent.request('tools/call', { ...call, _meta: { progressToken: 'progress-123' } });
      const told = agent.received.filter(({ method }) => method === 'notifications/progress');
      assert.equal(told.at(-1)?.params.progressToken, 'progress-123');
      agent.received.length = 0;
      for (const message of WITHOUT_ID) agent.send({ jsonrpc: '2.0', ...message });
      assert.deepEqual((await agent.request('ping')).result, {});
      assert.equal(agent.received.length, 1);
    });
  });
