/** What holds over a reload of the window: the second window has another extension host, and the same workspace storage. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dial } from '../../src/ipc/dial.ts';
import { readRecord } from '../../src/ipc/windowRecord.ts';
import { Reader } from '../unit/shim/streams.ts';
import { calling, reading, textOf, windowOf } from './calling.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const TREES = { ws: { 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' } };
const EDIT_AGAIN = { path: 'a.txt', edits: [{ oldText: '2', newText: '3' }] };
const editing = (path: string) => ({ path, edits: [{ oldText: '1', newText: '2' }] });

/** What a shim is to a window, without the shim. @param resume by which it goes on with an earlier connection's session */
async function peerOf(root: string, window: TestWindow, resume?: string) {
  const record = readRecord(join(root, 'state'), window.server.id ?? '');
  assert.ok(record);
  const { socket, enter } = await dial(record);
  const key = await enter({ ...(resume && { resume }) });
  const reader = new Reader(socket);
  let id = 0;
  const calls = async (name: string, args: object) => {
    const params = { name, arguments: args };
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: `${++id}`, method: 'tools/call', params })}\n`);
    return (await reader.message(`${id}`)).result;
  };
  const edits = async (path: string): Promise<boolean> => !(await calls('edit_file', editing(path))).isError;
  return { resume: key, socket, edits, calls };
}

describe('wire: a window is reloaded', () => {
  const machine = useMachine();

  it('what was allowed for a session still is, to the one that goes by its key', async () => {
    const before = await machine.open({ trees: TREES });
    const first = await peerOf(machine.root, before);
    before.consent.answers.push({ allow: 'session' });
    assert.ok(await first.edits('a.txt'));
    before.server.stop();
    await once(first.socket, 'close');
    await until(() => before.agents.length === 0, 'the agent is still there');
    const { resume } = first;
    const { kept } = before.consent;
    assert.ok(!JSON.stringify(kept.get()).includes(resume), 'a key is kept');
    const window = await machine.open({ trees: TREES, kept });
    window.consent.answers.push({ deny: '' }, { deny: '' });
    const stranger = await peerOf(machine.root, window, 'f'.repeat(32));
    assert.notEqual(stranger.resume, 'f'.repeat(32));
    assert.ok(!(await stranger.edits('b.txt')));
    const peer = await peerOf(machine.root, window, resume);
    assert.equal(peer.resume, resume);
    assert.ok(await peer.edits('b.txt'));
    assert.equal(window.consent.questions.length, 1);
    // …until the person takes it back
    const allowed = window.agents.filter((agent) => agent.allowed.has('edit'));
    assert.equal(allowed.length, 1);
    allowed[0]?.allowed.delete('edit');
    assert.ok(!(await peer.edits('c.txt')));
    assert.deepEqual(kept.get(), []);
    for (const { socket } of [stranger, peer]) socket.destroy();
  });

  it('an agent that resumes its session lists its edits and takes them back; another does not get them', async () => {
    const edits = join(machine.root, 'storage', 'edits.json');
    const before = await machine.open({ trees: TREES, edits });
    const first = await peerOf(machine.root, before);
    before.consent.answers.push({ allow: 'once' });
    assert.ok(await first.edits('a.txt'));
    await until(() => existsSync(edits), 'nothing was stored');
    before.server.stop();
    const window = await machine.open({ edits });
    const [other, peer] = [
      await peerOf(machine.root, window),
      await peerOf(machine.root, window, first.resume),
    ];
    assert.equal(peer.resume, first.resume);
    assert.match(textOf(await other.calls('undo_edit', { list: true })), /No edits of yours/);
    assert.match(textOf(await other.calls('undo_edit', { id: 1 })), /Edit 1 is not yours/);
    assert.match(textOf(await peer.calls('undo_edit', { list: true })), /^1 edit_file.*: a\.txt$/);
    window.consent.answers.push({ allow: 'once' });
    assert.match(textOf(await peer.calls('undo_edit', {})), /^Took back edit 1/);
    assert.equal(readFileSync(window.path('a.txt'), 'utf8'), '1');
    for (const { socket } of [other, peer]) socket.destroy();
    await until(() => !existsSync(edits), 'something is left');
  });
});

describe('wire: an agent outlives its window', () => {
  const machine = useMachine();

  async function started(): Promise<RawAgent> {
    const agent = machine.agent('ws');
    await agent.initialize();
    return agent;
  }

  /** That another window serves. */
  const told = (agent: RawAgent) => agent.notification('notifications/tools/list_changed');

  it('of two windows on its folder none is guessed, and the tools choose one', async () => {
    const [one, two] = [await machine.open({ trees: TREES }), await machine.open({ trees: TREES })];
    const agent = await started();
    assert.match(textOf(await reading(agent)), /Several VS Code windows match.*window1.*select_window/s);
    assert.deepEqual([one.agents.length, two.agents.length], [0, 0]);
    const { windows } = (await calling(agent, 'select_window')).structuredContent;
    assert.deepEqual(windows.map(({ id }: { id: string }) => id).sort(), ['window1', 'window2']);
    assert.equal(await windowOf(agent), undefined, 'it is in none yet');
    const direct = (window: string) => calling(agent, 'select_window', { window });
    /** For an agent whose list lacks it. */
    const byCall = (window: string) =>
      calling(agent, 'call_tool', { name: 'select_window', arguments: { window } });
    for (const [window, select] of [
      ['window1', byCall],
      ['window2', byCall],
      ['window1', direct],
      ['window2', direct],
    ] as const) {
      assert.equal((await select(window)).structuredContent.window, window);
      assert.equal(textOf(await reading(agent)), '1');
      assert.equal(await windowOf(agent), window);
    }
    assert.deepEqual([two.agents[0]?.name, two.agents[0]?.version], ['raw', '1']);
  });

  it('one that was there before any window is served at once, and comes alive with it', async () => {
    const agent = machine.agent('ws');
    const uri = `${pathToFileURL(`${machine.root}/ws/sub`)}`;
    agent.answers.set('roots/list', () => ({ roots: [{ uri }] }));
    const hello = await agent.initialize('2025-11-25', { roots: {} });
    assert.match(hello.result.instructions, /No VS Code window is connected.*code /s);
    const tools = await agent.request('tools/list');
    assert.match(textOf(await reading(agent)), /Open the folder in VS Code/);
    await machine.open({ trees: { ws: { 'a.txt': '1', 'sub/b.txt': '2' } } });
    await told(agent);
    assert.match(textOf(await reading(agent, 'sub/b.txt')), /^\[Note: You work in .*sub\. .*\]\n2$/);
    assert.match(textOf(await reading(agent)), /outside the roots that your client declared/);
    const namesIn = ({ result }: typeof tools) => result.tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(namesIn(await agent.request('tools/list')), namesIn(tools));
  });

  it('is told at once when the person stops the server, and goes on when it is started', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await started();
    const edit = calling(agent, 'edit_file', editing('a.txt'));
    await until(() => window.consent.open === 1, 'nothing was asked');
    window.server.stop('stopped');
    assert.match(textOf(await edit), /unknown whether this took effect/);
    assert.match(textOf(await reading(agent)), /user has stopped the Workspace MCP server.*Start Server/);
    agent.received.length = 0;
    await window.server.start();
    await told(agent);
    assert.equal(textOf(await reading(agent)), '1');
  });

  it('what was allowed for its session still is when the server has restarted', async () => {
    const window = await machine.open({ trees: TREES });
    window.fake.languageServer = () => [];
    const [agent, other] = [await started(), await started()];
    window.consent.answers.push({ allow: 'session' });
    assert.ok(!(await calling(agent, 'edit_file', editing('a.txt'))).isError);
    await window.server.restart();
    await told(agent); // before that, it is not known whether an edit takes effect
    assert.ok(!(await calling(agent, 'edit_file', editing('b.txt'))).isError);
    assert.equal(window.consent.questions.length, 1);
    window.consent.answers.push({ deny: '' });
    assert.ok((await calling(other, 'edit_file', EDIT_AGAIN)).isError);
    assert.equal(window.consent.questions.length, 2);
  });
});
