import assert from 'node:assert/strict';
import type { ResourceProvider } from '../../src/features/resource.ts';
import { until, useMachine } from './harness.ts';

describe('wire: requests that take their time, or break', () => {
  const machine = useMachine();

  it('one over half a second is told to be at work; what breaks, or the person ends, is an error', async () => {
    const listed = Promise.withResolvers<[]>();
    const resource: ResourceProvider = {
      templates: [],
      watch: () => ({ dispose() {} }),
      canonical: async (uri) => uri,
      complete: async () => undefined,
      list: () => listed.promise,
      read: () => new Promise(() => {}),
    };
    const window = await machine.open({ features: { tools: [], prompts: [], resources: [resource] } });
    const agent = await window.greeted();
    const answer = agent.request('resources/list', { _meta: { progressToken: 7 } });
    const { params } = await agent.notification('notifications/progress');
    assert.deepEqual(params, { progressToken: 7, progress: 0.5, message: 'At work' });
    listed.reject(new Error('hunter2'));
    const { error } = await answer;
    assert.equal(error.code, -32603);
    assert.doesNotMatch(JSON.stringify(error), /hunter2/);
    assert.equal(window.errors.splice(0).length, 1);
    const ended = agent.request('resources/read', { uri: 'file:///a' });
    await until(() => window.agents[0]?.calls.at(-1)?.state === 'running', 'it does not run');
    for (const call of window.agents[0]?.calls ?? []) window.agents[0]?.cancel(call);
    assert.equal((await ended).error.code, -32603);
  });
});
