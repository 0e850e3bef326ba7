import assert from 'node:assert/strict';
import type { ResourceProvider } from '../../src/features/resource.ts';
import { until, useMachine } from './harness.ts';

describe('wire: requests that take their time, or break', () => {
  const machine = useMachine();

  /** An agent of a window that has only this. */
  async function open(provider: Partial<ResourceProvider>) {
    const resource: ResourceProvider = {
      ...{ templates: [], watch: () => ({ dispose() {} }) },
      ...{ canonical: async (uri) => uri, complete: async () => undefined },
      ...{ list: async () => [], read: () => new Promise(() => {}) },
      ...provider,
    };
    const window = await machine.open({ features: { tools: [], prompts: [], resources: [resource] } });
    const agent = window.rawAgent();
    await agent.initialize();
    return { window, agent };
  }

  it('a list that takes over half a second is told to be at work', async () => {
    const listed = Promise.withResolvers<[]>();
    const { agent } = await open({ list: () => listed.promise });
    const answer = agent.request('resources/list', { _meta: { progressToken: 7 } });
    const { params } = await agent.notification('notifications/progress');
    assert.deepEqual(params, { progressToken: 7, progress: 0.5, message: 'At work' });
    listed.resolve([]);
    assert.deepEqual((await answer).result, { resources: [] });
  });

  it('one that breaks, or that the person ends, is an internal error', async () => {
    const { window, agent } = await open({ list: async () => Promise.reject(new Error('hunter2')) });
    const { error } = await agent.request('resources/list');
    assert.equal(error.code, -32603);
    assert.doesNotMatch(JSON.stringify(error), /hunter2/);
    assert.equal(window.errors.splice(0).length, 1);
    const answer = agent.request('resources/read', { uri: 'file:///a' });
    await until(() => window.agents[0]?.calls.at(-1)?.state === 'running', 'it does not run');
    for (const call of window.agents[0]?.calls ?? []) window.agents[0]?.cancel(call);
    assert.equal((await answer).error.code, -32603);
  });
});
