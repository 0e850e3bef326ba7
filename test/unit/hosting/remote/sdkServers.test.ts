import assert from 'node:assert/strict';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { until } from '../../../until.ts';
import { RemoteServers, webHandler } from './support.ts';

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

describe('hosting/remote/sdkServers: A remote server of the SDK', () => {
  const servers = new RemoteServers();
  after(() => servers.dispose());

  it('of the modern era is listed, called, heard, cancelled and left', async () => {
    const url = await servers.serve(webHandler(createMcpHandler(sdkServer).fetch));
    const { client, closed } = await servers.connect(url, { answers });
    assert.deepEqual([client.era, client.serverInfo.name], ['modern', 'sdk']);
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
