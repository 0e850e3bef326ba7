/** Names and URIs of servers that are not made for models. */
import assert from 'node:assert/strict';
import { useMachine } from '../harness.ts';
import { definition, hostedIn, startAll } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever came over the wire
type Item = any;

describe('wire/hosting/names', () => {
  const machine = useMachine();

  async function open(names: readonly string[]) {
    const servers = Object.fromEntries(names.map((name) => [name, definition('odd')]));
    const window = await machine.open({ servers });
    await startAll(window);
    const agent = window.rawAgent();
    await agent.initialize();
    const list = async (what: string, start: string): Promise<Item[]> =>
      (await agent.request(`${what}/list`)).result[what].filter(({ name, uri }: Item) =>
        `${uri ?? name}`.startsWith(start),
      );
    return { window, agent, list };
  }

  it('all tools and prompts have names that every model takes, and reach the right one', async () => {
    const { window, agent, list } = await open(['odd']);
    for (const [what, method] of [
      ['tools', 'tools/call'],
      ['prompts', 'prompts/get'],
    ] as const) {
      const items = await list(what, 'odd__');
      const reached = [];
      for (const { name } of items) {
        assert.match(name, /^[a-zA-Z0-9_-]{1,44}$/);
        const { result } = await agent.request(method, { name, arguments: {} });
        reached.push(result.content?.[0].text ?? result.messages[0].content.text);
      }
      const own = hostedIn(window).catalogue?.[what].map(({ name }) => `${name}`);
      assert.equal(own?.length, 7);
      assert.deepEqual(reached.toSorted(), own?.toSorted());
    }
  });

  it('all resources can be read by the URIs that are listed', async () => {
    const { agent, list } = await open(['odd']);
    const resources = await list('resources', 'hosted://odd/');
    assert.equal(resources.length, 5);
    for (const { uri, name } of resources) {
      const { result, error } = await agent.request('resources/read', { uri });
      assert.deepEqual(result?.contents, [{ uri, text: `of ${name}` }], `${uri}: ${error?.message}`);
    }
  });

  it('servers with similar names are told apart', async () => {
    const names = ['odd', 'Odd', 'odd!', 'vscode', '服务器', 'a-server-with-a-very-long-name', 'constructor'];
    const { window, agent } = await open(names);
    const slugs = names.map((name) => hostedIn(window, name).slug);
    assert.equal(new Set(slugs).size, names.length);
    for (const slug of slugs) {
      assert.match(slug, /^[a-z0-9-]{1,16}$/);
      const { result, error } = await agent.request('tools/call', { name: `${slug}__a_b_c`, arguments: {} });
      assert.equal(result?.content[0].text, 'a_b_c', `${slug}: ${error?.message}`);
    }
  });

  it('only the named agents get a server, and only its tools that are not left out', async () => {
    const servers = {
      mine: { ...definition('odd'), agents: ['raw'], tools: { allow: ['a*'], deny: ['*/*'] } },
      theirs: { ...definition('odd'), agents: ['someone else'] },
    };
    const window = await machine.open({ servers });
    await startAll(window);
    const agent = window.rawAgent();
    await agent.initialize();
    const listed = (await agent.request('tools/list')).result.tools.map(({ name }: Item) => name);
    assert.deepEqual(
      listed.filter((name: string) => name.includes('__')),
      ['mine__a_b_c'],
    );
    for (const name of ['theirs__a_b_c', 'mine__with_space']) {
      const { result } = await agent.request('tools/call', { name, arguments: {} });
      assert.match(result?.content[0].text, /no hosted server for|has switched it off/, name);
    }
    for (const uri of ['hosted://theirs/urn:isbn:1'])
      assert.ok((await agent.request('resources/read', { uri })).error);
  });
});
