import assert from 'node:assert/strict';
import { calling, textOf } from './calling.ts';
import { until, useMachine } from './harness.ts';
import { definition, openWith } from './hosting/support.ts';
import type { RawAgent } from './rawAgent.ts';

const DISABLED = 'workspaceMcp.tools.disabled';
const GROUPS = 'workspaceMcp.tools.groups';
const OPERATIONS = 'workspaceMcp.access.allowedOperations';
/** As they are sorted. */
const SOME = ['edit_file', 'read_run', 'run_command', 'sdk__echo'];
const CHANGED = 'notifications/tools/list_changed';

const namesOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);

describe('wire: tools that are switched off', () => {
  const machine = useMachine();

  it('are told of once, are not listed, and cannot be called: the answer names the setting', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a' } } });
    const agent = await window.greeted();
    const all = await namesOf(agent);
    const edits = [{ oldText: 'a', newText: 'b' }];
    const edit = calling(agent, 'edit_file', { path: 'a.txt', edits });
    await until(() => window.consent.open === 1, 'the person was not asked');
    window.fake.person.sets(DISABLED, ['edit_file']);
    window.fake.person.sets(GROUPS, { editor: false });
    assert.match(textOf(await edit), /edit_file is switched off here/);
    assert.equal(window.consent.open, 0, 'the question has gone with it');
    await agent.notification(CHANGED);
    const off = ['ask_user', 'edit_file', 'open_file']; // one by its name, the others by their group
    assert.deepEqual(
      await namesOf(agent),
      all.filter((name) => !off.includes(name)),
    );
    assert.equal(agent.received.filter(({ method }) => method === CHANGED).length, 1);
    for (const [name, setting] of [
      ['edit_file', DISABLED],
      ['open_file', `${GROUPS} ("editor")`],
    ] as const) {
      const text = `${name} is switched off here by the setting ${setting}. Only the user can change it.`;
      assert.deepEqual(await calling(agent, name), { content: [{ type: 'text', text }], isError: true });
    }
  });

  /** The list, once the agent was told of one more change. */
  async function changed(agent: RawAgent): Promise<string[]> {
    const told = () => agent.received.findIndex(({ method }) => method === CHANGED);
    await until(() => told() >= 0, 'the agent was not told');
    agent.received.splice(told(), 1);
    return (await namesOf(agent)).filter((name) => SOME.includes(name));
  }

  it('are those that only read in a window that is not trusted, until it is', async () => {
    const window = await machine.open({ isTrusted: false });
    const agent = await window.greeted();
    const names = await namesOf(agent);
    assert.deepEqual([names.includes('read_file'), SOME.filter((name) => names.includes(name))], [true, []]);
    assert.match(textOf(await calling(agent, 'read_run')), /This workspace is not trusted/);
    window.fake.person.trusts();
    assert.deepEqual(await changed(agent), SOME.slice(0, 3));
  });

  it('are not listed and cannot be called where operations and approvals never allow it', async () => {
    const { window, agent } = await openWith(machine, { sdk: definition('sdkServer') });
    const { person } = window.fake;
    const { received } = agent;
    await namesOf(agent);
    received.splice(0);
    person.sets(OPERATIONS, ['read', 'edit'], 'workspace');
    assert.deepEqual(await changed(agent), ['edit_file']);
    const off = /^"(run|server)" is switched off here by the setting workspaceMcp\.access\.allowedOperations/;
    for (const name of ['read_run', 'run_command', 'sdk__echo'])
      assert.match(textOf(await calling(agent, name)), off);
    person.sets(OPERATIONS, undefined, 'workspace');
    assert.deepEqual(await changed(agent), SOME);
    person.sets('workspaceMcp.approvals', { run: 'deny', server: 'deny' });
    assert.deepEqual(await changed(agent), ['edit_file', 'read_run']);
    assert.match(textOf(await calling(agent, 'run_command')), /setting workspaceMcp\.approvals/);
  });
});
