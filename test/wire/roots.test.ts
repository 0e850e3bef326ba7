import assert from 'node:assert/strict';
import { join, parse } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const TREES = { one: { 'a.txt': 'a', 'sub/b.txt': 'b' }, two: { 'c.txt': 'c' } };
const ROOTS_CHANGED = 'notifications/roots/list_changed';

const namesOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('resources/list')).result.resources
    .filter(({ uri }: { uri: string }) => uri.startsWith('file:'))
    .map(({ name }: { name: string }) => name);

const reading = async (agent: RawAgent, path: string) =>
  (await agent.request('tools/call', { name: 'read_file', arguments: { path } })).result;

/** An agent whose client declares roots. */
async function rooted(window: TestWindow, roots: () => string[], version?: string): Promise<RawAgent> {
  const agent = window.rawAgent();
  agent.answers.set('roots/list', () => ({
    roots: roots().map((path) => ({ uri: `${pathToFileURL(path)}` })),
  }));
  await agent.initialize(version, { roots: { listChanged: true } });
  return agent;
}

describe('wire: roots', () => {
  const machine = useMachine();

  it('names the workspace folders, and tells of others only to an agent that has asked', async () => {
    const window = await machine.open({ trees: TREES });
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
    await other.notification('notifications/resources/list_changed'); // comes after it
    assert.ok(!other.received.some(({ method }) => method === ROOTS_CHANGED));
  });

  for (const version of ['2025-11-25']) {
    it(`${version}: what the client declares narrows what the agent may touch`, async () => {
      const window = await machine.open({ trees: TREES });
      const agent = await rooted(window, () => [window.path('sub')], version);
      assert.equal((await reading(agent, 'sub/b.txt')).content[0].text, 'b');
      for (const path of ['a.txt', 'two/c.txt']) {
        const { isError, content } = await reading(agent, path);
        assert.ok(isError);
        assert.match(content[0].text, /outside the roots that your client declared/);
      }
      assert.deepEqual(await namesOf(agent), ['one/sub/b.txt']);
      const top = await agent.request('tools/call', { name: 'list_directory', arguments: {} });
      assert.equal(top.result.content[0].text, 'one/');
      const told = await agent.request('tools/call', { name: 'get_workspace', arguments: {} });
      assert.doesNotMatch(JSON.stringify(told), /two/);
      assert.deepEqual(
        (await agent.request('roots/list')).result.roots.map(({ name }: { name: string }) => name),
        ['one'],
      );
    });
  }

  it('asks again when the client says that its roots changed', async () => {
    const window = await machine.open({ trees: TREES });
    let roots = [window.path('sub')];
    const agent = await rooted(window, () => roots);
    assert.ok((await reading(agent, 'a.txt')).isError);
    roots = [window.path()];
    agent.notify('notifications/roots/list_changed', {});
    assert.equal((await reading(agent, 'a.txt')).content[0].text, 'a');
    assert.deepEqual(await namesOf(agent), ['one', 'one/a.txt', 'one/sub/b.txt']);
    await agent.request('roots/list');
    agent.received.length = 0;
    roots = [join(machine.root, 'two')];
    agent.notify('notifications/roots/list_changed', {});
    await agent.notification('notifications/resources/list_changed');
    await agent.notification(ROOTS_CHANGED);
    assert.deepEqual(await namesOf(agent), ['two', 'two/c.txt']);
  });

  it('tells of all that was subscribed to when the client has other roots', async () => {
    const window = await machine.open({ trees: TREES });
    let roots = [window.path('sub')];
    const agent = await rooted(window, () => roots);
    const uris = [window.uri('sub/b.txt'), 'editor-state:///problems'];
    for (const uri of uris)
      assert.deepEqual((await agent.request('resources/subscribe', { uri })).result, {});
    const updated = () =>
      agent.received
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params.uri);
    agent.notify('notifications/roots/list_changed', {});
    assert.ok((await reading(agent, 'a.txt')).isError);
    assert.deepEqual(updated(), [], 'they are the same');
    roots = [window.path()];
    agent.notify('notifications/roots/list_changed', {});
    await until(() => updated().length === uris.length, 'not all were told of');
    assert.deepEqual(new Set(updated()), new Set(uris));
  });

  it('what the client declares never widens', async () => {
    const window = await machine.open({ trees: { one: TREES.one } });
    const agent = await rooted(window, () => [parse(machine.root).root]);
    const { isError, content } = await reading(agent, `${machine.root}/state`);
    assert.ok(isError);
    assert.match(content[0].text, /outside the workspace folders/);
    assert.equal((await reading(agent, 'a.txt')).content[0].text, 'a');
  });

  it('names no folder that lies outside of what the client declares', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await rooted(window, () => [window.path('sub')]);
    const { content } = await reading(agent, '/elsewhere/x.txt');
    assert.match(content[0].text, /outside the workspace folders \(.*one\)/);
    assert.doesNotMatch(content[0].text, /two/);
  });

  it('tells nothing of a folder that comes or goes outside of what the client declares', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await rooted(window, () => [window.path('sub')]);
    await agent.request('roots/list');
    window.fake.person.opensFolders([join(machine.root, 'one')]);
    await agent.notification('notifications/resources/list_changed'); // comes after it
    assert.ok(!agent.received.some(({ method }) => method === ROOTS_CHANGED));
  });

  it("one agent's roots are none of another's business", async () => {
    const window = await machine.open({ trees: TREES });
    const narrow = await rooted(window, () => [window.path('sub')]);
    const wide = window.rawAgent();
    await wide.initialize();
    assert.ok((await reading(narrow, 'a.txt')).isError);
    assert.equal((await reading(wide, 'a.txt')).content[0].text, 'a');
  });

  it('serves a client that declares roots and never names them', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = window.rawAgent();
    await agent.initialize('2024-11-05', { roots: { listChanged: true } });
    assert.equal((await reading(agent, 'one/a.txt')).content[0].text, 'a');
    const [asked] = [await agent.notification('roots/list')];
    agent.received.length = 0;
    agent.send({ jsonrpc: '2.0', id: asked.id, result: { roots: [{ uri: window.uri('sub') }] } });
    await agent.notification('notifications/resources/list_changed');
    assert.ok((await reading(agent, 'one/a.txt')).isError, 'they count once they are named');
    for (let times = 0; times < 2; times++) agent.notify('notifications/roots/list_changed', {});
    const again = await agent.notification('roots/list');
    await delay(2_100);
    agent.notify('notifications/roots/list_changed', {});
    assert.equal((await agent.notification('notifications/cancelled')).params.requestId, again.id);
  });

  it('takes a root that is no file for one that opens nothing', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = window.rawAgent();
    const declares = (roots: unknown[]) => {
      agent.answers.set('roots/list', () => ({ roots }));
      agent.notify('notifications/roots/list_changed', {});
    };
    agent.answers.set('roots/list', () => ({ roots: [] }));
    await agent.initialize('2025-11-25', { roots: { listChanged: true } });
    for (const root of [
      ...['vscode-remote://ssh/x', 'mem:/project', 'garbage'].map((uri) => ({ uri })),
      7,
      {},
    ]) {
      declares([{ uri: window.uri('sub') }, root]);
      assert.deepEqual(await namesOf(agent), ['one/sub/b.txt'], JSON.stringify(root));
      assert.ok((await reading(agent, 'a.txt')).isError);
      declares([root]);
      assert.deepEqual(await namesOf(agent), [], JSON.stringify(root));
    }
  });

  it('asks by an id that no other connection has, and takes no answer to another', async () => {
    const window = await machine.open({ trees: TREES });
    const agents = [window.rawAgent(), window.rawAgent()];
    const ids: string[] = [];
    for (const agent of agents) {
      await agent.initialize('2025-11-25', { roots: { listChanged: true } });
      const { id } = await agent.notification('roots/list');
      assert.match(id, /^[0-9a-f]{8}:0$/);
      ids.push(id);
    }
    const [agent] = agents;
    assert.ok(agent);
    const names = (id: unknown, path: string) => {
      const roots = [{ uri: `${pathToFileURL(path)}` }];
      agent.send({ jsonrpc: '2.0', id, result: { roots } });
    };
    for (const id of [0, '0', ids[1]]) names(id, join(machine.root, 'two'));
    names(ids[0], window.path('sub'));
    assert.equal((await reading(agent, 'sub/b.txt')).content[0].text, 'b');
    assert.ok((await reading(agent, 'two/c.txt')).isError);
  });
});
