import assert from 'node:assert/strict';
import { calling } from '../calling.ts';
import { useMachine } from '../harness.ts';
import { definition, hostedIn, hostedNamesFor, trustAll } from './support.ts';

describe('wire/hosting/redact', () => {
  const machine = useMachine();

  it('hides secrets in all that a hosted server sends, but for the names of tools, by which agents call them', async () => {
    const servers = { faulty: definition('faulty'), crash: definition('faulty', 'crash') };
    const window = await machine.open({ servers });
    window.fake.person.sets('workspaceMcp.access.redact', ['cheese', 'pid', 'data\\w+']);
    await trustAll(window);
    await hostedIn(window, 'faulty').processes.read();
    const agent = await window.greeted();
    const before = agent.received.length;
    const said = 'with cheese';
    for (const fails of [false, true]) {
      const params = { name: 'faulty__tell', arguments: { said, fails }, _meta: { progressToken: 1 } };
      await agent.request('tools/call', params);
    }
    await calling(agent, 'faulty__echo', { said });
    await calling(agent, 'faulty__exit');
    for (const message of agent.received.slice(before))
      assert.doesNotMatch(JSON.stringify(message), /cheese/);
    assert.ok((await hostedNamesFor(agent)).includes('faulty__pid'));
    const { content } = await calling(agent, 'crash__pid');
    assert.match(content[0].text, /did not start.*no \[redacted\]/);
  });
});
