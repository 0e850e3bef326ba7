import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const PREFIX = 'io.modelcontextprotocol';

const messages = (agent: RawAgent) =>
  agent.received.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

const read = { name: 'read_file', arguments: { path: 'a.txt' } };

describe('wire: log messages', () => {
  const machine = useMachine();
  const open = () => machine.open({ trees: { ws: { 'a.txt': 'secret text' } } });

  it('tell of each call to an agent that wants to know all, without what was read', async () => {
    const agent = (await open()).rawAgent();
    await agent.initialize();
    await agent.request('tools/call', read);
    assert.deepEqual(messages(agent), [], 'it has set no level');
    assert.equal((await agent.request('logging/setLevel', { level: 'loud' })).error.code, -32602);
    assert.deepEqual((await agent.request('logging/setLevel', { level: 'debug' })).result, {});
    await agent.request('tools/call', read);
    const [message, ...others] = messages(agent);
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(message, { level: 'debug', logger: 'workspace-mcp' });
    assert.match(message.data.message, /^read_file done in [\d.]+ ms$/);
  });

  it('since 2026-07-28 have a level that the request itself names', async () => {
    const agent = (await open()).rawAgent();
    const meta = { [`${PREFIX}/protocolVersion`]: '2026-07-28', [`${PREFIX}/clientCapabilities`]: {} };
    await agent.request('tools/call', { ...read, _meta: meta });
    assert.deepEqual(messages(agent), []);
    await agent.request('tools/call', { ...read, _meta: { ...meta, [`${PREFIX}/logLevel`]: 'debug' } });
    assert.equal(messages(agent).length, 1);
  });
});
