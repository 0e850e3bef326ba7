/** One hosted server for many agents. */
import assert from 'node:assert/strict';
import { until, useMachine } from '../harness.ts';
import { definition, hostedIn, startAll } from './support.ts';

const AGENTS = 5;
const CALLS = 4;

describe('wire/hosting/sharing', () => {
  const machine = useMachine();

  async function open() {
    const window = await machine.open({ servers: { faulty: definition('faulty') } });
    await startAll(window);
    const notified: { method: string; params: Record<string, unknown> }[] = [];
    hostedIn(window).runs.onNotification(0, (method, params) => notified.push({ method, params }));
    const agent = window.rawAgent();
    await agent.initialize();
    return { window, agent, notified };
  }

  it(`is one process for ${AGENTS} agents with ${CALLS} calls each`, async () => {
    const { window } = await open();
    const agents = Array.from({ length: AGENTS }, () => window.rawAgent());
    const pids = await Promise.all(
      agents.map(async (agent) => {
        await agent.initialize();
        const calls = Array.from({ length: CALLS }, () =>
          agent.request('tools/call', { name: 'faulty__pid' }),
        );
        return (await Promise.all(calls)).map(({ result }) => result.content[0].text);
      }),
    );
    assert.equal(pids.flat().length, AGENTS * CALLS);
    assert.equal(new Set(pids.flat()).size, 1);
  });

  it('is a process for each agent if it is set so, which ends with the agent', async () => {
    const servers = { faulty: { ...definition('faulty'), share: 'agent' } };
    const window = await machine.open({ servers });
    await startAll(window);
    const pidFor = async () => {
      const agent = window.rawAgent();
      await agent.initialize();
      const { result } = await agent.request('tools/call', { name: 'faulty__pid' });
      return { agent, pid: Number(result.content[0].text) };
    };
    const [one, other] = [await pidFor(), await pidFor()];
    assert.notEqual(one.pid, other.pid);
    await one.agent.end();
    await until(() => !isRunning(one.pid), 'the end of its server');
    assert.ok(isRunning(other.pid));
  });

  it('of one agent logs nothing to another, if each has its own', async () => {
    const window = await machine.open({ servers: { faulty: { ...definition('faulty'), share: 'agent' } } });
    await startAll(window);
    const [agent, other] = [window.rawAgent(), window.rawAgent()];
    for (const each of [agent, other]) {
      await each.initialize();
      await each.request('logging/setLevel', { level: 'info' });
    }
    other.send({ jsonrpc: '2.0', id: 'n', method: 'tools/call', params: { name: 'faulty__never' } });
    await other.notification('notifications/message');
    const args = { said: 'of one' };
    await agent.request('tools/call', { name: 'faulty__tell', arguments: args, _meta: { progressToken: 1 } });
    assert.ok((await agent.notification('notifications/message')).params.data.said);
    await other.request('ping');
    assert.doesNotMatch(JSON.stringify(other.received), /of one/);
    other.notify('notifications/cancelled', { requestId: 'n' });
  });

  it('gives each agent the answers to its own calls', async () => {
    const { window } = await open();
    const agents = Array.from({ length: 5 }, () => window.rawAgent());
    await Promise.all(
      agents.map(async (agent, mine) => {
        await agent.initialize();
        // The ids and progress tokens of all agents are the same.
        const args = { mine };
        const _meta = { progressToken: 1, 'test/own': mine };
        const { result } = await agent.request('tools/call', {
          name: 'faulty__echo',
          arguments: args,
          _meta,
        });
        assert.deepEqual(result.params.arguments, args);
        assert.equal(result.params._meta['test/own'], mine);
      }),
    );
  });

  it('gets the params of an agent as they are, and reports progress only if the agent wants it', async () => {
    const { agent } = await open();
    const params = { arguments: { a: [null, { b: '' }] }, _meta: { 'test/own': 1 } };
    for (const given of [params, { arguments: {} }]) {
      const { result } = await agent.request('tools/call', { name: 'faulty__echo', ...given });
      assert.deepEqual(result.params, { name: 'echo', ...given });
    }
  });

  it('gives an agent the progress of its call, and always the last', async () => {
    const { window, agent } = await open();
    const other = window.rawAgent();
    await other.initialize();
    const _meta = { progressToken: 'mine' };
    await agent.request('tools/call', { name: 'faulty__progress', arguments: {}, _meta });
    const [last, answer] = agent.received.slice(-2); // others may be left out, since they come too fast
    assert.deepEqual([last.params.progressToken, last.params.progress], ['mine', 2]);
    assert.ok('result' in answer);
    assert.equal(other.received.length, 1);
  });

  it('is told if an agent cancels a call, and if an agent goes', async () => {
    const { window, agent, notified } = await open();
    const waits = async (from: typeof agent, id: string) => {
      const before = notified.length;
      from.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'faulty__never' } });
      await until(() => notified.length > before, 'the call');
      return `${notified.at(-1)?.params.data}`.replace('waiting ', '');
    };
    const cancelled = await waits(agent, 'c');
    agent.notify('notifications/cancelled', { requestId: 'c' });
    const isSeen = (id: string) =>
      notified.some(({ method, params }) => method === 'notifications/seen' && `${params.requestId}` === id);
    await until(() => isSeen(cancelled), 'the cancellation');
    const leaving = window.rawAgent();
    await leaving.initialize();
    const left = await waits(leaving, 'l');
    process.kill(leaving.pid ?? 0, 'SIGKILL');
    await until(() => isSeen(left), 'the cancellation of what an agent left');
  });

  it('that ends during calls fails them, and starts again with the next', async () => {
    const { window, agent, notified } = await open();
    const other = window.rawAgent();
    await other.initialize();
    const waiting = other.request('tools/call', { name: 'faulty__never' });
    await until(() => notified.length === 1, 'the call');
    const exited = agent.request('tools/call', { name: 'faulty__exit' });
    for (const { result } of await Promise.all([exited, waiting])) {
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /^The server faulty ended during the call\. .*out of cheese/);
      assert.match(result.content[0].text, /unknown whether the call took effect/);
    }
    assert.equal(hostedIn(window).state, 'failed');
    assert.ok((await agent.request('tools/call', { name: 'faulty__pid' })).result.content);
    assert.equal(hostedIn(window).state, 'running');
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
