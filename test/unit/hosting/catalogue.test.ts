import assert from 'node:assert/strict';
import type { HostedClient } from '../../../src/hosting/connection/client.ts';
import { readCatalogue } from '../../../src/hosting/servers/catalogue.ts';

describe('hosting/servers/catalogue', () => {
  it('leaves out what would make agents refuse the whole list, and completes the rest', async () => {
    const lists: Record<string, object> = {
      'tools/list': {
        tools: [
          { name: 'a', inputSchema: { type: 'object' }, own: 1 },
          { name: 'bad', inputSchema: { type: 'string' } },
          { name: 'plain' },
          { name: 'task', execution: { taskSupport: 'required' } },
          { name: 'a', description: 'again', inputSchema: { type: 'object' } },
        ],
      },
      'resources/list': { resources: [{ uri: 'a:b' }, { name: 'without' }] },
    };
    const client = {
      serverInfo: {},
      capabilities: { tools: {}, resources: {} },
      request: async (method: string) => lists[method] ?? {},
    } as unknown as HostedClient;
    const { tools, resources, leftOut } = await readCatalogue(client);
    assert.deepEqual(tools, [
      { name: 'a', inputSchema: { type: 'object' }, own: 1 },
      { name: 'plain', inputSchema: { type: 'object' } },
    ]);
    assert.deepEqual(resources, [{ uri: 'a:b', name: 'a:b' }]);
    assert.deepEqual(leftOut.toSorted(), [
      'resources: undefined (is not valid)',
      'tools: a (is named twice)',
      'tools: bad (is not valid)',
      'tools: task (needs MCP tasks, which are not supported)',
    ]);
  });
});
