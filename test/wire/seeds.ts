// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
/** What the five documents show, as they write it; the names of files and tools are ours. */
import type { TestWindow, Tree } from './harness.ts';
import type { Message } from './rawAgent.ts';

export const TREE: Tree = {
  'config.json': '{"key": "value"}',
  'logo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0),
  '.vscode/x.code-snippets': JSON.stringify({
    'Analyze code': { body: 'Analyze this ${1:language} code: $2', description: '分析代码质量' },
  }),
};

export type Case = [
  what: string,
  request: (window: TestWindow) => Message,
  result: (window: TestWindow) => object,
];

const contents = (window: TestWindow) => ({
  contents: [{ uri: window.uri('config.json'), mimeType: 'application/json', text: '{"key": "value"}' }],
});
const prompt = {
  description: '分析代码质量',
  messages: [{ role: 'user', content: { type: 'text', text: 'Analyze this JavaScript code: x' } }],
};
const readConfig = { name: 'read_file', arguments: { path: 'config.json' } };
const configText = { content: [{ type: 'text', text: '{"key": "value"}' }] };
const readTool = { name: 'read_file', inputSchema: { type: 'object', required: ['path'] } };

export const CASES: Case[] = [
  [
    '000, 004: tools/list with empty params',
    () => ({ id: 2, method: 'tools/list', params: {} }),
    () => ({ tools: [readTool] }),
  ],
  [
    '002, 004: tools/list without params',
    () => ({ id: 2, method: 'tools/list' }),
    () => ({ tools: [readTool] }),
  ],
  [
    '003: tools/list with cursor null',
    () => ({ id: 2, method: 'tools/list', params: { cursor: null } }),
    () => ({ tools: [readTool] }),
  ],
  [
    '000, 002, 004: tools/call',
    () => ({ id: 3, method: 'tools/call', params: readConfig }),
    () => configText,
  ],
  [
    '001, 003: tools/call with a progress token',
    () => ({
      id: 'call-1',
      method: 'tools/call',
      params: { ...readConfig, _meta: { progressToken: 'progress-123' } },
    }),
    () => configText,
  ],
  [
    '001: tools/call with _stream',
    () => ({ id: 'stream-1', method: 'tools/call', params: { ...readConfig, _stream: true } }),
    () => configText,
  ],
  [
    '001: tools/call without its path',
    () => ({ id: 'call-1', method: 'tools/call', params: { name: 'read_file', arguments: {} } }),
    () => ({ content: [{ type: 'text' }], isError: true }),
  ],
  [
    '001: tools/call with an empty path',
    () => ({ id: 'call-1', method: 'tools/call', params: { name: 'read_file', arguments: { path: '' } } }),
    () => ({ content: [{ type: 'text' }], isError: true }),
  ],
  [
    '000, 001: a tool that sends an image',
    () => ({ id: 3, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'logo.png' } } }),
    () => ({ content: [{ type: 'image', data: 'iVBORwA=', mimeType: 'image/png' }] }),
  ],
  [
    '000: a tool that fails',
    () => ({ id: 3, method: 'tools/call', params: { name: 'read_file', arguments: { path: 'none' } } }),
    () => ({ content: [{ type: 'text' }], isError: true }),
  ],
  [
    '000, 001: resources/list',
    () => ({ id: 'res-1', method: 'resources/list', params: {} }),
    (window) => ({
      resources: [
        { uri: window.uri('config.json'), name: 'config.json', mimeType: 'application/json', size: 16 },
      ],
    }),
  ],
  [
    '001, 002: resources/list without params',
    () => ({ id: '2', method: 'resources/list' }),
    (window) => ({ resources: [{ uri: window.uri('logo.png') }] }),
  ],
  [
    '003: resources/list with cursor null',
    () => ({ id: 4, method: 'resources/list', params: { cursor: null } }),
    (window) => ({ resources: [{ uri: window.uri('logo.png') }] }),
  ],
  [
    '003: resources/templates/list',
    () => ({ id: 6, method: 'resources/templates/list', params: { cursor: null } }),
    () => ({ resourceTemplates: [{ uriTemplate: 'file:///{+path}' }] }),
  ],
  [
    '000, 001, 003: resources/read',
    (window) => ({ id: 'read-1', method: 'resources/read', params: { uri: window.uri('config.json') } }),
    contents,
  ],
  [
    '003: a binary resource',
    (window) => ({ id: 5, method: 'resources/read', params: { uri: window.uri('logo.png') } }),
    () => ({ contents: [{ blob: 'iVBORwA=' }] }),
  ],
  [
    '000, 001: resources/subscribe',
    (window) => ({ id: 'sub-1', method: 'resources/subscribe', params: { uri: window.uri('config.json') } }),
    () => ({}),
  ],
  [
    '000: resources/unsubscribe',
    (window) => ({ id: 7, method: 'resources/unsubscribe', params: { uri: window.uri('config.json') } }),
    () => ({}),
  ],
  [
    '000, 001: prompts/list',
    () => ({ id: 8, method: 'prompts/list', params: {} }),
    () => ({
      prompts: [
        {
          name: 'analyze_code',
          description: '分析代码质量',
          arguments: [{ name: 'language', required: false }],
        },
      ],
    }),
  ],
  [
    '001, 002: prompts/list without params',
    () => ({ id: 'prompts-1', method: 'prompts/list' }),
    () => ({ prompts: [{ name: 'analyze_code' }] }),
  ],
  [
    '003: prompts/list with cursor null',
    () => ({ id: 6, method: 'prompts/list', params: { cursor: null } }),
    () => ({ prompts: [{ name: 'analyze_code' }] }),
  ],
  [
    '000, 001, 003: prompts/get',
    () => ({
      id: 'prompt-1',
      method: 'prompts/get',
      params: { name: 'analyze_code', arguments: { language: 'JavaScript', arg2: 'x' } },
    }),
    () => prompt,
  ],
  [
    '000: roots/list asked of the server',
    () => ({ id: 10, method: 'roots/list', params: {} }),
    (window) => ({ roots: [{ uri: window.uri(), name: 'ws' }] }),
  ],
  ['004: ping', () => ({ id: 2, method: 'ping' }), () => ({})],
];

