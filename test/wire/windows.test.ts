import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../src/ipc/windowRecord.ts';
import { until, useMachine } from './harness.ts';
import { Peer } from './peer.ts';

const files = (text: string) => ({ 'a.txt': text, 'sub/b.txt': text });

describe('wire: agents and windows', () => {
  const machine = useMachine();

  it('serves two agents at once, each by itself', async () => {
    const window = await machine.open({ trees: { ws: files('x') } });
    const [first, second] = [window.rawAgent(), window.rawAgent()];
    await Promise.all([first.initialize(), second.initialize('2024-11-05')]);
    assert.equal(window.agents.length, 2);
    const uri = window.uri('a.txt');
    await first.request('resources/subscribe', { uri });
    window.fake.person.types(window.fake.person.loads(window.path('a.txt')), 'y');
    await first.notification('notifications/resources/updated');
    await second.request('ping');
    assert.deepEqual(
      second.received.filter(({ method }) => method !== undefined),
      [],
    );
    await first.end();
    await until(() => window.agents.length === 1, 'the one that left is still shown');
    assert.equal((await second.request('resources/read', { uri })).result.contents[0].text, 'y');
  });

  it("each agent gets its directory's window, whichever opened last", async () => {
    const one = await machine.open({ trees: { one: files('one') } });
    const two = await machine.open({ trees: { two: files('two') } });
    for (const [window, text] of [
      [one, 'one'],
      [two, 'two'],
    ] as const) {
      for (const cwd of [window.path(), `${window.path()}/`, window.path('sub')]) {
        const client = await window.agent({ cwd });
        const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
        assert.deepEqual(content, [{ type: 'text', text }], cwd);
      }
    }
  });

  it('a window that closes takes nothing of the other with it, and nobody takes its place', async () => {
    const one = await machine.open({ trees: { one: files('one') } });
    const two = await machine.open({ trees: { two: files('two') } });
    const [left, right] = [one.rawAgent(), two.rawAgent()];
    await Promise.all([left.initialize(), right.initialize()]);
    left.send({ jsonrpc: '2.0', id: 'held', method: 'tools/call', params: { name: 'read_file' } });
    await left.answerTo('held');
    two.server.stop();
    assert.deepEqual(readdirSync(join(machine.root, 'state', 'windows')).sort(), [
      'window1.json',
      'window1.lock',
    ]);
    assert.ok((await left.request('ping')).result);
    const stranded = two.rawAgent();
    await stranded.initialize(); // the only window there is, until there is one with its directory
    assert.equal(stranded.pid && one.server.connections, 2);
    await two.server.start();
    for (const agent of [right, stranded]) {
      await agent.notification('notifications/tools/list_changed');
      const read = { name: 'read_file', arguments: { path: 'a.txt' } };
      assert.equal((await agent.request('tools/call', read)).result.content[0].text, 'two');
    }
  });

  it('a second window on the same folder has an id of its own', async () => {
    const one = await machine.open({ trees: { ws: files('x') } });
    const two = await machine.open({ trees: { ws: files('x') } });
    assert.notEqual(one.server.id, two.server.id);
    const windows = [one, two];
    const agents = await Promise.all(windows.map((window) => window.agent({ inTerminal: true })));
    for (const agent of agents) assert.ok((await agent.listTools()).tools.length > 0);
    assert.deepEqual(
      windows.map(({ server }) => server.connections),
      [1, 1],
    );
  });

  it('tells an agent of the other windows, and answers which one it goes on in', async () => {
    const one = await machine.open({ trees: { one: files('one') } });
    const two = await machine.open({ trees: { two: files('two') } });
    const peer = await Peer.of(machine.root, one);
    const listed = await peer.call('list_windows', {});
    const current = listed.structuredContent.windows.map(
      ({ id, folders, current }: { id: string; folders: { path: string }[]; current?: boolean }) => [
        id,
        folders[0]?.path,
        current,
      ],
    );
    assert.deepEqual(current.sort(), [
      ['window1', one.path(), true],
      ['window2', two.path(), undefined],
    ]);
    const selected = await peer.call('select_window', { window: 'window2' });
    assert.deepEqual(selected.structuredContent, {
      window: 'window2',
      folders: [{ name: 'two', path: two.path() }],
    });
    for (const { token, socketPath } of readRecords(join(machine.root, 'state')))
      for (const secret of [token, socketPath]) assert.ok(!JSON.stringify(peer.received).includes(secret));
    two.server.stop();
    const gone = await peer.call('select_window', { window: 'window2' });
    assert.ok(gone.isError);
    assert.match(
      gone.content[0].text,
      /^No window with the id "window2" is open\. These are open:\nwindow1 /,
    );
    peer.socket.destroy();
  });
});
