/** Hosted servers on the network, through the real shim. */
import assert from 'node:assert/strict';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { RemoteServers, webHandler } from '../../unit/hosting/remote/support.ts';
import { useMachine } from '../harness.ts';
import { startAll } from './support.ts';

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'Hello' }] }));
  return server;
}

describe('a hosted server on the network', () => {
  const machine = useMachine();

  it('answers agents', async () => {
    const servers = new RemoteServers();
    const { fetch } = createMcpHandler(greeter);
    const url = await servers.serve(webHandler((request) => fetch(request)));
    const window = await machine.open({ servers: { greeter: { url: `${url}` } } });
    await startAll(window);
    const agent = await window.agent();
    const { content } = await agent.callTool({ name: 'greeter__greet' });
    assert.deepEqual(content, [{ type: 'text', text: 'Hello' }]);
    await servers.dispose();
  });
});
