import assert from 'node:assert/strict';
import type { HostedClient } from '../../../src/hosting/connection/client.ts';
import { readCatalogue } from '../../../src/hosting/servers/catalogue.ts';

describe('hosting/catalogue', () => {
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

  it('has each item once if the server ends its list with an empty cursor', async () => {
    const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
    const request = async () => ({ tools, nextCursor: '' });
    const client = { capabilities: { tools: {} }, request } as unknown as HostedClient;
    const catalogue = await readCatalogue(client);
    assert.deepEqual([catalogue.tools, catalogue.leftOut], [tools, []]);
  });

  describe('has limits', () => {
    const schema = { type: 'object' };
    const tool = (name: string, bytes = 0) => ({ name, description: 'x'.repeat(bytes), inputSchema: schema });

    /** A server whose lists are made page by page, without end. */
    function endless(pages: Record<string, (page: number) => object[]>) {
      let asked = 0;
      const client = {
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: 'i'.repeat(1_000_000),
        request: async (method: string, { cursor = '0' }: { cursor?: string }) => {
          const name =
            method === 'resources/templates/list' ? 'resourceTemplates' : `${method.split('/')[0]}`;
          const items = pages[name]?.(Number(cursor));
          if (items) asked++;
          return items?.length ? { [name]: items, nextCursor: `${Number(cursor) + 1}` } : {};
        },
      } as unknown as HostedClient;
      return { read: () => readCatalogue(client), asked: () => asked };
    }

    it('of the items of a list: reading stops, and what is left out is counted', async () => {
      const thousands = (page: number) =>
        Array.from({ length: 3_000 }, (_, index) => tool(`t${page}-${index}${'y'.repeat(100)}`));
      const { read, asked } = endless({ tools: thousands });
      const { tools, leftOut, instructions } = await read();
      assert.deepEqual([tools.length, asked()], [10_000, 4]);
      assert.match(`${leftOut}`, /^tools: t3-1000y+ \(is over 10000 items, and later ones are not read\)$/);
      assert.ok(`${leftOut}`.length < 200 && `${instructions}`.length === 10_000);
    });

    it('of the bytes of all lists, the first lists before the others', async () => {
      const large = (page: number) => [{ uri: `a:${page}`, name: 'x'.repeat(200_000) }];
      const three = (page: number) => (page < 15 ? [tool(`t${page}`, 200_000)] : []);
      const { read, asked } = endless({ tools: three, resources: large });
      const catalogue = await read();
      assert.deepEqual([catalogue.tools.length, catalogue.resources.length], [15, 5]);
      assert.ok(asked() < 50);
      assert.match(
        `${catalogue.leftOut}`,
        /resources: a:5, a:6.* and 1\d more \(is over 4 MB of all lists together/,
      );
      assert.deepEqual(await read(), catalogue);
    });

    it('of the bytes and the nesting of an item; the others stay', async () => {
      let deep: object = {};
      for (let level = 0; level < 10_000; level++) deep = { deep };
      const items = [
        tool('large', 300_000),
        tool('good'),
        { ...tool('deep'), inputSchema: { ...schema, deep } },
      ];
      const { read } = endless({ tools: (page) => (page === 0 ? items : []) });
      const { tools, leftOut } = await read();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['good'],
      );
      assert.deepEqual(leftOut, ['tools: large, deep (has more than 256 KB or nests too deep)']);
    });
  });
});
