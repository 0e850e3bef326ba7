import assert from 'node:assert/strict';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { HostedClient } from '../../../../src/hosting/connection/client.ts';
import { readCatalogue } from '../../../../src/hosting/servers/catalogue.ts';
import { holdClock } from '../../../fakes/clock.ts';

describe('hosting/servers/catalogue', () => {
  it('leaves out what would make agents refuse the whole list, and completes the rest', async () => {
    const lists: Record<string, object> = {
      'tools/list': {
        tools: [
          { name: 'a', inputSchema: { type: 'object' }, own: 1 },
          { name: 'bad', inputSchema: { type: 'string' } },
          { name: 'plain' },
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
    ]);
  });

  it('has each item once if the server ends its list with an empty cursor', async () => {
    const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
    const request = async () => ({ tools, nextCursor: '' });
    const client = { capabilities: { tools: {} }, request } as unknown as HostedClient;
    const catalogue = await readCatalogue(client);
    assert.deepEqual([catalogue.tools, catalogue.leftOut], [tools, []]);
  });

  it('says why a list could not be read, unless the server does not know the method', async () => {
    const request = async (method: string) => {
      throw method === 'tools/list' ? new ProtocolError(-32000, 'too long') : new ProtocolError(-32601, 'no');
    };
    const client = { capabilities: { tools: {}, prompts: {} }, request } as unknown as HostedClient;
    const { leftOut, cut } = await readCatalogue(client);
    assert.deepEqual(leftOut, ['tools: not read: too long']);
    assert.deepEqual(Object.keys(cut ?? {}), ['tools']);
  });

  describe('has limits', () => {
    const clock = holdClock();
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
      const rest = 'the rest is left out: at most 10000 of a list are taken';
      assert.deepEqual(leftOut, [`tools: 10000 of more than 12000, ${rest}`]);
      assert.equal(`${instructions}`.length, 10_000);
      const all = Array.from({ length: 4 }, (_, page) => thousands(page)).flat();
      const client = { capabilities: { tools: {} }, request: async () => ({ tools: all }) };
      const once = await readCatalogue(client as unknown as HostedClient);
      assert.deepEqual(once.leftOut, [`tools: 10000 of 12000, ${rest}`]);
    });

    it('of the pages of a list, and of the time for all of them', async () => {
      const { read } = endless({ tools: (page) => [tool(`t${page}`)] });
      assert.deepEqual((await read()).leftOut, [
        'tools: 1000 of more than 1000, the rest is left out: at most 1000 pages of a list are read',
      ]);
      const slow = endless({
        tools: (page) => {
          clock.tick(20_000);
          return [tool(`t${page}`)];
        },
      });
      assert.deepEqual((await slow.read()).leftOut, [
        'tools: 4 of more than 4, the rest is left out: reading took more than 60 s',
      ]);
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
        /resources: 5 of more than 2\d, the rest is left out: at most 4 MB of all lists together are taken$/,
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
      const names = tools.map(({ name }) => name);
      assert.deepEqual(names, ['good']);
      assert.deepEqual(leftOut, ['tools: large, deep (has more than 256 KB or nests too deep)']);
    });
  });
});
