/** A server made with the SDK, for both protocol eras, or for one: `sdkServer.ts [modern]`. */
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(
  () => {
    const server = new McpServer(
      { name: 'sdk', version: '2' },
      { capabilities: { tools: {} }, instructions: 'Both eras.' },
    );
    server.registerTool('echo', { inputSchema: z.object({ value: z.string() }) }, ({ value }) => ({
      content: [{ type: 'text', text: value }],
      _meta: { own: value },
    }));
    server.registerTool('roots', {}, ({ mcpReq: { inputResponses, requestState } }) => {
      const given = inputResponses?.roots;
      if (!given)
        return inputRequired({
          inputRequests: { roots: inputRequired.listRoots() },
          requestState: 'state of the server',
        }) as never;
      return { content: [{ type: 'text', text: JSON.stringify({ given, state: requestState() }) }] };
    });
    server.registerTool('insatiable', {}, () => {
      const inputRequests = { roots: inputRequired.listRoots() };
      return inputRequired({ inputRequests, requestState: 'more' }) as never;
    });
    return server;
  },
  { legacy: process.argv[2] === 'modern' ? 'reject' : 'serve' },
);
