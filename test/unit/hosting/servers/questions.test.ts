import assert from 'node:assert/strict';
import { ServerQuestions } from '../../../../src/hosting/servers/questions.ts';

const questionsIn = (workspaceFolders: object[] = []): ServerQuestions =>
  new ServerQuestions(
    { name: 's', options: { roots: true } } as never,
    { vscode: { workspace: { workspaceFolders } } } as never,
  );

describe('hosting/servers/questions: the callers of a server', () => {
  const [ann, bob] = [
    { id: 1, agent: 'Ann' },
    { id: 2, agent: 'Bob' },
  ];

  it('are the agents whose requests a server works on, each once, until all these requests have ended', async () => {
    const requests = questionsIn();
    const works = [ann, ann, bob].map((agent) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      return { resolve, reject, done: requests.trackRequest(agent, promise) };
    });
    const { agents, ended } = requests.callers;
    assert.deepEqual(agents, [ann, bob]);
    works[0]?.resolve('first');
    works[2]?.reject(new Error('no'));
    assert.equal(await works[0]?.done, 'first');
    await assert.rejects(works[2]?.done ?? Promise.resolve(), /no/);
    assert.deepEqual(requests.callers.agents, [ann]);
    assert.equal(ended.aborted, false);
    void requests.trackRequest(bob, new Promise(() => {})); // a later request is not waited for
    works[1]?.resolve('second');
    await works[1]?.done;
    await new Promise(setImmediate);
    assert.equal(ended.aborted, true);
  });

  it('are nobody if a server asks outside of requests, and then nothing ends', async () => {
    const { agents, ended } = questionsIn().callers;
    await new Promise(setImmediate);
    assert.deepEqual([agents, ended.aborted], [[], false]);
  });
});

describe('hosting/servers/questions: the roots of a server', () => {
  it('are the folders on disk', async () => {
    const folder = (uri: string, name: string) => ({
      name,
      uri: { scheme: uri.split(':')[0], toString: () => uri },
    });
    const rootsOf = (workspaceFolders?: object[]) =>
      questionsIn(workspaceFolders).handlers['roots/list']?.({}, new AbortController().signal);
    const folders = [folder('file:///w/my%20app', 'app'), folder('git:/w/virtual', 'virtual')];
    assert.deepEqual(await rootsOf(folders), { roots: [{ uri: 'file:///w/my%20app', name: 'app' }] });
    assert.deepEqual(await rootsOf(), { roots: [] });
  });
});
