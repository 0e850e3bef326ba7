/** Hosted servers on the network, through the real shim. */
import assert from 'node:assert/strict';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { RemoteServers, webHandler } from '../../unit/hosting/remote/support.ts';
import { useMachine } from '../harness.ts';
import { approveAll, startAll } from './support.ts';

function greeter(): McpServer {
  const server = new McpServer({ name: 'greeter', version: '1' });
  server.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'Hello' }] }));
  return server;
}

describe('a hosted server on the network', () => {
  const machine = useMachine();
  let servers: RemoteServers;
  beforeEach(() => {
    servers = new RemoteServers();
  });
  afterEach(() => servers.dispose());

  it('answers agents', async () => {
    const { fetch } = createMcpHandler(greeter);
    const url = await servers.serve(webHandler((request) => fetch(request)));
    const window = await machine.open({ servers: { greeter: { url: `${url}` } } });
    await startAll(window);
    const agent = await window.agent();
    const { content } = await agent.callTool({ name: 'greeter__greet' });
    assert.deepEqual(content, [{ type: 'text', text: 'Hello' }]);
  });

  it('that wants a sign-in says so, and opens no browser', async () => {
    const url = await servers.serve((_, response) => void response.writeHead(401).end());
    const window = await machine.open({ servers: { closed: { url: `${url}` } } });
    await approveAll(window);
    const agent = await window.agent();
    const result = await agent.callTool({ name: 'closed__any' });
    assert.match(JSON.stringify(result), /sign in/i);
    assert.equal(window.hosting?.servers[0]?.signIn?.isRequired, true);
  });
});
