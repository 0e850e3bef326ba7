import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { Message } from './rawAgent.ts';

const TREES = { ws: { 'src/a.py': 'a = 1\n', 'b.py': 'a = 1\n' } };

const editing = (path = 'src/a.py', more: object = {}) => ({
  name: 'edit_file',
  arguments: { path, edits: [{ oldText: '1', newText: '2' }], ...more },
});

const disk = (window: TestWindow, path = 'src/a.py') => readFileSync(window.path(path), 'utf8');

const asked = (window: TestWindow, times = 1) =>
  until(() => window.consent.questions.length === times, `the person was not asked ${times} times`);

const textOf = ({ content }: { content: Message[] }): string => content[0]?.text;

describe('wire: edits with consent', () => {
  const machine = useMachine();

  /** A window whose language server reports at once that there are no problems. */
  async function open(): Promise<TestWindow> {
    const window = await machine.open({ trees: TREES });
    for (const path of Object.keys(TREES.ws)) window.fake.person.opensTab(window.path(path));
    window.fake.languageServer = () => [];
    return window;
  }

  for (const version of ['2025-11-25', 'modern']) {
    it(`${version}: an agent edits once the person has agreed`, async () => {
      const window = await open();
      const client = await window.agent({ version });
      const call = client.callTool(editing());
      await asked(window);
      assert.partialDeepStrictEqual(window.consent.questions[0], {
        agent: 'wire-test',
        tool: 'edit_file',
        subject: 'src/a.py',
      });
      assert.equal(disk(window), 'a = 1\n');
      window.consent.answer({ allow: 'once' });
      assert.equal(textOf(await call), 'src/a.py: 1 replacement, version 2, saved.\nNo problems.');
      assert.equal(disk(window), 'a = 2\n');
    });
  }

  it('hears that nothing was done when the window is reloaded before the answer', async () => {
    const window = await open();
    const client = await window.agent();
    const result = client.callTool(editing());
    await asked(window);
    await window.reloads();
    const { isError, content } = await result;
    assert.ok(isError);
    assert.match(textOf({ content }), /before the user answered, so nothing was done/);
    assert.deepEqual([window.consent.open, disk(window)], [0, 'a = 1\n']);
  });

  it('hears that the person is being asked, so that it does not give up', async () => {
    const window = await open();
    const agent = window.rawAgent();
    await agent.initialize();
    const params = { ...editing(), _meta: { progressToken: 'waiting' } };
    agent.send({ jsonrpc: '2.0', id: 'edit', method: 'tools/call', params });
    await asked(window);
    await until(
      () => agent.received.some(({ method }) => method === 'notifications/progress'),
      'nothing was said of the question',
    );
    const { message, ...told } = agent.received.find(({ method }) => method)?.params ?? {};
    assert.deepEqual(told, { progressToken: 'waiting', progress: 0 });
    assert.match(message, /user/);
    window.consent.answer({ allow: 'once' });
    assert.ok(!(await agent.answerTo('edit')).result.isError);
  });

  it('may cancel: the question goes, and nothing is sent afterwards', async () => {
    const window = await open();
    const agent = window.rawAgent();
    await agent.initialize();
    agent.send({ jsonrpc: '2.0', id: 'edit', method: 'tools/call', params: editing() });
    await asked(window);
    agent.notify('notifications/cancelled', { requestId: 'edit' });
    await until(() => window.consent.open === 0, 'the question still stands');
    window.consent.answerAnyway({ allow: 'session' });
    await agent.request('ping');
    assert.ok(!agent.received.some(({ id }) => id === 'edit'));
    assert.equal(disk(window), 'a = 1\n');
    window.consent.answers.push({ deny: '' });
    agent.send({ jsonrpc: '2.0', id: 'edit', method: 'tools/call', params: editing() });
    assert.ok(
      (await agent.answerTo('edit')).result.isError,
      'its id is free again, and it is asked for again',
    );
  });

  it('is asked for once for its session, and only for its own', async () => {
    const window = await open();
    const [mine, twin] = [await window.agent(), await window.agent()];
    window.consent.answers.push({ allow: 'session' }, { deny: 'not you' });
    for (const path of ['src/a.py', 'b.py']) assert.ok(!(await mine.callTool(editing(path))).isError);
    const back = { path: 'b.py', edits: [{ oldText: '2', newText: '1' }] };
    const { isError } = await twin.callTool({ name: 'edit_file', arguments: back });
    assert.deepEqual([isError, window.consent.questions.length], [true, 2]);
    await mine.close();
    const again = await window.agent();
    window.consent.answers.push({ deny: 'not again' });
    assert.ok((await again.callTool({ name: 'edit_file', arguments: back })).isError);
    assert.equal(window.consent.questions.length, 3);
  });

  it('sends nothing that answers the question, or goes around it', async () => {
    const window = await open();
    const agent = window.rawAgent();
    await agent.initialize();
    const call = (params: object) => agent.request('tools/call', params);
    for (const argument of ['approved', 'approve', 'allow', 'force'])
      assert.match(textOf((await call(editing('b.py', { [argument]: true }))).result), /no argument/);
    agent.send({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { ...editing(), _meta: { approved: true, allow: 'workspace', resume: 'key' } },
    });
    await asked(window);
    agent.send(...[0, 1, 7, '7'].map((id) => ({ jsonrpc: '2.0', id, result: { allow: 'once' } })));
    agent.notify('notifications/approved', { allow: 'once' });
    assert.equal((await agent.request('elicitation/create', { allow: 'once' })).error.code, -32601);
    await agent.request('ping');
    assert.deepEqual([window.consent.open, disk(window)], [1, 'a = 1\n']);
    window.consent.answer({ deny: '' });
  });
});
