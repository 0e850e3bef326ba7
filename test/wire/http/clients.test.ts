/** The clients of both SDKs, of each version and over each transport that is no pipe. */
import assert from 'node:assert/strict';
import {
  Client,
  type ClientOptions,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as FirstSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type TestWindow, useMachine } from '../harness.ts';
import { AUTHORIZED } from './rawClients.ts';

const requestInit = { headers: AUTHORIZED };
const NAMED = { name: 'http-test', version: '1' };
const MODERN = '2026-07-28';

describe('HTTP, by clients of the SDKs', () => {
  const machine = useMachine();
  let window: TestWindow;
  let at: (path: string) => URL;

  beforeEach(async () => {
    window = await machine.open({ trees: { ws: { 'a.txt': 'hello\n' } } });
    const { port } = await window.serveHttp();
    at = (path) => new URL(`http://127.0.0.1:${port}${path}`);
  });

  /** Reads the file, is seen, and leaves. */
  async function read(client: Client | FirstClient): Promise<void> {
    const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
    assert.deepEqual(content, [{ type: 'text', text: 'hello\n' }]);
    assert.ok(window.agents.some(({ name }) => name === 'http-test'));
    await client.close();
  }

  for (const version of [MODERN, '2025-11-25', '2025-06-18', '2025-03-26'])
    it(`${version}, Streamable HTTP`, async () => {
      const options: ClientOptions =
        version === MODERN
          ? { versionNegotiation: { mode: { pin: version } } }
          : { supportedProtocolVersions: [version] };
      const client = new Client(NAMED, options);
      await client.connect(new StreamableHTTPClientTransport(at('/mcp'), { requestInit }));
      await read(client);
    });

  it('2024-11-05, HTTP with SSE', async () => {
    const client = new Client(NAMED, { supportedProtocolVersions: ['2024-11-05'] });
    await client.connect(new SSEClientTransport(at('/sse'), { requestInit }));
    await read(client);
  });

  it('the first SDK, both', async () => {
    for (const transport of [
      new FirstHttp(at('/mcp'), { requestInit }),
      new FirstSse(at('/sse'), { requestInit }),
    ]) {
      const client = new FirstClient(NAMED);
      await client.connect(transport as Parameters<FirstClient['connect']>[0]);
      await read(client);
    }
  });
});
