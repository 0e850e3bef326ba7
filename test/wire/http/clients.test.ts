/** The SDK's own clients, of each version and over each transport that is no pipe. */
import assert from 'node:assert/strict';
import {
  Client,
  type ClientOptions,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { useMachine } from '../harness.ts';

const TREE = { 'a.txt': 'hello\n' };
const requestInit = { headers: { Authorization: 'Bearer secret' } };

describe('HTTP', () => {
  const machine = useMachine();

  const connect = async (
    transport: ConstructorParameters<typeof Client> extends never ? never : Parameters<Client['connect']>[0],
    options: ClientOptions,
  ) => {
    const client = new Client({ name: 'http-test', version: '1' }, options);
    await client.connect(transport);
    return client;
  };

  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2026-07-28'])
    it(`serves the client of ${version}`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const { port } = await window.serveHttp();
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
        requestInit,
      });
      const client = await connect(
        transport,
        version === '2026-07-28'
          ? { versionNegotiation: { mode: { pin: version } } }
          : { supportedProtocolVersions: [version] },
      );
      const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
      assert.deepEqual(content, [{ type: 'text', text: 'hello\n' }]);
      assert.equal(window.agents.length, 1);
      assert.equal(window.agents[0]?.name, 'http-test');
      if (version !== '2026-07-28') await transport.terminateSession();
      await client.close();
    });

  it('serves the client of 2024-11-05, with SSE', async () => {
    const window = await machine.open({ trees: { ws: TREE } });
    const { port } = await window.serveHttp();
    const transport = new SSEClientTransport(new URL(`http://127.0.0.1:${port}/sse`), {
      requestInit,
      eventSourceInit: {
        fetch: (url, init) =>
          fetch(url, { ...init, headers: { ...(init?.headers as object), ...requestInit.headers } }),
      },
    });
    const client = await connect(transport, { supportedProtocolVersions: ['2024-11-05'] });
    const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
    assert.deepEqual(content, [{ type: 'text', text: 'hello\n' }]);
    await client.close();
  });
});
