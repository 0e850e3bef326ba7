/** One hosted server for many agents. */
import assert from 'node:assert/strict';
import { calling } from '../calling.ts';
import { until, useMachine } from '../harness.ts';
import type { RawAgent } from '../rawAgent.ts';
import { definition, hostedIn, openWith } from './support.ts';

describe('wire/hosting/sharing', () => {
  const machine = useMachine();

  it('is one process for all agents, and gives each the answers to its own calls, with their progress', async () => {
    const { window } = await openWith(machine, { faulty: definition('faulty') });
    const agents = await Promise.all(Array.from({ length: 3 }, () => window.greeted()));
    const pids = await Promise.all(
      agents.map(async (agent, mine) => {
        // The ids and progress tokens of all agents are the same.
        const params = { name: 'faulty__echo', arguments: { mine }, _meta: { progressToken: 1 } };
        const { result } = await agent.request('tools/call', params);
        assert.deepEqual(result.params.arguments, { mine });
        return (await calling(agent, 'faulty__pid')).content[0].text;
      }),
    );
    assert.equal(new Set(pids).size, 1);
    const [agent, other] = agents;
    const before = other?.received.length;
    const params = { name: 'faulty__tell', arguments: { said: '' }, _meta: { progressToken: 'mine' } };
    await agent?.request('tools/call', params);
    assert.equal(agent?.received.at(-2).params.progressToken, 'mine');
    assert.equal(other?.received.length, before);
  });

  it('is a process for each agent if it is set so, which logs to it alone and ends with it', async () => {
    const faulty = { ...definition('faulty'), share: 'agent' };
    const { window, agent } = await openWith(machine, { faulty });
    const other = await window.greeted();
    const pidFor = async (one: RawAgent) => Number((await calling(one, 'faulty__pid')).content[0].text);
    const [pid, otherPid] = [await pidFor(agent), await pidFor(other)];
    assert.notEqual(pid, otherPid);
    for (const each of [agent, other]) await each.request('logging/setLevel', { level: 'info' });
    other.send({ jsonrpc: '2.0', id: 'n', method: 'tools/call', params: { name: 'faulty__never' } });
    await other.notification('notifications/message');
    const args = { said: 'of one' };
    await agent.request('tools/call', { name: 'faulty__tell', arguments: args, _meta: { progressToken: 1 } });
    assert.ok((await agent.notification('notifications/message')).params.data.said);
    await other.request('ping');
    assert.doesNotMatch(JSON.stringify(other.received), /of one/);
    other.notify('notifications/cancelled', { requestId: 'n' });
    await agent.end();
    await until(() => !isRunning(pid), 'the end of its server');
    assert.ok(isRunning(otherPid));
  });

  it('is told if an agent cancels a call, and if an agent goes', async () => {
    const { window, agent } = await openWith(machine, { faulty: definition('faulty') });
    const notified: { method: string; params: Record<string, unknown> }[] = [];
    hostedIn(window)

      .processes.of()
      .messages.listen((one) => notified.push(one as (typeof notified)[number]));
    const leaving = await window.greeted();
    for (const [from, leaves] of [
      [agent, () => agent.notify('notifications/cancelled', { requestId: 'c' })],
      [leaving, () => process.kill(leaving.pid ?? 0, 'SIGKILL')],
    ] as const) {
      notified.length = 0;
      from.send({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'faulty__never' } });
      await until(() => notified.length > 0, 'the call');
      leaves();
      await until(() => notified.length > 1, 'the cancellation');
      assert.equal(notified[1]?.method, 'notifications/seen');
      assert.equal(`waiting ${notified[1]?.params.requestId}`, notified[0]?.params.data);
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
