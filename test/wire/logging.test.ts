import assert from 'node:assert/strict';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';
import { META } from './script.ts';

const messages = (agent: RawAgent) =>
  agent.received.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

const read = { name: 'read_file', arguments: { path: 'a.txt' } };

describe('wire: log messages', () => {
  const machine = useMachine();

  it('tell of each call, without what was read, by the level that is set or that a request names', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'secret text' } } });
    const [agent, modern] = [window.rawAgent(), window.rawAgent()];
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
    await modern.request('tools/call', { ...read, _meta: META });
    assert.deepEqual(messages(modern), []);
    const _meta = { ...META, 'io.modelcontextprotocol/logLevel': 'debug' };
    await modern.request('tools/call', { ...read, _meta });
    assert.equal(messages(modern).length, 1);
  });
});
