/** An agent goes to another window: because that fits better, because its own is stuck, or because it has chosen it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { calling, reading, textOf, windowOf } from './calling.ts';
import { until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const edit = { path: 'a.txt', edits: [{ oldText: '1', newText: '2' }] };

describe('wire: an agent moves to another window', () => {
  const machine = useMachine();

  const tree = (name: string, text = name) => ({ trees: { [name]: { 'a.txt': text } } });

  /** An agent in a directory that may be in no window. @param roots names of directories that its client declares */
  async function agentIn(directory: string, roots?: () => string[], env: Record<string, string> = {}) {
    const agent = machine.agent(directory, env);
    if (roots)
      agent.answers.set('roots/list', () => ({
        roots: roots().map((name) => ({ uri: `${pathToFileURL(join(machine.root, name))}` })),
      }));
    await agent.initialize('2025-11-25', roots ? { roots: { listChanged: true } } : {});
    return agent;
  }

  async function isIn(agent: RawAgent, window: string) {
    while ((await windowOf(agent)) !== window) await delay(50);
  }

  it('when nothing is asked of the only one any more, and one with its directory opens', async () => {
    const only = await machine.open(tree('other', '1'));
    const agent = await agentIn('mine');
    const editing = calling(agent, 'edit_file', edit);
    await until(() => only.consent.open === 1, 'nothing was asked');
    await machine.open(tree('mine'));
    assert.equal(only.consent.open, 1, 'the question is still there');
    only.consent.answer({ allow: 'once' });
    assert.ok(!(await editing).isError);
    await isIn(agent, 'window2');
    assert.equal(textOf(await reading(agent)), 'mine');
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

  it('and is still subscribed to what it subscribed to without one', async () => {
    const agent = await agentIn('ws');
    const uri = `${pathToFileURL(join(machine.root, 'ws', 'a.txt'))}`;
    assert.deepEqual((await agent.request('resources/subscribe', { uri })).result, {});
    assert.ok((await agent.request('resources/subscribe', { uri: 'nonsense' })).error);
    const window = await machine.open(tree('ws'));
    await agent.notification('notifications/resources/updated');
    agent.received.length = 0;
    window.writes('a.txt', 'new');
    await agent.notification('notifications/resources/updated');
  });
});
