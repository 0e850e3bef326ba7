/** An agent goes to another window: because that fits better, because its own is stuck, or because it has chosen it. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { calling, reading, textOf, windowOf } from './calling.ts';
import { until, useMachine } from './harness.ts';
import { agentOf } from './processes.ts';
import type { RawAgent } from './rawAgent.ts';

const edit = { path: 'a.txt', edits: [{ oldText: '1', newText: '2' }] };

describe('wire: an agent moves to another window', () => {
  let agents: RawAgent[];
  beforeEach(() => {
    agents = [];
  });
  afterEach(async () => {
    for (const agent of agents) await agent.end();
  });
  const machine = useMachine();

  const tree = (name: string, text = name) => ({ trees: { [name]: { 'a.txt': text } } });

  /** An agent in a directory that may be in no window. @param roots names of directories that its client declares */
  async function agentIn(directory: string, roots?: () => string[], env: Record<string, string> = {}) {
    const cwd = join(machine.root, directory);
    mkdirSync(cwd, { recursive: true });
    const agent = agentOf(machine.root, cwd, env);
    agents.push(agent);
    if (roots)
      agent.answers.set('roots/list', () => ({
        roots: roots().map((name) => ({ uri: `${pathToFileURL(join(machine.root, name))}` })),
      }));
    await agent.initialize('2025-11-25', roots ? { roots: { listChanged: true } } : {});
    return agent;
  }

  const isIn = (agent: RawAgent, window: string) =>
    until(() => agent.received.length > 0, '').then(async () => {
      while ((await windowOf(agent)) !== window) await new Promise((resolve) => setTimeout(resolve, 50));
    });

  it('when nothing is asked of the only one any more, and one with its directory opens', async () => {
    const only = await machine.open(tree('other', '1'));
    const agent = await agentIn('mine');
    const editing = calling(agent, 'edit_file', edit);
    await until(() => only.consent.open === 1, 'nothing was asked');
    await machine.open(tree('mine'));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(only.consent.open, 1, 'the question is still there');
    only.consent.answer({ allow: 'once' });
    assert.ok(!(await editing).isError);
    await isIn(agent, 'window2');
    assert.equal(textOf(await reading(agent)), 'mine');
  });

  it('not, when the window that it has gets its folder; but when that loses it', async () => {
    const window = await machine.open(tree('other', '1'));
    const agent = await agentIn('mine');
    const asking = calling(agent, 'edit_file', edit);
    await until(() => window.consent.open === 1, 'nothing was asked');
    window.opensFolders('other', 'mine');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    window.consent.answer({ allow: 'once' });
    assert.ok(!(await asking).isError);
    assert.equal(window.agents.length, 1);
    await machine.open(tree('mine'));
    window.opensFolders('other');
    await isIn(agent, 'window2');
  });

  it('that the roots of its client lead to, also while they change', async () => {
    await machine.open(tree('one'));
    let roots = ['two'];
    const agent = await agentIn('elsewhere', () => roots);
    assert.equal(await windowOf(agent), 'window1', 'for want of a better');
    await machine.open(tree('two'));
    await isIn(agent, 'window2');
    assert.equal(textOf(await reading(agent)), 'two');
    roots = ['one'];
    agent.notify('notifications/roots/list_changed');
    await isIn(agent, 'window1');
    assert.equal(textOf(await reading(agent)), 'one');
  });

  it('at its first call, which waits until the roots are known', async () => {
    await machine.open(tree('one'));
    await machine.open(tree('two'));
    const agent = await agentIn('elsewhere', () => ['two']);
    assert.equal(textOf(await reading(agent)), 'two');
    const stranger = await agentIn('elsewhere', () => ['three']);
    assert.match(
      textOf(await reading(stranger)),
      /contains .*elsewhere or a root of the client \(.*three\).*code .*three/s,
    );
  });

  it('which answers on the same folders, where the workbench of its own has gone', async () => {
    const window = await machine.open(tree('ws', '1'));
    const agent = await agentIn('ws');
    await reading(agent);
    const editing = calling(agent, 'edit_file', edit);
    await until(() => window.consent.open === 1, 'nothing was asked');
    window.responds = async () => false;
    await machine.open(tree('ws', '1'));
    assert.match(textOf(await editing), /unknown whether this took effect/);
    await isIn(agent, 'window2');
    const late = await agentIn('elsewhere', undefined, { WORKSPACE_MCP_WINDOW: 'window1' });
    assert.equal(await windowOf(late), 'window2', 'its terminal was opened in the one before');
  });

  it('that it has chosen: what may have taken effect in the one before is not to be called again unseen', async () => {
    const one = await machine.open(tree('one', '1'));
    await machine.open(tree('two'));
    const agent = await agentIn('one');
    const editing = calling(agent, 'edit_file', edit);
    await until(() => one.consent.open === 1, 'nothing was asked');
    assert.ok(!(await calling(agent, 'select_window', { window: 'window2' })).isError);
    assert.match(textOf(await editing), /has moved.*unknown whether this took effect/);
    assert.equal(textOf(await reading(agent)), 'two');
  });

  it('and is still subscribed to what it subscribed to without one', async () => {
    const agent = await agentIn('ws');
    const uri = `${pathToFileURL(join(machine.root, 'ws', 'a.txt'))}`;
    assert.deepEqual((await agent.request('resources/subscribe', { uri })).result, {});
    assert.ok((await agent.request('resources/subscribe', { uri: 'nonsense' })).error);
    const window = await machine.open(tree('ws'));
    await agent.notification('notifications/resources/updated');
    const before = agent.received.length;
    window.writes('a.txt', 'new');
    await agent.until(
      (message) =>
        agent.received.indexOf(message) >= before && message.method === 'notifications/resources/updated',
    );
  });

  it('names what is open where --window names what is not', async () => {
    await machine.open(tree('ws'));
    const agent = agentOf(machine.root, join(machine.root, 'ws'), {}, ['--window', 'gone']);
    agents.push(agent);
    await agent.initialize();
    const text = textOf(await reading(agent));
    assert.match(text, /has the id "gone".*window1.*Start the agent with the id of one of these/s);
    assert.doesNotMatch(text, /connected automatically/);
  });
});
