import assert from 'node:assert/strict';
import { until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const DISABLED = 'workspaceMcp.tools.disabled';
const GROUPS = 'workspaceMcp.tools.groups';
const CHANGED = 'notifications/tools/list_changed';

const namesOf = async (agent: RawAgent): Promise<string[]> =>
  (await agent.request('tools/list')).result.tools.map(({ name }: { name: string }) => name);

const told = (agent: RawAgent) => agent.received.filter(({ method }) => method === CHANGED).length;

describe('wire: tools that are switched off', () => {
  const machine = useMachine();

  it('are not listed, cannot be called, and the answer names the setting', async () => {
    const window = await machine.open({
      trees: { ws: { 'a.txt': 'a' } },
      user: { [GROUPS]: { edit: false } },
      workspace: { [DISABLED]: ['read_file'], [GROUPS]: { edit: true } },
    });
    const agent = window.rawAgent();
    await agent.initialize();
    const names = await namesOf(agent);
    assert.ok(names.includes('find_files') && !names.includes('edit_file') && !names.includes('read_file'));
    for (const [name, setting] of [
      ['edit_file', 'workspaceMcp.tools.groups ("edit")'],
      ['read_file', 'workspaceMcp.tools.disabled'],
    ]) {
      const { result } = await agent.request('tools/call', { name, arguments: { path: 'a.txt', edits: [] } });
      const text = `${name} is switched off here by the setting ${setting}. Only the user can change it.`;
      assert.deepEqual(result, { content: [{ type: 'text', text }], isError: true });
    }
  });

  it('an agent hears of them, once', async () => {
    const window = await machine.open();
    const agent = window.rawAgent();
    await agent.initialize();
    const all = await namesOf(agent);
    window.fake.person.sets(DISABLED, ['edit_file']);
    window.fake.person.sets(GROUPS, { editor: false });
    await agent.notification(CHANGED);
    const off = ['ask_user', 'edit_file', 'open_file']; // one by its name, the others by their group
    const left = all.filter((name) => !off.includes(name));
    assert.deepEqual(await namesOf(agent), left);
    assert.equal(told(agent), 1);
  });

  it('take along the question that they wait for', async () => {
    const window = await machine.open({ trees: { ws: { 'a.txt': 'a' } } });
    const agent = window.rawAgent();
    await agent.initialize();
    const edits = [{ oldText: 'a', newText: 'b' }];
    const params = { name: 'edit_file', arguments: { path: 'a.txt', edits } };
    agent.send({ jsonrpc: '2.0', id: 'edit', method: 'tools/call', params });
    await until(() => window.consent.open === 1, 'the person was not asked');
    window.fake.person.sets(DISABLED, ['edit_file']);
    const { content, isError } = (await agent.answerTo('edit')).result;
    assert.ok(isError);
    assert.match(content[0].text, /edit_file is switched off here/);
    assert.equal(window.consent.open, 0);
  });
});
