import assert from 'node:assert/strict';
import type { Context } from '../../../../src/features/context.ts';
import { forwarded, listing, searchTool } from '../../../../src/features/hosted/findTools.ts';
import type { Tool, ToolCall } from '../../../../src/features/tool.ts';
import { CALL, cleanUp, openWindow } from '../window.ts';

/** A server with so many tools, whose schemas take about that many bytes each. */
function serverWith(slug: string, count: number, bytes: number, isUsed = false) {
  const tools = Array.from({ length: count }, (_, index) => ({
    tool: {
      name: `tool${index}`,
      description: index === 0 ? `Sends mail of ${slug}` : 'x',
      inputSchema: { type: 'object', own: 'i'.repeat(bytes) },
      outputSchema: { type: 'object', own: 'o'.repeat(bytes) },
    },
  }));
  const catalogue = { tools: tools.map(({ tool }) => tool) };
  return { slug, name: slug, tools, isUsed, catalogue, server: { source: { kind: 'settings' } } };
}

const contextOf = (...all: ReturnType<typeof serverWith>[]): Context =>
  ({
    hosted: { all, find: (slug: string) => all.find((one) => one.slug === slug) },
  }) as unknown as Context;

describe('features/hosted/listing', () => {
  afterEach(cleanUp);

  it('leaves out result schemas, then hides whole servers, the largest of those that are not used first', () => {
    const all = listing(contextOf(serverWith('a', 10, 1_500)));
    assert.deepEqual([all.listed.length, all.hidden], [10, []]);
    assert.deepEqual(Object.keys(all.listed[0]?.listed ?? {}), ['name', 'description', 'inputSchema']);
    const ctx = contextOf(
      serverWith('used', 10, 2_000, true),
      serverWith('small', 2, 1_000),
      serverWith('large', 20, 1_000),
    );
    const { listed, hidden } = listing(ctx);
    assert.deepEqual([...new Set(listed.map(({ name }) => name.split('__')[0]))], ['small', 'used']);
    assert.equal(hidden.length, 20);
  });

  it('weighs the tools of a server once, until they change', () => {
    const server = serverWith('a', 30, 1_000);
    let written = 0;
    const [one] = server.tools;
    assert.ok(one);
    Object.assign(one.tool.inputSchema, { toJSON: () => ++written });
    listing(contextOf(server));
    const first = written;
    listing(contextOf(server));
    assert.deepEqual([first > 0, written], [true, first]);
  });

  it('finds hidden tools by words, with their arguments', async () => {
    const { ctx, run } = openWindow();
    const hosted = contextOf(serverWith('a', 30, 1_000)).hosted;
    const withServers = { ...ctx, hosted } as Context;
    const find = searchTool('find_tools', withServers);
    assert.ok(find);
    const { content } = await run(find, { query: 'send mail' }, CALL, withServers);
    const { text } = content[0] as { text: string };
    assert.match(text, /a__tool0: Sends mail of a\nArguments: \{/);
    const large = { ...ctx, hosted: contextOf(serverWith('a', 30, 9_000)).hosted } as Context;
    const all = await run(find, { query: 'x' }, CALL, large);
    assert.ok(JSON.stringify(all).length < 30_000);
  });

  describe('call_tool', () => {
    function setUp() {
      const { ctx, fake, run } = openWindow();
      const all = [serverWith('a', 1, 10)];
      const hosted = { ...contextOf(...all).hosted, whyGone: () => 'it was removed' };
      const lm = { tools: [{ name: 'x', tags: [], description: '' }] };
      const code = Object.create(ctx.vscode, { lm: { value: lm } });
      fake.person.sets('workspaceMcp.hosting.editorTools', true);
      const withServers = { ...ctx, vscode: code, hosted } as unknown as Context;
      const forward = (params: object) =>
        forwarded({ name: 'call_tool', arguments: { ...params } }, withServers);
      const callTool = searchTool('call_tool', withServers) as Tool;
      const callIt = (name: string) => run(callTool, { name }, CALL, withServers);
      return { fake, forward, callIt };
    }

    it('forwards to tools of hosted servers, also of one that has gone', async () => {
      const { forward } = setUp();
      const params = { name: 'a__tool0', arguments: { c: 1 } };
      const found = forward(params);
      assert.deepEqual([found?.tool.name, found?.params], ['a__tool0', params]);
      const inText = forward({ name: 'a__tool0', arguments: '{"c":1}' });
      assert.deepEqual(
        [inText?.params, forward({ name: 'a__tool0', arguments: '' })?.params.arguments],
        [params, {}],
      );
      const gone = forward({ name: 'b__tool0' })?.tool as Tool;
      await assert.rejects(gone.run({} as never, {} as Context, {} as ToolCall), /it was removed/);
      assert.equal(forward({ name: 1 }), undefined);
    });

    it('does not forward to other tools, and says so, and nothing if it is switched off', async () => {
      const { forward, callIt } = setUp();
      for (const name of ['read_file', 'vscode__x', 'call_tool', 'no_such_tool']) {
        assert.equal(forward({ name }), undefined);
        await assert.rejects(callIt(name), /^UserError: call_tool calls tools of hosted servers only\. /);
      }
      for (const [key, value] of Object.entries({ disabled: ['call_tool'], groups: { hosted: false } })) {
        const { fake, forward } = setUp();
        fake.person.sets(`workspaceMcp.tools.${key}`, value);
        assert.equal(forward({ name: 'a__tool0' }), undefined);
      }
    });
  });
});
