/** Tools of hosted servers, through the real shim. */
import assert from 'node:assert/strict';
import { until, useMachine } from '../harness.ts';
import { approveAll, definition, startAll } from './support.ts';

describe('a hosted server', () => {
  const machine = useMachine();

  it('is not started, and its tools are not listed, before the user has approved it', async () => {
    const window = await machine.open({ servers: { sdk: definition('sdkServer') } });
    const agent = await window.agent();
    await window.hosting?.loaded;
    assert.equal(window.hosting?.servers[0]?.state, 'new');
    const { tools } = await agent.listTools();
    assert.deepEqual(
      tools.filter(({ name }) => name.includes('__')),
      [],
    );
  });

  it('gives its tools to agents once it runs, and answers them after the user allowed it', async () => {
    const window = await machine.open({ servers: { sdk: definition('sdkServer') } });
    await approveAll(window);
    let changed = 0;
    const agent = await window.agent({}, (client) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        changed++;
      });
    });
    await agent.listTools();
    await until(() => changed > 0, 'list_changed');
    const { tools } = await agent.listTools();
    const names = tools.map(({ name }) => name).filter((name) => name.includes('__'));
    assert.deepEqual(names, ['sdk__echo', 'sdk__insatiable', 'sdk__roots']);
    window.consent.answers.push({ allow: 'session' });
    const result = await agent.callTool({ name: 'sdk__echo', arguments: { value: 'hello' } });
    assert.deepEqual(result.content, [{ type: 'text', text: 'hello' }]);
    assert.deepEqual((result._meta as Record<string, unknown>).own, 'hello');
    assert.equal(window.consent.questions.length, 1);
    await agent.callTool({ name: 'sdk__echo', arguments: { value: 'again' } });
    assert.equal(window.consent.questions.length, 1);
  });

  it('says the same to all agents that call a tool while it starts first', async () => {
    const window = await machine.open({ servers: { sdk: definition('sdkServer') } });
    await approveAll(window);
    const agents = [window.rawAgent(), window.rawAgent()];
    await Promise.all(agents.map((agent) => agent.initialize()));
    const params = { name: 'sdk__echo', arguments: { value: 'a' } };
    const answers = await Promise.all(agents.map((agent) => agent.request('tools/call', params)));
    for (const { result } of answers) assert.match(result.content[0].text, /has just started\. Call/);
  });

  it('is not started for a list, once it has said what it offers', async () => {
    const window = await machine.open({ servers: { sdk: definition('sdkServer') } });
    await startAll(window);
    await window.hosting?.servers[0]?.runs.stop();
    const agent = await window.agent();
    const { tools } = await agent.listTools();
    assert.ok(tools.some(({ name }) => name === 'sdk__echo'));
    await agent.listResources();
    await agent.listPrompts();
    assert.equal(window.hosting?.servers[0]?.state, 'stopped');
  });

  it('says why it does not give a tool that is switched off, or of a server that has gone', async () => {
    const servers = { sdk: { ...definition('sdkServer'), tools: { deny: ['echo'] } } };
    const window = await machine.open({ servers });
    await startAll(window);
    const agent = await window.agent();
    const answer = async (name: string) => JSON.stringify(await agent.callTool({ name }));
    assert.match(await answer('sdk__echo'), /the user has switched it off for the server sdk/);
    assert.match(await answer('gone__tool'), /no hosted server for this agent named/);
    await assert.rejects(agent.callTool({ name: 'sdk__never' }), /Unknown tool/);
  });

  it('whose result is no object, or asks for input in its result, gets an error through', async () => {
    const window = await machine.open({ servers: { faulty: definition('faulty') } });
    await startAll(window);
    const agent = await window.agent();
    for (const result of [
      null,
      'text',
      { content: 'x' },
      { content: ['x'] },
      { resultType: 'input_required', inputRequests: {} },
    ]) {
      const answer = await agent.callTool({ name: 'faulty__raw', arguments: { result } });
      assert.match(JSON.stringify(answer), /sent an invalid answer to tools\/call/);
    }
  });
});
