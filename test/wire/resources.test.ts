import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const LIST_CHANGED = 'notifications/resources/list_changed';
const UPDATED = 'notifications/resources/updated';

/** The names of all files, page by page, with their priorities. */
async function filesOf(agent: RawAgent): Promise<[name: string, priority: number][]> {
  const found: [string, number][] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
    const { result } = await agent.request('resources/list', cursor ? { cursor } : {});
    for (const { uri, name, annotations } of result.resources)
      if (uri.startsWith('file:')) found.push([name, annotations.priority]);
    cursor = result.nextCursor;
  }
  return found;
}

const namesOf = async (agent: RawAgent) => (await filesOf(agent)).map(([name]) => name);

describe('wire: resources', () => {
  const machine = useMachine();

  it('leads with what the person has open, and ranks that and what changed since the agent came', async () => {
    const names = Array.from({ length: 150 }, (_, index) => `file-${index}.ts`);
    const tree = Object.fromEntries(['.env', ...names].map((name) => [name, 'x']));
    const window = await machine.open({ trees: { ws: tree } });
    const { person, tabs } = window.fake;
    for (const name of ['file-6.ts', '.env', 'file-0.ts']) person.opensTab(window.path(name));
    Object.assign(tabs.at(-1) ?? {}, { isActive: true });
    const agent = await window.greeted();
    await namesOf(agent);
    for (const name of ['file-9.ts', 'new.ts']) window.writes(name, 'new');
    await agent.notification(LIST_CHANGED);
    const files = await filesOf(agent);
    assert.deepEqual(files.slice(0, 3), [
      ['file-0.ts', 1],
      ['file-6.ts', 0.9],
      ['ws', 1],
    ]);
    assert.deepEqual(files.map(([name]) => name).sort(), [...names, 'ws', 'new.ts'].sort());
    assert.deepEqual(
      files.slice(3).filter(([, priority]) => priority !== 0.5),
      [
        ['file-9.ts', 0.7],
        ['new.ts', 0.7],
      ],
    );
  });

  it('follows folders that are added and removed', async () => {
    const window = await machine.open({ trees: { one: { 'a.txt': 'a' }, two: { 'b.txt': 'b' } } });
    const [one = '', two = ''] = ['one', 'two'].map((name) => join(machine.root, name));
    window.fake.person.opensFolders([one]);
    const agent = await window.greeted();
    assert.deepEqual(await namesOf(agent), ['one', 'a.txt']);
    window.fake.person.opensFolders([one, two]);
    await agent.notification(LIST_CHANGED);
    assert.deepEqual(await namesOf(agent), ['one', 'one/a.txt', 'two', 'two/b.txt']);
    agent.received.length = 0;
    window.fake.person.opensFolders([two]);
    await agent.notification(LIST_CHANGED);
    assert.deepEqual(await namesOf(agent), ['two', 'b.txt']);
    const closed = { uri: pathToFileURL(join(one, 'a.txt')).href };
    assert.equal((await agent.request('resources/read', closed)).error.code, -32602);
  });

  it('reads unsaved text, and tells of it who subscribed, until it is unsubscribed from', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'saved', 'b.txt': 'b' } } });
    const agent = await window.greeted();
    const [a, b] = ['a.txt', 'b.txt'].map((file) => window.fake.person.loads(window.path(file)));
    assert.ok(a && b);
    await agent.request('resources/subscribe', { uri: window.uri('a.txt') });
    window.fake.person.types(a, 'typed');
    await agent.notification(UPDATED);
    const { result } = await agent.request('resources/read', { uri: window.uri('a.txt') });
    assert.equal(result.contents[0].text, 'typed');
    await agent.request('resources/unsubscribe', { uri: window.uri('a.txt') });
    await agent.request('resources/subscribe', { uri: window.uri('b.txt') });
    agent.received.length = 0;
    for (const document of [a, b]) window.fake.person.types(document, 'typed again');
    assert.equal((await agent.notification(UPDATED)).params.uri, window.uri('b.txt'));
  });
});
