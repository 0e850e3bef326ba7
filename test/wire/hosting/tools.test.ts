/** Tools of hosted servers, through the real shim. */
import assert from 'node:assert/strict';
import { calling } from '../calling.ts';
import { until, useMachine } from '../harness.ts';
import { definition, hostedNamesFor, openWith, trustAll } from './support.ts';

describe('wire/hosting/tools: a hosted server', () => {
  const machine = useMachine();

  it('gives its tools to agents once the user has approved it, and answers them after the user allowed it', async () => {
    const window = await machine.open({ servers: { sdk: definition('sdkServer') } });
    const agent = await window.greeted();
    await window.hosting?.loaded;
    assert.deepEqual(await hostedNamesFor(agent), []);
    assert.equal(window.hosting?.servers[0]?.state, 'new');
    await trustAll(window);
    await hostedNamesFor(agent);
    await agent.notification('notifications/tools/list_changed');
    // It may be told of the approval first.
    await until(async () => (await hostedNamesFor(agent)).length > 0, 'the tools of the server');
    assert.deepEqual(await hostedNamesFor(agent), ['sdk__echo', 'sdk__insatiable', 'sdk__roots']);
    window.consent.answers.push({ allow: 'session' });
    const { content, _meta } = await calling(agent, 'sdk__echo', { value: 'hello' });
    assert.deepEqual([content, _meta.own], [[{ type: 'text', text: 'hello' }], 'hello']);
    await calling(agent, 'sdk__echo', { value: 'again' });
    assert.equal(window.consent.questions.length, 1);
    // It is not started for a list, once it has said what it offers.
    await window.hosting?.servers[0]?.processes.stop();
    assert.ok((await hostedNamesFor(agent)).includes('sdk__echo'));
    for (const list of ['resources/list', 'prompts/list']) await agent.request(list);
    assert.equal(window.hosting?.servers[0]?.state, 'stopped');
  });

  it('says the same to all agents that call a tool while it starts first', async () => {
    const window = await machine.open({ servers: { sdk: definition('sdkServer') } });
    await trustAll(window);
    const agents = [await window.greeted(), await window.greeted()];
    const answers = await Promise.all(agents.map((agent) => calling(agent, 'sdk__echo', { value: 'a' })));
    for (const { content } of answers) assert.match(content[0].text, /has just started\. Call/);
  });

  it('whose result is no object, or asks for input in its result, gets an error through', async () => {
    const { agent } = await openWith(machine, { faulty: definition('faulty') });
    const asking = { resultType: 'input_required', inputRequests: {} };
    for (const result of [null, 'text', { content: 'x' }, { content: ['x'] }, asking])
      assert.match(
        JSON.stringify(await calling(agent, 'faulty__raw', { result })),
        /sent an invalid answer to tools\/call/,
      );
  });
});
