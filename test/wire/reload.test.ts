/** What holds over a reload of the window: the second window has another extension host, and the same workspace storage. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { calling, reading, textOf, windowOf } from './calling.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import { Peer } from './peer.ts';
import { agentOf } from './processes.ts';
import type { RawAgent } from './rawAgent.ts';
import { META } from './script.ts';

const TREES = { ws: { 'a.txt': '1', 'b.txt': '1', 'c.txt': '1' } };
const EDIT_AGAIN = { path: 'a.txt', edits: [{ oldText: '2', newText: '3' }] };
const editing = (path: string) => ({ path, edits: [{ oldText: '1', newText: '2' }] });

describe('wire: a window is reloaded', () => {
  const machine = useMachine();

  /** A window in which an agent was allowed to edit for its session, and which has gone; and the agent's key. */
  async function gone() {
    const window = await machine.open({ trees: TREES });
    const peer = await Peer.of(machine.root, window);
    window.consent.answers.push({ allow: 'session' });
    assert.ok(!(await peer.call('edit_file', editing('a.txt'))).isError);
    window.server.stop();
    await peer.ended();
    await until(() => window.agents.length === 0, 'the agent is still there');
    return { kept: window.consent.kept, resume: peer.resume };
  }

  it('what was allowed for a session still is, to the one that goes by its key', async () => {
    const { kept, resume } = await gone();
    assert.ok(!JSON.stringify(kept.get()).includes(resume), 'a key is kept');
    const window = await machine.open({ trees: TREES, kept });
    window.consent.answers.push({ deny: '' }, { deny: '' });
    const stranger = await Peer.of(machine.root, window, 'f'.repeat(32));
    assert.notEqual(stranger.resume, 'f'.repeat(32));
    assert.ok((await stranger.call('edit_file', editing('b.txt'))).isError);
    const peer = await Peer.of(machine.root, window, resume);
    assert.equal(peer.resume, resume);
    assert.ok(!(await peer.call('edit_file', editing('b.txt'))).isError);
    assert.equal(window.consent.questions.length, 1);
    // …until the person takes it back
    const allowed = window.agents.filter((agent) => agent.allowed.has('edit'));
    assert.equal(allowed.length, 1);
    allowed[0]?.allowed.delete('edit');
    assert.ok((await peer.call('edit_file', editing('c.txt'))).isError);
    assert.deepEqual(kept.get(), []);
    for (const { socket } of [stranger, peer]) socket.destroy();
  });

  it('nothing is allowed still in a workspace that is not trusted', async () => {
    const { kept, resume } = await gone();
    const window = await machine.open({ trees: TREES, kept, isTrusted: false });
    const peer = await Peer.of(machine.root, window, resume);
    assert.notEqual(peer.resume, resume);
    peer.socket.destroy();
  });
});