export const ERRORS: [what: string, line: string, answer: object][] = [
  ['not JSON', '{"jsonrpc": "2.0", ', { id: null, error: { code: -32700 } }],
  ['no request', '{"jsonrpc":"2.0","id":1}', { id: 1, error: { code: -32600 } }],
  [
    '004: an id of null',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    { id: null, error: { code: -32600 } },
  ],
  [
    'an unknown method',
    '{"jsonrpc":"2.0","id":1,"method":"tools/run"}',
    { id: 1, error: { code: -32601, message: 'Method not found: tools/run' } },
  ],
  [
    'params of a wrong kind',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}',
    { id: 1, error: { code: -32602 } },
  ],
  [
    'an unknown tool',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_database"}}',
    { id: 1, error: { code: -32602 } },
  ],
  [
    "001: somebody else's cursor",
    '{"jsonrpc":"2.0","id":"res-1","method":"resources/list","params":{"cursor":"分页游标"}}',
    { id: 'res-1', error: { code: -32602 } },
  ],
  [
    "001: somebody else's cursor for tools",
    '{"jsonrpc":"2.0","id":"tools-1","method":"tools/list","params":{"cursor":"可选的分页游标"}}',
    { id: 'tools-1', error: { code: -32602 } },
  ],
  [
    '003: a cursor that looks like one of many servers',
    '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"eyJ..."}}',
    { id: 2, error: { code: -32602 } },
  ],
  [
    '002: a file:// URI of two slashes, which names a host',
    '{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"file://path/to/file.txt"}}',
    { id: 5, error: { code: -32602 } },
  ],
  [
    'a missing resource',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://none.txt"}}',
    { id: 1, error: { code: -32002, data: { uri: 'test://none.txt' } } },
  ],
  [
    'an unknown prompt',
    '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"git_commit_helper"}}',
    { id: 1, error: { code: -32602 } },
  ],
];

/** As the documents have them; the version is put in. */
export const HANDSHAKES: Record<string, { initialize: Message; initialized: Message }> = {
  '000, Cursor': {
    initialize: {
      id: 1,
      params: {
        capabilities: { roots: { listChanged: true }, sampling: {} },
        clientInfo: { name: 'Cursor', version: '0.x.x' },
      },
    },
    initialized: { method: 'notifications/initialized' },
  },
  '001, Claude Code': {
    initialize: {
      id: 'init-1',
      params: {
        capabilities: { tools: {}, resources: {}, logging: {} },
        clientInfo: { name: 'claude-code', version: '1.0.0' },
      },
    },
    initialized: { method: 'notifications/initialized' },
  },
  '003, Claude Desktop': {
    initialize: {
      id: 1,
      params: {
        clientInfo: { name: 'Claude Desktop', version: '1.0.0' },
        capabilities: { roots: { listChanged: true }, sampling: {}, experimental: { customFeature: true } },
      },
    },
    initialized: { method: 'notifications/initialized', params: {} },
  },
  '002 and 004, opencode': {
    initialize: { id: 1, params: { capabilities: {}, clientInfo: { name: 'opencode', version: '1.0.0' } } },
    initialized: { method: 'initialized' },
  },
};

/** What the second document shows of resources and prompts: no id, and what is asked and answered in one message. */
export const WITHOUT_ID: Message[] = [
  { method: 'resources/list', result: { resources: [] } },
  { method: 'resources/read', params: { uri: 'file://path/to/file.txt' }, result: { contents: [] } },
  { method: 'prompts/list', result: { prompts: [] } },
  { method: 'tools/list' },
];
