/**
 * Every request and notification of the five documents that the protocol is known by, in their spellings (string and
 * number ids, params left out or empty, `cursor: null`, the bare `initialized`), in every version that has them.
 */
import assert from 'node:assert/strict';
import { type TestWindow, useMachine } from './harness.ts';
import type { Message, RawAgent } from './rawAgent.ts';
import { CASES, ERRORS, HANDSHAKES, TREE, WITHOUT_ID } from './seeds.ts';

async function open(
  window: TestWindow,
  protocolVersion: string,
  handshake = '002 and 004, opencode',
): Promise<[RawAgent, Message]> {
  const { initialize, initialized } = HANDSHAKES[handshake] as { initialize: Message; initialized: Message };
  const agent = window.rawAgent();
  agent.answers.set('roots/list', () => ({ roots: [{ uri: window.uri(), name: 'Project Root' }] }));
  agent.send({
    jsonrpc: '2.0',
    method: 'initialize',
    ...initialize,
    params: { protocolVersion, ...initialize.params },
  });
  const answer = await agent.answerTo(initialize.id);
  agent.send({ jsonrpc: '2.0', ...initialized });
  return [agent, answer];
}

describe('wire: what the documents show', () => {
  const machine = useMachine();

  for (const [index, version] of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].entries()) {
    const handshake = Object.keys(HANDSHAKES)[index] ?? '';
    it(`${version}: the handshake of ${handshake}, and all lists at once right after it`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const [agent, { result }] = await open(window, version, handshake);
      const lists = ['tools', 'resources', 'prompts', 'roots'];
      agent.send(...lists.map((id) => ({ jsonrpc: '2.0', id, method: `${id}/list`, params: {} })));
      for (const list of lists) assert.ok((await agent.answerTo(list)).result[list].length > 0, list);
      assert.partialDeepStrictEqual(result, {
        protocolVersion: version,
        serverInfo: { name: 'workspace-mcp', version: '0.1.0' },
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          logging: {},
        },
      });
      assert.ok(result.instructions.length > 0);
      assert.deepEqual((await agent.request('ping')).result, {});
    });

    it(`${version}: every request, and every error`, async () => {
      const window = await machine.open({ trees: { ws: TREE } });
      const [agent] = await open(window, version);
      for (const [what, request, result] of CASES) {
        agent.received.length = 0; // ids come again
        const message = request(window);
        agent.send({ jsonrpc: '2.0', ...message });
        const answer = await agent.answerTo(message.id);
        const expected = { jsonrpc: '2.0', id: message.id, result: result(window) };
        assert.partialDeepStrictEqual(answer, expected, what);
        assert.ok(!('nextCursor' in answer.result), 'nextCursor on the last page');
      }
      for (const [what, line, expected] of ERRORS) {
        agent.received.length = 0;
        agent.write(`${line}\n`);
        const { id } = expected as { id: unknown };
        const answer = await agent.until((message) => message.error && message.id === id);
        assert.partialDeepStrictEqual(answer, { jsonrpc: '2.0', ...expected }, what);
        assert.ok(answer.error.message.length > 10, what);
        assert.equal(answer.error.data.details, answer.error.message, what);
        assert.ok(!('result' in answer), what);
      }
    });
  }

  it('a stream is progress, where there is a token for it; what has no id gets no answer', async () => {
    const window = await machine.open({ trees: { ws: TREE } });
    const [agent] = await open(window, '2025-11-25');
    window.fake.person.opensTab(window.path('config.json'));
    window.fake.person.reports(window.path('config.json'), []);
    const call = { name: 'get_diagnostics', arguments: { path: 'config.json' }, _stream: true };
    const told = () => agent.received.filter(({ method }) => method === 'notifications/progress');
    await agent.request('tools/call', call);
    assert.deepEqual(told(), []);
    await agent.request('tools/call', { ...call, _meta: { progressToken: 'progress-123' } });
    assert.equal(told().at(-1)?.params.progressToken, 'progress-123');
    agent.received.length = 0;
    for (const message of WITHOUT_ID) agent.send({ jsonrpc: '2.0', ...message });
    assert.deepEqual((await agent.request('ping')).result, {});
    assert.equal(agent.received.length, 1);
  });
});