describe('wire: an agent outlives its window', () => {
  let agents: RawAgent[];
  beforeEach(() => {
    agents = [];
  });
  afterEach(async () => {
    for (const agent of agents) await agent.end();
  });
  const machine = useMachine(); // its windows are closed after the agents have gone

  /** An agent that is of no window. */
  function started(cwd: string, env: Record<string, string> = {}): RawAgent {
    const agent = agentOf(machine.root, cwd, env);
    agents.push(agent);
    return agent;
  }

  /** An agent in the first folder of a window, initialized. */
  async function agentIn(window: TestWindow, env: Record<string, string> = {}): Promise<RawAgent> {
    const agent = started(window.path(), env);
    await agent.initialize();
    return agent;
  }

  const news = (agent: RawAgent, method = 'notifications/tools/list_changed') =>
    agent.received.filter((message) => message.method === method).length;

  const toldAgain = (agent: RawAgent, before: number) =>
    until(() => news(agent) > before, 'it was not told that another window serves');

  it('several at once, with work in flight when the server restarts', async () => {
    const window = await machine.open({ trees: TREES });
    const many = await Promise.all(Array.from({ length: 6 }, () => agentIn(window)));
    const reads = Array.from({ length: 10 }, (_, n) => `read ${n}`);
    const call = (id: string, name: string, args: object) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name, arguments: args },
    });
    for (const agent of many)
      agent.send(
        ...reads.map((id) => call(id, 'read_file', { path: 'a.txt' })),
        // no one answers the question, so it is in flight when the window goes
        call('edit', 'edit_file', editing('a.txt')),
      );
    await until(() => window.consent.questions.length > 0, 'nobody asks');
    await window.server.restart();
    for (const agent of many) {
      for (const id of reads) assert.equal(textOf((await agent.answerTo(id)).result), '1');
      const answers = agent.received.filter((message) => !message.method && message.id !== 'edit');
      assert.equal(new Set(answers.map(({ id }) => id)).size, answers.length, 'something was answered twice');
      assert.equal(answers.length, reads.length + 1);
    }
    await until(() => window.server.connections === 6, 'not all are back');
    window.consent.otherwise = () => ({ deny: '' });
    while (window.consent.open > 0) window.consent.answer({ deny: '' });
    for (const agent of many) {
      const { result, error } = await agent.answerTo('edit');
      assert.ok(result?.isError || /unknown whether this took effect/.test(error.message));
      assert.equal(agent.received.filter(({ id }) => id === 'edit').length, 1);
    }
  });

  it('of two windows on its folder none is guessed, and the tools choose one', async () => {
    const [one, two] = [await machine.open({ trees: TREES }), await machine.open({ trees: TREES })];
    const agent = await agentIn(one);
    assert.match(textOf(await reading(agent)), /Several VS Code windows match.*window1.*select_window/s);
    assert.deepEqual([one.agents.length, two.agents.length], [0, 0]);
    const { windows } = (await calling(agent, 'list_windows')).structuredContent;
    assert.deepEqual(windows.map(({ id }: { id: string }) => id).sort(), ['window1', 'window2']);
    assert.equal(await windowOf(agent), undefined, 'it is in none yet');
    for (const window of ['window2', 'window1', 'window2']) {
      assert.equal((await calling(agent, 'select_window', { window })).structuredContent.window, window);
      assert.equal(textOf(await reading(agent)), '1');
      assert.equal(await windowOf(agent), window);
    }
    assert.deepEqual([two.agents[0]?.name, two.agents[0]?.version], ['raw', '1']);
  });

  it('a selected window that closes is not replaced by another', async () => {
    const one = await machine.open({ trees: { one: TREES.ws } });
    const two = await machine.open({ trees: { two: { 'a.txt': 'two' } } });
    const agent = await agentIn(one, { WORKSPACE_MCP_WAIT: '0.2' });
    assert.ok(!(await calling(agent, 'select_window', { window: 'window2' })).isError);
    assert.equal(textOf(await reading(agent)), 'two');
    const before = news(agent);
    two.server.stop();
    assert.match(textOf(await reading(agent)), /selected VS Code window is closed.*window1/s);
    await two.server.start();
    await toldAgain(agent, before);
    assert.equal(textOf(await reading(agent)), 'two');
    two.server.stop();
    await reading(agent);
    assert.ok(!(await calling(agent, 'select_window', { window: 'window1' })).isError);
    assert.equal(textOf(await reading(agent)), '1');
  });

  it('one that was there before any window is served at once, and comes alive with it', async () => {
    const cwd = `${machine.root}/ws`;
    mkdirSync(cwd);
    const [agent, modern] = [started(cwd), started(cwd)];
    agent.answers.set('roots/list', () => ({ roots: [{ uri: `${pathToFileURL(`${cwd}/sub`)}` }] }));
    const hello = await agent.initialize('2025-11-25', { roots: {} });
    assert.match(hello.result.instructions, /No VS Code window is connected.*code /s);
    const ask = (method: string, params: object = {}) => modern.request(method, { ...params, _meta: META });
    const discovered = await ask('server/discover');
    modern.send({
      ...{ jsonrpc: '2.0', id: 'news', method: 'subscriptions/listen' },
      params: { notifications: { toolsListChanged: true }, _meta: META },
    });
    await modern.notification('notifications/subscriptions/acknowledged');
    const tools = await agent.request('tools/list');
    const templates = await agent.request('resources/templates/list');
    assert.ok((await ask('tools/list')).result.tools.length > 0);
    assert.match(textOf(await reading(agent)), /Open the folder in VS Code/);

    const window = await machine.open({ trees: { ws: { 'a.txt': '1', 'sub/b.txt': '2' } } });
    for (const one of [agent, modern]) await one.notification('notifications/tools/list_changed');
    assert.equal(textOf(await reading(agent, 'sub/b.txt')), '2');
    assert.match(textOf(await reading(agent)), /outside the roots that your client declared/);
    assert.deepEqual((await ask('server/discover')).result.capabilities, discovered.result.capabilities);
    assert.deepEqual((await agent.request('tools/list')).result, tools.result);
    assert.deepEqual((await agent.request('resources/templates/list')).result, templates.result);
    assert.ok((await ask('tools/call', { name: 'read_file', arguments: { path: 'a.txt' } })).result);
    assert.equal(modern.received.filter(({ method }) => method?.endsWith('acknowledged')).length, 1);
    assert.deepEqual(window.agents.map(({ name }) => name).sort(), ['modern', 'raw']);
  });

  it('answers when the window does not come back, and goes on when it does so later', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await agentIn(window, { WORKSPACE_MCP_WAIT: '0.3' });
    window.server.stop();
    const [read, edit] = [await reading(agent), await calling(agent, 'edit_file', editing('a.txt'))];
    for (const result of [read, edit]) {
      assert.ok(result.isError);
      assert.match(textOf(result), /Open the folder in VS Code/);
    }
    const before = news(agent);
    await window.server.start();
    await toldAgain(agent, before);
    assert.equal(textOf(await reading(agent)), '1');
  });

  it('is told at once when the person stops the server, and goes on when it is started', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = await agentIn(window);
    const edit = calling(agent, 'edit_file', editing('a.txt'));
    await until(() => window.consent.open === 1, 'nothing was asked');
    window.server.stop('stopped');
    assert.match(textOf(await edit), /unknown whether this took effect/);
    const told = /user has stopped the Workspace MCP server.*"Workspace MCP: Start Server" in it starts it/;
    assert.match(textOf(await reading(agent)), told);
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // it has looked again meanwhile
    assert.match(textOf(await reading(agent)), told);
    assert.ok((await agent.request('tools/list')).result.tools.length > 0);
    const before = news(agent);
    await window.server.start();
    await toldAgain(agent, before);
    assert.equal(textOf(await reading(agent)), '1');
  });

  it('what was allowed for its session still is when the server has restarted', async () => {
    const window = await machine.open({ trees: TREES });
    window.fake.languageServer = () => [];
    const [agent, other] = [await agentIn(window), await agentIn(window)];
    window.consent.answers.push({ allow: 'session' });
    assert.ok(!(await calling(agent, 'edit_file', editing('a.txt'))).isError);
    await window.server.restart();
    await toldAgain(agent, 0); // before that, it is not known whether an edit takes effect
    assert.ok(!(await calling(agent, 'edit_file', editing('b.txt'))).isError);
    window.server.stop();
    await window.server.start();
    await toldAgain(agent, 1);
    assert.ok(!(await calling(agent, 'edit_file', editing('c.txt'))).isError);
    assert.equal(window.consent.questions.length, 1);
    window.consent.answers.push({ deny: '' });
    assert.ok((await calling(other, 'edit_file', EDIT_AGAIN)).isError);
    assert.equal(window.consent.questions.length, 2);
  });

  it('a batch is answered as one, be it by the next window', async () => {
    const window = await machine.open({ trees: TREES });
    const agent = started(window.path());
    await agent.initialize('2025-03-26');
    const call = (id: string, name: string, args: object) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name, arguments: args },
    });
    agent.send(
      [call('a', 'read_file', { path: 'a.txt' }), call('b', 'read_file', { path: 'b.txt' })],
      [call('c', 'read_file', { path: 'a.txt' }), call('d', 'edit_file', editing('c.txt'))],
    );
    await until(() => window.consent.open === 1, 'nothing was asked');
    window.server.stop();
    await window.server.start();
    for (const [first, texts] of [
      ['a', ['1', '1']],
      ['c', [/unknown/, /unknown/]],
    ] as const) {
      // In whatever order they were ready (JSON-RPC 2.0, 6).
      const answers = await agent.until(
        (message) => Array.isArray(message) && message.some(({ id }) => id === first),
      );
      for (const [index, { result, error }] of answers.entries())
        assert.match(error?.message ?? textOf(result), new RegExp(texts[index] ?? ''));
    }
    assert.equal(agent.received.filter((message) => Array.isArray(message)).length, 2);
  });
});
