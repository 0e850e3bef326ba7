import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { calling, reading } from './calling.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const TREES = { one: { 'a.txt': 'a', 'sub/b.txt': 'b' }, two: { 'c.txt': 'c' } };
const ROOTS_CHANGED = 'notifications/roots/list_changed';
const LIST_CHANGED = 'notifications/resources/list_changed';

const namesOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('resources/list')).result.resources
    .filter(({ uri }: { uri: string }) => uri.startsWith('file:'))
    .map(({ name }: { name: string }) => name);

describe('wire: roots', () => {
  const machine = useMachine();
  let window: TestWindow;
  beforeEach(async () => {
    window = await machine.open({ trees: TREES });
  });

  /** An agent whose client declares roots. */
  async function rooted(roots: () => readonly unknown[]): Promise<RawAgent> {
    const agent = window.rawAgent();
    agent.answers.set('roots/list', () => ({
      roots: roots().map((root) => (typeof root === 'string' ? { uri: `${pathToFileURL(root)}` } : root)),
    }));
    await agent.initialize('2025-11-25', { roots: { listChanged: true } });
    return agent;
  }

  it('names the workspace folders, and tells of others only to an agent that has asked', async () => {
    const [asker, other] = [window.rawAgent(), window.rawAgent()];
    for (const agent of [asker, other]) await agent.initialize();
    const folders = ['one', 'two'].map((name) => join(machine.root, name));
    const { Uri } = window.fake.api;
    const expected = ['one', 'two'].map((name) => ({
      uri: Uri.file(join(machine.root, name)).toString(),
      name,
    }));
    assert.deepEqual((await asker.request('roots/list')).result.roots, expected);
    window.fake.person.opensFolders(folders.slice(1));
    await asker.notification(ROOTS_CHANGED);
    assert.deepEqual((await asker.request('roots/list')).result.roots, expected.slice(1));
    await other.notification(LIST_CHANGED); // comes after it
    assert.ok(!other.received.some(({ method }) => method === ROOTS_CHANGED));
  });

  it("what the client declares narrows what the agent may touch and is told, and no other's", async () => {
    const agent = await rooted(() => [window.path('sub')]);
    assert.equal((await reading(agent, 'sub/b.txt')).content[0].text, 'b');
    for (const path of ['a.txt', 'two/c.txt']) {
      const { isError, content } = await reading(agent, path);
      assert.ok(isError);
      assert.match(content[0].text, /outside the roots that your client declared/);
    }
    assert.match((await reading(agent, '/x.txt')).content[0].text, /outside .* folders \(.*one\)/);
    assert.deepEqual(await namesOf(agent), ['one/sub/b.txt']);
    assert.equal((await calling(agent, 'list_directory')).content[0].text, 'one/');
    const { roots } = (await agent.request('roots/list')).result;
    assert.deepEqual(
      roots.map(({ name }: { name: string }) => name),
      ['one'],
    );
    assert.doesNotMatch(JSON.stringify(await calling(agent, 'get_workspace')), /two/);
    const wide = window.rawAgent();
    await wide.initialize();
    assert.equal((await reading(wide)).content[0].text, 'a');
    window.fake.person.opensFolders([window.path()]);
    await agent.notification(LIST_CHANGED); // comes after what would be told of roots
    assert.ok(!agent.received.some(({ method }) => method === ROOTS_CHANGED));
  });

  it('asks again when the client says that its roots changed, and tells of what was subscribed to', async () => {
    let roots = [window.path('sub')];
    const agent = await rooted(() => roots);
    const uris = [window.uri('sub/b.txt'), 'editor-state:///problems'];
    for (const uri of uris)
      assert.deepEqual((await agent.request('resources/subscribe', { uri })).result, {});
    const updated = () =>
      agent.received
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params.uri);
    agent.notify(ROOTS_CHANGED, {});
    assert.ok((await reading(agent)).isError);
    assert.deepEqual(updated(), [], 'they are the same');
    roots = [window.path()];
    agent.notify(ROOTS_CHANGED, {});
    assert.equal((await reading(agent)).content[0].text, 'a');
    assert.deepEqual(await namesOf(agent), ['one', 'one/a.txt', 'one/sub/b.txt']);
    await until(() => updated().length === uris.length, 'not all were told of');
    assert.deepEqual(new Set(updated()), new Set(uris));
    await agent.request('roots/list');
    agent.received.length = 0;
    roots = [join(machine.root, 'two')];
    agent.notify(ROOTS_CHANGED, {});
    await agent.notification(LIST_CHANGED);
    await agent.notification(ROOTS_CHANGED);
    assert.deepEqual(await namesOf(agent), ['two', 'two/c.txt']);
  });

  it('takes a root that is no file, or none at all, for one that opens nothing', async () => {
    let roots: readonly unknown[] = [];
    const agent = await rooted(() => roots);
    for (const root of [{ uri: 'mem:/project' }, 7, {}])
      for (const [given, names] of [
        [[window.path('sub'), root], ['one/sub/b.txt']],
        [[root], []],
      ] as const) {
        roots = given;
        agent.notify(ROOTS_CHANGED, {});
        assert.deepEqual(await namesOf(agent), names, JSON.stringify(root));
      }
  });
});
