import assert from 'node:assert/strict';
import { useMachine } from '../harness.ts';
import { approveAll, definition, hostedIn, startAll } from './support.ts';

describe('wire/hosting/redact', () => {
  const machine = useMachine();

  it('hides secrets in all that a hosted server sends, whatever it sends it in', async () => {
    const window = await machine.open({ servers: { faulty: definition('faulty') } });
    window.fake.person.sets('workspaceMcp.access.redact', ['cheese']);
    await startAll(window);
    const agent = window.rawAgent();
    await agent.initialize();
    const before = agent.received.length;
    const _meta = { progressToken: 1 };
    const said = 'with cheese';
    for (const fails of [false, true])
      await agent.request('tools/call', { name: 'faulty__tell', arguments: { said, fails }, _meta });
    await agent.request('tools/call', { name: 'faulty__echo', arguments: { said } });
    await agent.request('tools/call', { name: 'faulty__exit', arguments: {} });
    for (const message of agent.received.slice(before))
      assert.doesNotMatch(JSON.stringify(message), /cheese/);
  });

  it('hides secrets in what a server writes when it does not start', async () => {
    const window = await machine.open({ servers: { faulty: definition('faulty', 'crash') } });
    window.fake.person.sets('workspaceMcp.access.redact', ['data\\w+']);
    await approveAll(window);
    const agent = window.rawAgent();
    await agent.initialize();
    const { result } = await agent.request('tools/call', { name: 'faulty__pid' });
    assert.match(result.content[0].text, /did not start.*no \[redacted\]/);
  });

  it('leaves the names of tools, by which agents call them', async () => {
    const window = await machine.open({ servers: { faulty: definition('faulty') } });
    window.fake.person.sets('workspaceMcp.access.redact', ['pid']);
    await startAll(window);
    const agent = window.rawAgent();
    await agent.initialize();
    const { result } = await agent.request('tools/list', {});
    const names = result.tools.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('faulty__pid'), names.join());
  });

  it('hides what the user entered in all but results, without a pattern', async () => {
    const faulty = { ...definition('faulty'), env: { NODE_NO_WARNINGS: '1', KEY: `\${input:key}` } };
    const window = await machine.open({ servers: { faulty } });
    await window.hosting?.loaded;
    await hostedIn(window).enter('key', 'some cheese');
    await startAll(window);
    const agent = window.rawAgent();
    await agent.initialize();
    const before = agent.received.length;
    const _meta = { progressToken: 1 };
    const said = 'with some cheese';
    await agent.request('tools/call', { name: 'faulty__tell', arguments: { said, fails: true }, _meta });
    const result = { isError: true, content: [{ type: 'text', text: said }] };
    await agent.request('tools/call', { name: 'faulty__raw', arguments: { result } });
    assert.doesNotMatch(JSON.stringify(agent.received.slice(before)), /cheese/);
    const told = await agent.request('tools/call', { name: 'faulty__tell', arguments: { said }, _meta });
    assert.equal(told.result.content[0].text, said);
  });
});
