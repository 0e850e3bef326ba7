import assert from 'node:assert/strict';
import { FakeDiagnostic, Range, Selection } from '../fakes/text.ts';
import { calling } from './calling.ts';
import { useMachine } from './harness.ts';
import type { RawAgent } from './rawAgent.ts';

const UPDATED = 'notifications/resources/updated';
const TREE = { 'src/a.ts': 'const a = 1;\n', 'b.txt': 'b', '.env': 'SECRET=hunter2' };

const state = (name: string): string => `editor-state:///${name}`;

/** The data, or the text, of a resource of the editor's state. */
async function read(agent: RawAgent, name: string) {
  const [{ mimeType, text }] = (await agent.request('resources/read', { uri: state(name) })).result.contents;
  return mimeType === 'application/json' ? JSON.parse(text) : text;
}

describe("wire: the editor's state as resources", () => {
  const machine = useMachine();

  /** A window in which there is something of each kind, of files also of one that is closed to agents. */
  async function busy() {
    const window = await machine.open({ trees: { ws: TREE } });
    const agent = await window.greeted();
    const { fake } = window;
    const repository = fake.git.opens(fake.api.Uri.file(window.path()));
    const files = ['src/a.ts', '.env'].map((file) => {
      const uri = fake.api.Uri.file(window.path(file));
      repository.committed.set(uri.fsPath, 'before\n');
      fake.person.opensTab(uri.fsPath);
      fake.person.reports(uri, [new FakeDiagnostic(new Range(0, 0, 0, 1), 'no good') as never]);
      return { uri, originalUri: uri, renameUri: undefined, status: 5 };
    });
    repository.looks(files);
    const [document] = fake.documents;
    assert.ok(document);
    Object.assign(fake.tabs[0] ?? {}, { isActive: true });
    const editor = { document, selections: [new Selection(0, 6, 0, 7)], visibleRanges: [] };
    fake.person.goesTo(editor);
    return { window, agent, fake, document, editor };
  }

  it('stands before the files in the list, behind those that are open', async () => {
    const { agent } = await busy();
    const { resources } = (await agent.request('resources/list')).result;
    const names = ['active-editor', 'changes', 'comments', 'open-editors', 'problems', 'runs', 'tasks'];
    const shown = resources.slice(0, 10).map(({ uri }: { uri: string }) => uri.replace(/^file:.*\//, ''));
    assert.deepEqual(shown, ['a.ts', ...names.map(state), state('terminals'), 'ws']);
    const { resourceTemplates } = (await agent.request('resources/templates/list')).result;
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate),
      [...['changes', 'problems', 'symbols'].map((name) => state(`${name}/{+path}`)), 'file:///{+path}'],
    );
  });

  it('is read, as the tools answer, without what is closed', async () => {
    const { agent } = await busy();
    const { active } = (await calling(agent, 'get_editor_state')).structuredContent;
    assert.deepEqual(await read(agent, 'active-editor'), { active });
    assert.match(await read(agent, 'changes/src/a.ts'), /-before\n\+const a = 1;\n/);
    for (const name of ['active-editor', 'open-editors', 'problems', 'changes'])
      assert.doesNotMatch(JSON.stringify(await read(agent, name)), /\.env|hunter2/, name);
    for (const kind of ['problems', 'symbols', 'changes'])
      for (const [path, code] of [
        ['.env', -32602],
        ['none.ts', -32002],
      ] as const) {
        const { error } = await agent.request('resources/read', { uri: state(`${kind}/${path}`) });
        assert.equal(error.code, code, `${kind}/${path}`);
      }
  });

  it('is told of to those who subscribed, each of its own, and costs nothing once nobody does', async () => {
    const { window, agent, fake, document, editor } = await busy();
    await agent.request('tools/list');
    const idle = fake.listeners;
    const names = ['active-editor', 'problems/src/a.ts', 'symbols/src/a.ts', 'terminals'];
    for (const name of names) await agent.request('resources/subscribe', { uri: state(name) });
    const told = async (expected: string[], happens: () => unknown) => {
      agent.received.length = 0;
      happens();
      for (const name of expected)
        await agent.until(({ method, params }) => method === UPDATED && params.uri === state(name));
    };
    await told(names.slice(0, 3), () => fake.person.types(document, 'const b = 2;\n'));
    await told(['active-editor'], () => fake.person.sets('workspaceMcp.access.deniedPaths', ['**/*.ts']));
    assert.deepEqual(await read(agent, 'active-editor'), {});
    const some = fake.listeners;
    for (let count = 0; count < 20; count++) {
      const uri = state(`problems/src/../${'./'.repeat(count)}b.txt`);
      await agent.request('resources/subscribe', { uri });
    }
    assert.equal(fake.listeners, some, '20 more are listened for as one');
    names.push('problems/src/../b.txt');
    for (const name of names) await agent.request('resources/unsubscribe', { uri: state(name) });
    agent.received.length = 0;
    fake.person.selects(editor, new Selection(0, 0, 0, 1));
    fake.runs.opensTerminal('zsh', fake.api.Uri.file(window.path()));
    await agent.request('ping');
    assert.ok(!agent.received.some(({ method }) => method === UPDATED));
    assert.equal(fake.listeners, idle);
  });
});
