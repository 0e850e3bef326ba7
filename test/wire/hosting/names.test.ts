import assert from 'node:assert/strict';
import { calling } from '../calling.ts';
import { useMachine } from '../harness.ts';
import { definition, hostedNamesFor, openWith } from './support.ts';

describe('wire/hosting/names', () => {
  const machine = useMachine();

  it('only the named agents get a server, and only its tools that are not left out', async () => {
    const { agent } = await openWith(machine, {
      mine: { ...definition('changing'), agents: ['raw'], tools: { allow: ['*'], deny: ['t*'] } },
      less: { ...definition('changing'), tools: { allow: ['touch'], deny: [] } },
      theirs: { ...definition('changing'), agents: ['someone else'] },
    });
    assert.deepEqual(await hostedNamesFor(agent), ['less__touch', 'mine__change']);
    for (const name of ['theirs__change', 'mine__touch', 'less__change'])
      assert.match(
        (await calling(agent, name)).content[0].text,
        /no hosted server for|has switched it off/,
        name,
      );
    assert.ok((await agent.request('resources/read', { uri: 'hosted://mine/note://n' })).result);
    assert.ok((await agent.request('resources/read', { uri: 'hosted://theirs/note://n' })).error);
  });
});
