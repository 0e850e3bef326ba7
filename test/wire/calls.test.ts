import assert from 'node:assert/strict';
import type { ResourceProvider } from '../../src/features/resource.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const TREES = { ws: { 'a.py': '', 'b.py': '', 'c.py': '' } };
const problemsOf = (paths: string[], meta?: Record<string, unknown>) => ({
  name: 'get_diagnostics',
  arguments: { paths },
  ...(meta && { _meta: meta }),
});

/** A language server that is still loading its project: it answers nothing until `ready` is called. */
function busyLanguageServer(window: TestWindow): { asked(): boolean; ready(): void } {
  let ready = () => {};
  const loaded = new Promise<void>((resolve) => {
    ready = resolve;
  });
  let asked = false;
  window.fake.answers.set('vscode.executeHoverProvider', () => {
    asked = true;
    return loaded;
  });
  return { asked: () => asked, ready: () => ready() };
}

async function opened(window: TestWindow): Promise<RawAgent> {
  for (const file of Object.keys(TREES.ws)) window.fake.person.opensTab(window.path(file));
  const agent = window.rawAgent();
  await agent.initialize();
  for (const file of Object.keys(TREES.ws)) window.fake.person.reports(window.path(file), []);
  return agent;
}

describe('wire: progress and cancellation', () => {
  const machine = useMachine();

  it('a call with a token is told how far it is, ever further, and before the answer', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await opened(window);
    for (const file of Object.keys(TREES.ws)) window.fake.person.reports(window.path(file), []);
    const call = problemsOf(Object.keys(TREES.ws), { progressToken: 'progress-123' });
    await agent.request('tools/call', call);
    const sent = agent.received.filter(({ method }) => method === 'notifications/progress');
    const steps = sent.map(({ params }) => params.progress);
    assert.ok(sent.length >= 1);
    assert.deepEqual(sent.at(-1).params, {
      progressToken: 'progress-123',
      progress: 3,
      total: 3,
      ...messageOf(sent),
    });
    assert.deepEqual(steps, [...new Set(steps)].sort());
    assert.equal(agent.received.at(-1).id, 'r2', 'the answer comes last');
  });

  it('a request that takes over half a second is told that it is at work, a list as well', async () => {
    let listed = () => {};
    const slow: ResourceProvider = {
      templates: [],
      list: () =>
        new Promise((resolve) => {
          listed = () => resolve([]);
        }),
      read: async () => undefined,
      canonical: async (uri) => uri,
      complete: async () => undefined,
      watch: () => ({ dispose() {} }),
    };
    const window = await machine.open({ features: { tools: [], prompts: [], resources: [slow] } });
    const agent = window.rawAgent();
    await agent.initialize();
    agent.send({
      jsonrpc: '2.0',
      id: 'slow',
      method: 'resources/list',
      params: { _meta: { progressToken: 7 } },
    });
    const { params } = await agent.notification('notifications/progress');
    assert.deepEqual(params, { progressToken: 7, progress: 0.5, message: 'At work' });
    const next = await agent.until((message) => message.params?.progress > 0.5);
    assert.equal(next.params.progress, 0.75);
    listed();
    assert.deepEqual((await agent.answerTo('slow')).result, { resources: [] });
  });

  it('a call without a token is told nothing', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await opened(window);
    for (const file of Object.keys(TREES.ws)) window.fake.person.reports(window.path(file), []);
    await agent.request('tools/call', problemsOf(Object.keys(TREES.ws)));
    assert.deepEqual(
      agent.received.filter(({ method }) => method),
      [],
    );
  });

  it('a cancelled call is sent nothing afterwards, and its id may be used again', async () => {
    const window = await machine.open({ trees: TREES });
    const server = busyLanguageServer(window);
    const agent = await opened(window);
    const call = problemsOf(['a.py'], { progressToken: 1 });
    agent.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: call });
    await until(server.asked, 'the language server was not asked');
    agent.notify('notifications/cancelled', { requestId: 'slow', reason: 'changed my mind' });
    await agent.request('ping');
    agent.received.length = 0; // on a slow machine there was progress until then
    server.ready();
    await agent.request('ping');
    assert.deepEqual(
      agent.received.filter(({ id, method }) => id === 'slow' || method),
      [],
    );
    agent.send({ jsonrpc: '2.0', id: 'slow', method: 'ping' });
    assert.deepEqual((await agent.answerTo('slow')).result, {});
  });

  it('others are served while one waits', async () => {
    const window = await machine.open({ trees: TREES });
    const server = busyLanguageServer(window);
    const agent = await opened(window);
    agent.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: problemsOf(['a.py']) });
    await until(server.asked, 'the language server was not asked');
    assert.ok((await agent.request('tools/list')).result.tools);
    server.ready();
    assert.equal((await agent.answerTo('slow')).result.structuredContent.count, 0);
  });

  it('an agent that goes away takes its calls with it', async () => {
    const window = await machine.open({ trees: TREES });
    const server = busyLanguageServer(window);
    const client = await window.agent();
    window.fake.person.opensTab(window.path('a.py'));
    window.fake.person.reports(window.path('a.py'), []);
    const call = client.callTool(problemsOf(['a.py']));
    await until(server.asked, 'the language server was not asked');
    await Promise.all([assert.rejects(call), client.close()]);
    await until(() => window.agents.length === 0, 'the agent is still there');
    server.ready();
  });
});

const messageOf = (sent: { params: { message?: string } }[]) => {
  const message = sent.at(-1)?.params.message;
  return message === undefined ? {} : { message };
};
