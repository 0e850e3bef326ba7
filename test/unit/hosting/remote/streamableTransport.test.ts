import assert from 'node:assert/strict';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ServerProcess, type UseOptions } from '../../../../src/hosting/servers/serverProcess.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { until } from '../../../until.ts';
import { json, type Received, RemoteServers, webHandler } from './support.ts';

const rpcError = (id: unknown, message: string) => ({ jsonrpc: '2.0', id, error: { code: -32000, message } });
const OF_SDK = rpcError(null, 'Bad Request: No valid session ID provided');

describe('hosting/remote/streamableTransport: a remote server that refuses a request', () => {
  const clock = holdClock();
  let servers: RemoteServers;
  let sessions: number;
  /** Calls that were carried out. */
  let calls: number;
  /** Sessions of before are unknown after a restart. */
  let known: Set<unknown>;
  let server: ServerProcess;

  beforeEach(() => {
    servers = new RemoteServers();
    [sessions, calls, known] = [0, 0, new Set()];
  });
  afterEach(async () => {
    await clock.settle(server.dispose());
    await servers.dispose();
  });

  /** @param refusal what it says to a session that it does not know. @param bad to a call with a bad argument */
  async function open(refusal: object | string, bad: object | string = OF_SDK): Promise<void> {
    const said = ({ headers, message }: Received) => {
      if (message.method === 'server/discover') return OF_SDK;
      if (message.method !== 'initialize' && !known.has(headers['mcp-session-id'])) return refusal;
      return message.params?.bad ? bad : undefined;
    };
    const url = await servers.serve((request, response) => {
      const { method, message } = request;
      if (method === 'GET') return void response.writeHead(405).end();
      const refused = message && said(request);
      if (refused)
        return void response
          .writeHead(400)
          .end(typeof refused === 'string' ? refused : JSON.stringify(refused));
      if (message?.id === undefined) return void response.writeHead(202).end();
      if (message.method === 'tools/call') calls++;
      if (message.method === 'initialize') known.add(`${++sessions}`);
      const result = { protocolVersion: '2025-06-18', capabilities: {} };
      json(response, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': `${sessions}` });
    });
    const owner = { start: () => servers.connect(url), stateChanged() {} };
    server = new ServerProcess({ name: 'db', keepAlive: false, owner });
    await call({});
  }

  const call = (params: object, options: UseOptions = {}) =>
    clock.settle(
      server.withClient((client) => client.request('tools/call', { ...params }), options),
      4_000, // the pauses after two failures
    );

  for (const [how, refusal] of [
    ['as the SDK does', OF_SDK],
    ['with the id of the request', rpcError(1, 'Invalid session')],
    ['as a text', 'Invalid session ID\n'],
  ] as const)
    it(`because it was restarted, ${how}: the session is opened again, once`, async () => {
      await open(refusal);
      known.clear();
      await call({}, { readOnly: true });
      assert.deepEqual([sessions, calls], [2, 2]);
      known.clear();
      await assert.rejects(call({}), /ended the session\. It is unknown whether the call took effect/);
      await call({});
      assert.deepEqual([sessions, calls], [3, 3]);
    });

  it('for a bad argument keeps its session, whatever it says', async () => {
    for (const bad of [OF_SDK, rpcError(null, 'Bad argument'), 'The session is over.']) {
      await open(OF_SDK, bad);
      const before = sessions;
      for (const readOnly of [true, false])
        await assert.rejects(call({ bad: true }, { readOnly }), /Bad|refused the request/);
      assert.equal(sessions, before);
      await clock.settle(server.dispose());
    }
  });

  it('of each new session too gets two for a call', async () => {
    await open(OF_SDK);
    known.add = () => known;
    known.clear();
    await assert.rejects(call({}, { readOnly: true }), /ended the session\. Try again later/);
    assert.equal(sessions, 2);
  });
});

const answers = { 'roots/list': async () => ({ roots: [{ uri: 'file:///a' }] }) };

function sdkServer(): McpServer {
  const server = new McpServer({ name: 'sdk', version: '2' }, { capabilities: { tools: {}, logging: {} } });
  server.registerTool('echo', { inputSchema: z.object({ value: z.string() }) }, ({ value }) => ({
    content: [{ type: 'text', text: value }],
    _meta: { own: value },
  }));
  server.registerTool('progress', {}, async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of [1, 2])
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } } as never);
    return { content: [] };
  });
  server.registerTool('roots', {}, ({ mcpReq: { inputResponses } }) => {
    if (inputResponses?.roots)
      return { content: [{ type: 'text', text: JSON.stringify(inputResponses.roots) }] };
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) as never;
  });
  server.registerTool('never', {}, ({ mcpReq }) => {
    const { promise, reject } = Promise.withResolvers<never>();
    mcpReq.signal.addEventListener('abort', () => {
      aborted++;
      reject(new Error('aborted'));
    });
    started++;
    return promise;
  });
  return server;
}

let started = 0;
let aborted = 0;

describe('hosting/remote/streamableTransport: a remote server of the SDK', () => {
  const servers = new RemoteServers();
  after(() => servers.dispose());

  it('of the modern era is listed, called, heard, cancelled and left', async () => {
    const url = await servers.serve(webHandler(createMcpHandler(sdkServer).fetch));
    const { client, closed } = await servers.connect(url, { answers });
    assert.equal(client.era, 'modern');
    const { tools } = (await client.request('tools/list')) as { tools: unknown[] };
    assert.equal(tools.length, 4);
    const params = { name: 'echo', arguments: { value: 'ünï' } };
    const result = await client.request('tools/call', params);
    assert.match(JSON.stringify(result), /"own":"ünï".*"text":"ünï"/);
    const roots = await client.request('tools/call', { name: 'roots' });
    assert.match(JSON.stringify(roots), /file:\/\/\/a/);

    const seen: unknown[] = [];
    const onProgress = ({ progress }: { progress?: unknown }) => seen.push(progress);
    await client.request('tools/call', { name: 'progress' }, { onProgress });
    assert.deepEqual(seen, [1, 2]);
    await assert.rejects(client.request('no/method'), { code: -32601 });
    const abort = new AbortController();
    const call = client.request('tools/call', { name: 'never' }, { signal: abort.signal });
    await until(() => started === 1, 'the call');
    abort.abort();
    await assert.rejects(call, { name: 'CancelledError' });
    await until(() => aborted === 1, 'the cancellation');

    await client.close();
    assert.equal(await closed, 'It was disconnected.');
    await assert.rejects(client.request('tools/list'), { name: 'ConnectionClosedError' });
  });
});
