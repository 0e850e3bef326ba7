import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { textOf } from './calling.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { Message, RawAgent } from './rawAgent.ts';

const editing = (more: object = {}) => ({
  name: 'edit_file',
  arguments: { path: 'a.txt', edits: [{ oldText: '1', newText: '2' }], ...more },
});

const disk = (window: TestWindow) => readFileSync(window.path('a.txt'), 'utf8');

describe('wire: edits with consent', () => {
  const machine = useMachine();
  let window: TestWindow;

  /** A window whose language server reports at once that there are no problems. */
  beforeEach(async () => {
    window = await machine.open({ trees: { ws: { 'a.txt': '1' } } });
    window.fake.person.opensTab(window.path('a.txt'));
    window.fake.languageServer = () => [];
  });

  const asked = () => until(() => window.consent.open === 1, 'the person was not asked');

  /** An agent that waits for the answer to its edit. */
  async function waiting(more: object = {}): Promise<RawAgent> {
    const agent = await window.greeted();
    const params = { ...editing(), ...more };
    agent.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    await asked();
    return agent;
  }

  for (const version of ['2025-11-25', 'modern'])
    it(`${version}: an agent edits once the person has agreed`, async () => {
      const call = (await window.agent({ version })).callTool(editing());
      await asked();
      const question = { agent: 'wire-test', tool: 'edit_file', subject: 'a.txt' };
      assert.partialDeepStrictEqual(window.consent.questions, [question]);
      assert.equal(disk(window), '1');
      window.consent.answer({ allow: 'once' });
      assert.equal(textOf(await call), 'a.txt: 1 replacement, version 2, saved.\nNo problems.');
      assert.equal(disk(window), '2');
    });

  it('hears that the person is asked, and that nothing was done when the window is reloaded before', async () => {
    const agent = await waiting({ _meta: { progressToken: 'waiting' } });
    const { message, ...told } = (await agent.notification('notifications/progress')).params;
    assert.deepEqual(told, { progressToken: 'waiting', progress: 0 });
    assert.match(message, /user/);
    await window.reloads();
    assert.match(textOf((await agent.answerTo(7)).result), /before the user answered, so nothing was done/);
    assert.deepEqual([window.consent.open, disk(window)], [0, '1']);
  });

  it('may cancel: the question goes, and nothing is sent afterwards', async () => {
    const agent = await waiting();
    agent.notify('notifications/cancelled', { requestId: 7 });
    await until(() => window.consent.open === 0, 'the question still stands');
    window.consent.answerAnyway({ allow: 'session' });
    await agent.request('ping');
    assert.ok(!agent.received.some(({ id }) => id === 7));
    assert.equal(disk(window), '1');
    window.consent.answers.push({ deny: '' });
    assert.ok((await agent.request('tools/call', editing())).result.isError, 'it is asked for again');
  });

  it('sends nothing that answers the question, or goes around it', async () => {
    const agent = await waiting({ _meta: { approved: true, allow: 'workspace', resume: 'key' } });
    const call = async (more: object): Promise<Message> =>
      (await agent.request('tools/call', editing(more))).result;
    for (const argument of ['approved', 'approve', 'allow', 'force'])
      assert.match(textOf(await call({ [argument]: true })), /no argument/);
    agent.send(...[0, 1, 7, '7'].map((id) => ({ jsonrpc: '2.0', id, result: { allow: 'once' } })));
    agent.notify('notifications/approved', { allow: 'once' });
    assert.equal((await agent.request('elicitation/create', { allow: 'once' })).error.code, -32601);
    await agent.request('ping');
    assert.deepEqual([window.consent.open, disk(window)], [1, '1']);
    window.consent.answer({ deny: '' });
  });
});
