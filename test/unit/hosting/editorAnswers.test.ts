import assert from 'node:assert/strict';
import { AgentRequests, editorAnswers } from '../../../src/hosting/servers/editorAnswers.ts';

describe('hosting/editorAnswers: the callers of a server', () => {
  const [ann, bob] = [
    { id: 1, agent: 'Ann' },
    { id: 2, agent: 'Bob' },
  ];

  it('are the agents whose requests a server works on, each once, until all these requests have ended', async () => {
    const requests = new AgentRequests();
    const works = [ann, ann, bob].map((agent) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      return { resolve, reject, done: requests.during(agent, promise) };
    });
    const { agents, ended } = requests.callers;
    assert.deepEqual(agents, [ann, bob]);
    works[0]?.resolve('first');
    works[2]?.reject(new Error('no'));
    assert.equal(await works[0]?.done, 'first');
    await assert.rejects(works[2]?.done ?? Promise.resolve(), /no/);
    assert.deepEqual(requests.callers.agents, [ann]);
    assert.equal(ended.aborted, false);
    void requests.during(bob, new Promise(() => {})); // a later request is not waited for
    works[1]?.resolve('second');
    await works[1]?.done;
    await new Promise(setImmediate);
    assert.equal(ended.aborted, true);
  });

  it('are nobody if a server asks outside of requests, and then nothing ends', async () => {
    const { agents, ended } = new AgentRequests().callers;
    await new Promise(setImmediate);
    assert.deepEqual([agents, ended.aborted], [[], false]);
  });
});

describe('hosting/editorAnswers: the roots of a server', () => {
  it('are the folders on disk', async () => {
    const folder = (uri: string, name: string) => ({
      name,
      uri: { scheme: uri.split(':')[0], toString: () => uri },
    });
    const rootsOf = (workspaceFolders?: object[]) => {
      const parts = { vscode: { workspace: { workspaceFolders } } };
      const answers = editorAnswers(parts as never, 's', assert.fail, { roots: true } as never);
      return answers['roots/list']?.({}, new AbortController().signal);
    };
    const folders = [folder('file:///w/my%20app', 'app'), folder('git:/w/virtual', 'virtual')];
    assert.deepEqual(await rootsOf(folders), { roots: [{ uri: 'file:///w/my%20app', name: 'app' }] });
    assert.deepEqual(await rootsOf(), { roots: [] });
  });
});
