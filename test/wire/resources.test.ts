import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TestWindow, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const LIST_CHANGED = 'notifications/resources/list_changed';
const UPDATED = 'notifications/resources/updated';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/${index % 7}/file-${index}.ts`, 'x']));

async function opened(window: TestWindow): Promise<RawAgent> {
  const agent = window.rawAgent();
  await agent.initialize();
  return agent;
}

const isFile = ({ uri }: { uri: string }): boolean => uri.startsWith('file:');

const namesOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('resources/list')).result.resources
    .filter(isFile)
    .map(({ name }: { name: string }) => name);

const updatesOf = ({ received }: RawAgent): string[] =>
  received.filter(({ method }) => method === UPDATED).map(({ params }) => params.uri);

describe('wire: resources', () => {
  const machine = useMachine();

  it('leads the first page with what the person has open, and leaves it out of its place', async () => {
    const window = await machine.open({ trees: { ws: { '.env': '', ...many(250) } } });
    const { person, tabs } = window.fake;
    for (const name of ['src/6/file-6.ts', '.env', 'src/0/file-0.ts', 'src/5/file-5.ts'])
      person.opensTab(window.path(name));
    const last = tabs.at(-1);
    assert.ok(last);
    last.isActive = true;
    const agent = await opened(window);
    const seen: { uri: string; name: string; annotations: { priority: number } }[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
      const { result } = await agent.request('resources/list', cursor ? { cursor } : {});
      seen.push(...result.resources);
      cursor = result.nextCursor;
      if (page === 0) person.opensTab(window.path('src/6/file-13.ts')); // it stays where it is
    }
    const files = seen.filter(({ uri }) => uri.startsWith('file:'));
    assert.deepEqual(seen.slice(0, 3), files.slice(0, 3));
    const names = files.map(({ name }) => name);
    assert.deepEqual(names.slice(0, 4), ['src/5/file-5.ts', 'src/6/file-6.ts', 'src/0/file-0.ts', 'ws']);
    assert.deepEqual([names.length, new Set(names).size], [251, 251]);
    const ranks = files.filter(({ annotations }) => annotations.priority !== 0.5);
    assert.deepEqual(
      ranks.map(({ name, annotations }) => [name, annotations.priority]),
      [
        ['src/5/file-5.ts', 1],
        ['src/6/file-6.ts', 0.9],
        ['src/0/file-0.ts', 0.9],
        ['ws', 1],
        ['src/6/file-13.ts', 0.9],
      ],
    );
  });

  it('ranks what changed since the agent came before the rest', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a', 'b.txt': 'b' } } });
    const agent = await opened(window);
    await namesOf(agent);
    for (const name of ['b.txt', 'c.txt']) window.writes(name, 'new');
    await agent.notification(LIST_CHANGED);
    const { resources } = (await agent.request('resources/list')).result;
    const ranks = resources.map((one: { name: string; annotations: object }) => [one.name, one.annotations]);
    const priority = (name: string) => Object.fromEntries(ranks)[name].priority;
    assert.deepEqual(['a.txt', 'b.txt', 'c.txt'].map(priority), [0.5, 0.7, 0.7]);
  });

  it('follows folders that are added and removed', async () => {
    const window = await machine.open({ trees: { one: { 'a.txt': 'a' }, two: { 'b.txt': 'b' } } });
    const [one, two] = ['one', 'two'].map((name) => join(machine.root, name));
    assert.ok(one && two);
    window.fake.person.opensFolders([one]);
    const agent = await opened(window);
    assert.deepEqual(await namesOf(agent), ['one', 'a.txt']);
    window.fake.person.opensFolders([one, two]);
    await agent.notification(LIST_CHANGED);
    assert.deepEqual(await namesOf(agent), ['one', 'one/a.txt', 'two', 'two/b.txt']);
    const uri = pathToFileURL(two).href;
    const { result } = await agent.request('resources/read', { uri });
    assert.deepEqual(result.contents, [{ uri, mimeType: 'inode/directory', text: 'b.txt\n' }]);
    agent.received.length = 0;
    window.fake.person.opensFolders([two]);
    await agent.notification(LIST_CHANGED);
    assert.deepEqual(await namesOf(agent), ['two', 'b.txt']);
    const closed = { uri: pathToFileURL(join(one, 'a.txt')).href };
    assert.equal((await agent.request('resources/read', closed)).error.code, -32602);
  });

  it('reads unsaved text instead of the disk, and tells a subscriber of each pause in typing', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'saved', 'b.txt': 'b' } } });
    const agent = await opened(window);
    const [a, b] = ['a.txt', 'b.txt'].map((file) => window.fake.person.loads(window.path(file)));
    assert.ok(a && b);
    await agent.request('resources/subscribe', { uri: window.uri('a.txt') });
    window.fake.person.types(a, 'typed');
    await agent.notification(UPDATED);
    const { result } = await agent.request('resources/read', { uri: window.uri('a.txt') });
    assert.equal(result.contents[0].text, 'typed');
    assert.equal(readFileSync(window.path('a.txt'), 'utf8'), 'saved', 'reading saves nothing');

    agent.received.length = 0;
    await agent.request('resources/unsubscribe', { uri: window.uri('a.txt') });
    await agent.request('resources/subscribe', { uri: window.uri('b.txt') });
    window.fake.person.types(a, 'typed again');
    window.fake.person.types(b, 'typed');
    await agent.notification(UPDATED);
    assert.deepEqual(updatesOf(agent), [window.uri('b.txt')]);
  });
});
