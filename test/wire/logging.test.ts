import assert from 'node:assert/strict';
import { type TestWindow, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const messages = (agent: RawAgent) =>
  agent.received.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);

const read = { name: 'read_file', arguments: { path: 'a.txt' } };

describe('wire: log messages', () => {
  const machine = useMachine();
  const open = () => machine.open({ trees: { ws: { 'a.txt': 'secret text' } } });

  async function opened(window: TestWindow): Promise<RawAgent> {
    const agent = window.rawAgent();
    await agent.initialize();
    return agent;
  }

  it('an agent that sets no level hears nothing of what went well', async () => {
    const agent = await opened(await open());
    await agent.request('tools/call', read);
    assert.deepEqual(messages(agent), []);
  });

  it('an agent that wants to know all is told of each call, without what was read', async () => {
    const agent = await opened(await open());
    assert.deepEqual((await agent.request('logging/setLevel', { level: 'debug' })).result, {});
    await agent.request('tools/call', read);
    const [message, ...others] = messages(agent);
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(message, { level: 'debug', logger: 'workspace-mcp' });
    assert.match(message.data.message, /^read_file done in [\d.]+ ms$/);
  });

  it('a level that there is not is refused', async () => {
    const agent = await opened(await open());
    const { error } = await agent.request('logging/setLevel', { level: 'loud' });
    assert.equal(error.code, -32602);
  });

  it('since 2026-07-28 the request itself names the level', async () => {
    const agent = (await open()).rawAgent();
    const prefix = 'io.modelcontextprotocol';
    const meta = { [`${prefix}/protocolVersion`]: '2026-07-28', [`${prefix}/clientCapabilities`]: {} };
    await agent.request('tools/call', { ...read, _meta: meta });
    assert.deepEqual(messages(agent), []);
    await agent.request('tools/call', { ...read, _meta: { ...meta, [`${prefix}/logLevel`]: 'debug' } });
    assert.equal(messages(agent).length, 1);
  });
});
