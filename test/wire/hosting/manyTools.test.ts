/** More hosted tools than an agent wants to read at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { answerOf, askDirectly, askRaw } from '../../hosting/directClient.ts';
import { launchOf, TEST_SERVERS, TREE } from '../../hosting/servers.ts';
import { asAgentAsks, asAgentSees, ofAgent } from '../../hosting/throughUs.ts';
import { useMachine } from '../harness.ts';
import { hostedIn, startAll } from './support.ts';

const MOST_BYTES = 24 * 1024;

describe('wire/hosting/manyTools', () => {
  const machine = useMachine();

  it('are found by find_tools, and answer through call_tool as they do without us', async () => {
    const launches = TEST_SERVERS.map(async (server) => [
      server.name,
      await launchOf(server, join(machine.root, `${server.name}.json`)),
    ]);
    const servers = Object.fromEntries(await Promise.all(launches));
    const window = await machine.open({ trees: { ws: TREE }, servers });
    await startAll(window);
    const agent = await window.agent();
    const { tools } = await agent.listTools();
    const listed = tools.filter(({ name }) => name.includes('__'));
    assert.ok(JSON.stringify(listed).length <= MOST_BYTES);
    const hidden = TEST_SERVERS.filter(({ name }) => {
      const { slug } = hostedIn(window, name);
      return !listed.some((tool) => tool.name.startsWith(`${slug}__`));
    });
    assert.ok(hidden.length > 0);
    for (const server of hidden) {
      const { slug, catalogue } = hostedIn(window, server.name);
      for (const { name } of catalogue?.tools ?? []) {
        const query = `${name}`.replaceAll('_', ' ');
        const { content } = await agent.callTool({ name: 'find_tools', arguments: { query } });
        assert.ok(JSON.stringify(content).includes(`${slug}__${name}`), `${name} is not found`);
      }
      const direct = await launchOf(server, join(machine.root, 'direct'));
      const expected = await askDirectly(server, { ...direct, cwd: window.path() });
      for (const exchange of expected.filter(({ method }) => method === 'tools/call')) {
        const { params = {} } = asAgentAsks(exchange, slug);
        const request = { method: 'tools/call', params: { name: 'call_tool', arguments: params } };
        const answer = ofAgent(await answerOf(askRaw(agent, request)), slug);
        assert.deepEqual({ params, ...answer }, { params, ...asAgentSees(exchange, slug, '2025-11-25') });
      }
    }
  });
});
