/** Names and URIs of servers that are not made for models. */
import assert from 'node:assert/strict';
import { calling } from '../calling.ts';
import { useMachine } from '../harness.ts';
import type { Message } from '../rawAgent.ts';
import { definition, hostedIn, hostedNamesFor, openWith } from './support.ts';

describe('wire/hosting/names', () => {
  const machine = useMachine();

  it('all tools and prompts have names that every model takes, all resources URIs, and reach the right one', async () => {
    const { window, agent } = await openWith(machine, { odd: definition('odd') });
    const list = async (what: string): Promise<Message[]> =>
      (await agent.request(`${what}/list`)).result[what].filter(({ name, uri }: Message) =>
        /^(hosted:\/\/odd\/|odd__)/.test(uri ?? name),
      );
    for (const [what, method] of [
      ['tools', 'tools/call'],
      ['prompts', 'prompts/get'],
    ] as const) {
      const reached = [];
      for (const { name } of await list(what)) {
        assert.match(name, /^[a-zA-Z0-9_-]{1,44}$/);
        const { result } = await agent.request(method, { name, arguments: {} });
        reached.push(result.content?.[0].text ?? result.messages[0].content.text);
      }
      const own = hostedIn(window).catalogue?.[what].map(({ name }) => `${name}`);
      assert.equal(own?.length, 7);
      assert.deepEqual(reached.toSorted(), own?.toSorted());
    }
    const resources = await list('resources');
    assert.equal(resources.length, 5);
    for (const { uri, name } of resources) {
      const { result, error } = await agent.request('resources/read', { uri });
      assert.deepEqual(result?.contents, [{ uri, text: `of ${name}` }], `${uri}: ${error?.message}`);
    }
  });

  it('only the named agents get a server, and only its tools that are not left out', async () => {
    const { agent } = await openWith(machine, {
      mine: { ...definition('odd'), agents: ['raw'], tools: { allow: ['a*'], deny: ['*/*'] } },
      theirs: { ...definition('odd'), agents: ['someone else'] },
    });
    assert.deepEqual(await hostedNamesFor(agent), ['mine__a_b_c']);
    for (const name of ['theirs__a_b_c', 'mine__with_space'])
      assert.match(
        (await calling(agent, name)).content[0].text,
        /no hosted server for|has switched it off/,
        name,
      );
    assert.ok((await agent.request('resources/read', { uri: 'hosted://theirs/urn:isbn:1' })).error);
  });
});
