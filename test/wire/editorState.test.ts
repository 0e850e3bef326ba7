import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeDiagnostic, Range, Selection } from '../fakes/text.ts';
import { type TestWindow, until, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const UPDATED = 'notifications/resources/updated';
const LIST_CHANGED = 'notifications/resources/list_changed';
const TREE = { 'src/a.ts': 'const a = 1;\n', 'b.txt': 'b', '.env': 'SECRET=hunter2' };
const MODIFIED = 5;

const state = (name: string): string => `editor-state:///${name}`;

async function opened(window: TestWindow): Promise<RawAgent> {
  const agent = window.rawAgent();
  await agent.initialize();
  return agent;
}

/** The data, or the text, of a resource of the editor's state. */
async function read(agent: RawAgent, name: string) {
  const [{ mimeType, text }] = (await agent.request('resources/read', { uri: state(name) })).result.contents;
  return mimeType === 'application/json' ? JSON.parse(text) : text;
}

/** A window in which something is of each kind, each also of a file that is closed to agents. */
async function busy(machine: ReturnType<typeof useMachine>) {
  const window = await machine.open({ trees: { ws: TREE } });
  const agent = await opened(window);
  const { fake } = window;
  const root = fake.api.Uri.file(window.path());
  const repository = fake.git.opens(root);
  const files = ['src/a.ts', '.env'] as const;
  const changed = files.map((file) => {
    const uri = fake.api.Uri.file(window.path(file));
    repository.committed.set(uri.fsPath, 'before\n');
    return { uri, originalUri: uri, renameUri: undefined, status: MODIFIED };
  });
  repository.looks(changed);
  const [document] = files.map((file) => fake.person.opensTab(window.path(file)));
  assert.ok(document);
  Object.assign(fake.tabs[0] ?? {}, { isActive: true });
  const editor = {
    document,
    selections: [new Selection(0, 6, 0, 7)],
    visibleRanges: [new Range(0, 0, 0, 1)],
  };
  fake.person.goesTo(editor);
  const problem = new FakeDiagnostic(new Range(0, 0, 0, 1), 'no good') as never;
  for (const file of files) fake.person.reports(window.path(file), [problem]);
  const terminal = fake.runs.opensTerminal('zsh', root);
  const task = fake.runs.startsTask('build', { uri: root, name: 'ws', index: 0 });
  fake.answers.set('vscode.executeDocumentSymbolProvider', () => [
    {
      name: 'a',
      kind: 12,
      range: new Range(0, 0, 0, 12),
      selectionRange: new Range(0, 6, 0, 7),
      children: [],
    },
  ]);
  return { window, agent, fake, repository, changed, document, editor, terminal, task };
}

describe("wire: the editor's state as resources", () => {
  const machine = useMachine();

  it('stands before the files in the list, behind those that are open', async () => {
    const { agent } = await busy(machine);
    const { resources } = (await agent.request('resources/list')).result;
    const names = ['active-editor', 'changes', 'open-editors', 'problems', 'tasks', 'terminals'];
    assert.deepEqual(
      resources.slice(0, 8).map(({ uri }: { uri: string }) => uri.replace(/^file:.*\//, '')),
      ['a.ts', ...names.map(state), 'ws'],
    );
    const priorities = resources
      .slice(1, 7)
      .map(({ annotations }: never) => (annotations as never as { priority: number }).priority);
    assert.deepEqual(priorities.filter((one: number) => one === 1).length, 1);
    const { resourceTemplates } = (await agent.request('resources/templates/list')).result;
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate),
      [...['changes', 'problems', 'symbols'].map((name) => state(`${name}/{+path}`)), 'file:///{+path}'],
    );
  });

  it('is read, each as the tool of its kind answers, without what is closed', async () => {
    const { agent, fake, terminal } = await busy(machine);
    fake.runs.enters(terminal, 'ls').prints('a.ts\r\n');
    const call = async (name: string, args = {}) =>
      (await agent.request('tools/call', { name, arguments: args })).result.structuredContent;
    const { active, groups } = await call('get_editor_state');
    assert.deepEqual(await read(agent, 'active-editor'), { active });
    assert.equal(active.selections[0].text, 'a');
    assert.deepEqual(await read(agent, 'open-editors'), { groups });
    assert.deepEqual(await read(agent, 'problems'), await call('get_diagnostics'));
    assert.deepEqual(
      await read(agent, 'problems/src/a.ts'),
      await call('get_diagnostics', { path: 'src/a.ts' }),
    );
    assert.equal((await read(agent, 'symbols/src/a.ts')).symbols[0].name, 'a');
    assert.deepEqual((await read(agent, 'changes')).repositories[0].changes, [
      { path: 'src/a.ts', status: 'modified' },
    ]);
    assert.match(await read(agent, 'changes/src/a.ts'), /-before\n\+const a = 1;\n/);
    assert.equal((await read(agent, 'tasks')).tasks[0].name, 'build');
    assert.equal((await read(agent, 'terminals')).terminals[0].output, 'a.ts\n');
    for (const name of ['active-editor', 'open-editors', 'problems', 'changes'])
      assert.doesNotMatch(JSON.stringify(await read(agent, name)), /\.env|hunter2/, name);
    for (const name of ['problems', 'symbols', 'changes']) {
      const { error } = await agent.request('resources/read', { uri: state(`${name}/.env`) });
      assert.equal(error.code, -32602, name);
    }
  });

  it('is narrowed by the roots of the client', async () => {
    const { window } = await busy(machine);
    const agent = window.rawAgent();
    const roots = [{ uri: window.uri('src') }];
    await agent.initialize('2025-11-25', { roots: {} });
    const { id } = await agent.until(({ method }) => method === 'roots/list');
    agent.send({ jsonrpc: '2.0', id, result: { roots } });
    window.fake.person.opensTab(window.path('b.txt'));
    window.fake.person.reports(window.path('b.txt'), [
      new FakeDiagnostic(new Range(0, 0, 0, 1), 'x') as never,
    ]);
    for (const name of ['open-editors', 'problems', 'changes', 'tasks', 'terminals'])
      assert.doesNotMatch(JSON.stringify(await read(agent, name)), /b\.txt|zsh|build/, name);
    assert.match(JSON.stringify(await read(agent, 'open-editors')), /src\/a\.ts/);
    const { error } = await agent.request('resources/read', { uri: state('problems/b.txt') });
    assert.match(error.message, /outside the roots/);
  });

  it('is told of to those who subscribed, each of its own', async () => {
    const { window, agent, fake, repository, changed, document, editor, terminal, task } =
      await busy(machine);
    const names = ['active-editor', 'open-editors', 'problems', 'problems/src/a.ts', 'symbols/src/a.ts'];
    names.push('changes', 'changes/src/a.ts', 'tasks', 'terminals');
    for (const name of names)
      assert.deepEqual((await agent.request('resources/subscribe', { uri: state(name) })).result, {}, name);
    const told = async (expected: string[], happens: () => unknown) => {
      await delay(300); // what was told before has had its pause
      await agent.request('ping'); // and has come
      agent.received.length = 0;
      happens();
      const updates = () =>
        new Set(agent.received.filter(({ method }) => method === UPDATED).map(({ params }) => params.uri));
      await until(() => updates().size >= expected.length, `${expected} were not told: ${[...updates()]}`);
      assert.deepEqual([...updates()].sort(), expected.map(state).sort());
    };
    await told(['active-editor'], () => fake.person.selects(editor, new Selection(0, 0, 0, 5)));
    await told(['active-editor', 'open-editors'], () => fake.person.opensTab(window.path('b.txt')));
    await told(['problems', 'problems/src/a.ts'], () => fake.person.reports(window.path('src/a.ts'), []));
    await told(['problems'], () => fake.person.reports(window.path('b.txt'), []));
    await told(['active-editor', 'problems/src/a.ts', 'symbols/src/a.ts', 'changes/src/a.ts'], () =>
      fake.person.types(document, 'const b = 2;\n'),
    );
    await told(['changes', 'changes/src/a.ts'], () => repository.looks(changed.slice(1)));
    await told(['tasks'], () => fake.runs.endsTask(task, 0));
    await told(['terminals'], () => fake.runs.enters(terminal, 'ls'));
    for (const name of names) await agent.request('resources/unsubscribe', { uri: state(name) });
    agent.received.length = 0;
    fake.person.selects(editor, new Selection(0, 0, 0, 1));
    fake.runs.enters(terminal, 'ls');
    await agent.request('ping');
    assert.deepEqual(
      agent.received.filter(({ method }) => method === UPDATED),
      [],
    );
  });

  it('is told of where the person closes a file to agents', async () => {
    const { agent, fake } = await busy(machine);
    for (const name of ['active-editor', 'open-editors'])
      await agent.request('resources/subscribe', { uri: state(name) });
    fake.person.sets('workspaceMcp.access.deniedPaths', ['**/*.ts']);
    for (const name of ['active-editor', 'open-editors'])
      await agent.until(({ method, params }) => method === UPDATED && params.uri === state(name));
    const { result } = await agent.request('resources/read', { uri: state('active-editor') });
    assert.equal(result.contents[0].text, '{}');
  });

  it('costs a window nothing that nobody subscribed to', async () => {
    const window = await machine.open({ trees: { ws: TREE } });
    const agent = await opened(window);
    await agent.request('tools/list');
    const idle = window.fake.listeners;
    const names = ['active-editor', 'problems', 'terminals'].map(state);
    for (const uri of names) await agent.request('resources/subscribe', { uri });
    assert.ok(window.fake.listeners > idle);
    for (const uri of names) await agent.request('resources/unsubscribe', { uri });
    assert.equal(window.fake.listeners, idle);
    for (const uri of names) await agent.request('resources/subscribe', { uri });
    const some = window.fake.listeners;
    for (let count = 0; count < 20; count++)
      await agent.request('resources/subscribe', {
        uri: state(`problems/src/../${'./'.repeat(count)}b.txt`),
      });
    assert.equal(window.fake.listeners, some, '20 more are listened for as one');
    await agent.end(); // what is left then, the harness finds
  });

  it('is not there where there is no Git, and the list is told of when there is', async () => {
    const window = await machine.open({ trees: { ws: TREE } });
    window.fake.git.isThere = true;
    const agent = await opened(window);
    const has = async () =>
      (await agent.request('resources/list')).result.resources.some(
        ({ uri }: never) => uri === state('changes'),
      );
    assert.equal(await has(), false);
    const { error } = await agent.request('resources/read', { uri: state('changes') });
    assert.match(error.message, /No Git repository is open/);
    assert.equal(error.code, -32602);
    assert.deepEqual((await agent.request('resources/subscribe', { uri: state('changes') })).result, {});
    window.fake.git.opens(window.fake.api.Uri.file(window.path()));
    await agent.notification(LIST_CHANGED);
    await agent.notification(UPDATED);
    assert.equal(await has(), true);
  });

  it('says alike of all kinds what is a folder, and what is not there', async () => {
    const { agent } = await busy(machine);
    for (const kind of ['problems', 'symbols', 'changes']) {
      const refusal = async (path: string) =>
        (await agent.request('resources/read', { uri: state(`${kind}/${path}`) })).error;
      const expected = { code: -32602, message: 'src is a folder. Pass the path of a file.' };
      assert.partialDeepStrictEqual(await refusal('src'), expected, kind);
      assert.equal((await refusal('none.ts')).code, -32002, kind);
    }
  });

  it('says what there is where a name is wrong', async () => {
    const window = await machine.open({ trees: { ws: TREE } });
    const agent = await opened(window);
    const { error } = await agent.request('resources/read', { uri: state('problem') });
    assert.equal(error.code, -32002);
    assert.match(error.message, /resources\/list/);
  });
});
