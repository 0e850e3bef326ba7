import assert from 'node:assert/strict';
import { FakeDiagnostic, Range, Selection } from '../fakes/text.ts';
import { type TestWindow, useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const UPDATED = 'notifications/resources/updated';
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
    for (const kind of ['problems', 'symbols', 'changes'])
      for (const [path, code] of [
        ['.env', -32602],
        ['src', -32602],
        ['none.ts', -32002],
      ] as const) {
        const { error } = await agent.request('resources/read', { uri: state(`${kind}/${path}`) });
        assert.equal(error.code, code, `${kind}/${path}`);
      }
  });

  it('is told of to those who subscribed, each of its own', async () => {
    const { window, agent, fake, repository, changed, document, editor, terminal, task } =
      await busy(machine);
    const names = ['active-editor', 'open-editors', 'problems', 'problems/src/a.ts', 'symbols/src/a.ts'];
    names.push('changes', 'changes/src/a.ts', 'tasks', 'terminals');
    for (const name of names)
      assert.deepEqual((await agent.request('resources/subscribe', { uri: state(name) })).result, {}, name);
    const told = async (expected: string[], happens: () => unknown) => {
      agent.received.length = 0;
      happens();
      for (const name of expected)
        await agent.until(({ method, params }) => method === UPDATED && params.uri === state(name));
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
    await told(['active-editor', 'open-editors'], () =>
      fake.person.sets('workspaceMcp.access.deniedPaths', ['**/*.ts']),
    );
    assert.deepEqual(await read(agent, 'active-editor'), {});
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
});
