import assert from 'node:assert/strict';
import { calling, textOf } from './calling.ts';
import { until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const DISABLED = 'workspaceMcp.tools.disabled';
const GROUPS = 'workspaceMcp.tools.groups';
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
});
