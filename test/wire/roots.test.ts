import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { calling, reading, textOf } from './calling.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { Message, RawAgent } from './rawAgent.ts';

const TREES = { one: { 'a.txt': 'a', 'sub/b.txt': 'b' }, two: { 'c.txt': 'c' } };
const ROOTS_CHANGED = 'notifications/roots/list_changed';
const LIST_CHANGED = 'notifications/resources/list_changed';

const namesOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('resources/list')).result.resources
    .filter(({ uri }: Message) => uri.startsWith('file:'))
    .map(({ name }: Message) => name);

const rootsOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('roots/list')).result.roots.map(({ name }: Message) => name);

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
    const { roots } = (await asker.request('roots/list')).result;
    assert.deepEqual(roots[0], { uri: window.uri(), name: 'one' });
    window.fake.person.opensFolders([join(machine.root, 'two')]);
    await asker.notification(ROOTS_CHANGED);
    assert.deepEqual(await rootsOf(asker), ['two']);
    await other.notification(LIST_CHANGED); // comes after it
    assert.ok(!other.received.some(({ method }) => method === ROOTS_CHANGED));
  });

  it("what the client declares narrows what the agent may touch and is told, and no other's", async () => {
    const agent = await rooted(() => [window.path('sub')]);
    const first = textOf(await reading(agent, 'sub/b.txt'));
    assert.match(
      first,
      /^\[Note: You work in .*sub\. Results name files relative to the workspace folder \S+one\.\]\nb$/,
    );
    assert.equal(textOf(await reading(agent, 'sub/b.txt')), 'b');
    for (const path of ['a.txt', 'two/c.txt'])
      assert.match(textOf(await reading(agent, path)), /outside the roots that your client declared/);
    assert.match(textOf(await reading(agent, '/x.txt')), /outside .* folders \(.*one\)/);
    assert.deepEqual(await namesOf(agent), ['one/sub/b.txt']);
    assert.equal(textOf(await calling(agent, 'list_directory')), 'one/');
    assert.deepEqual(await rootsOf(agent), ['one']);
    assert.doesNotMatch(JSON.stringify(await calling(agent, 'get_workspace')), /two/);
    const wide = await window.greeted();
    assert.equal(textOf(await reading(wide)), 'a');
    window.fake.person.opensFolders([window.path()]);
    await agent.notification(LIST_CHANGED); // comes after what would be told of roots
    assert.ok(!agent.received.some(({ method }) => method === ROOTS_CHANGED));
  });

  it('asks again when the client says that its roots changed, and tells of what was subscribed to', async () => {
    let roots: unknown[] = [window.path('sub')];
    const agent = await rooted(() => roots);
    const changesTo = (next: unknown[]) => {
      roots = next;
      agent.notify(ROOTS_CHANGED, {});
    };
    const uris = [window.uri('sub/b.txt'), 'editor-state:///problems'];
    for (const uri of uris) await agent.request('resources/subscribe', { uri });
    const updated = () =>
      agent.received
        .filter(({ method }) => method === 'notifications/resources/updated')
        .map(({ params }) => params.uri);
    changesTo(roots);
    assert.ok((await reading(agent)).isError);
    assert.deepEqual(updated(), [], 'they are the same');
    changesTo([window.path()]);
    assert.equal(textOf(await reading(agent)), 'a');
    await until(() => updated().length === uris.length, 'not all were told of');
    assert.deepEqual(new Set(updated()), new Set(uris));
    await agent.request('roots/list');
    agent.received.length = 0;
    changesTo([join(machine.root, 'two')]);
    await agent.notification(LIST_CHANGED);
    await agent.notification(ROOTS_CHANGED);
    assert.deepEqual(await namesOf(agent), ['two', 'two/c.txt']);
    for (const nothing of [{ uri: 'mem:/project' }, 7, {}]) {
      changesTo([window.path('sub'), nothing]);
      assert.deepEqual(await namesOf(agent), ['one/sub/b.txt'], JSON.stringify(nothing));
      changesTo([nothing]);
      assert.deepEqual(await namesOf(agent), [], JSON.stringify(nothing));
    }
  });
});
