import assert from 'node:assert/strict';
import { activeEditor, getEditorState, openEditors } from '../../../../src/features/editor/editorState.ts';
import { Selection } from '../../../fakes/text.ts';
import { inFront } from '../editing.ts';
import { follow, listed, read } from '../resources.ts';
import { cleanUp, openWindow, type Tree, textsOf, type Window } from '../window.ts';

const TREE = { 'src/a.ts': 'const a = 1;\nconst b = 2;\n', 'b.txt': '', '.env': 'SECRET=1' };

/** A window with a file in front. */
function open(path: string, selections: Selection[], tree: Tree = TREE): Window {
  const window = openWindow(tree);
  inFront(window, path, ...selections);
  return window;
}

// biome-ignore lint/suspicious/noExplicitAny: the schema is checked by the wire tests
const stateOf = async (window: Window): Promise<any> => (await window.run(getEditorState)).structuredContent;

/** A tab beside the one of `src/a.ts`, of which VS Code says what it shows. */
function withTab(window: Window, input: object | undefined, tab: object = {}): void {
  const flags = { isActive: true, isDirty: false, isPinned: false, isPreview: false };
  window.fake.tabs.push({ ...flags, input: input as never, ...tab });
}

/** What the answer says as text. */
const textOf = async (window: Window): Promise<string> => textsOf(await window.run(getEditorState))[0] ?? '';

const CURSOR = new Selection(0, 0, 0, 0);

describe('features/editor/editorState', () => {
  afterEach(cleanUp);

  it('tells the file in front, the cursor, and what is visible: 1-based', async () => {
    const window = open('src/a.ts', [new Selection(1, 6, 1, 6)]);
    const result = await window.run(getEditorState);
    const file = { path: 'src/a.ts', language: 'typescript', unsaved: false };
    const visible = [{ startLine: 1, endLine: 2 }];
    assert.deepEqual(result.structuredContent, {
      active: { ...file, line: 2, column: 7, visible, selections: [] },
      groups: [{ active: true, tabs: [{ path: 'src/a.ts', front: true }] }],
    });
    assert.deepEqual(textsOf(result), [
      'Active file: src/a.ts (typescript), cursor 2:7, lines 1-2 visible\nTabs: src/a.ts front',
    ]);
  });

  it('tells the selections, with the cursor where it is, and that text is not saved', async () => {
    const window = open('src/a.ts', [new Selection(1, 5, 0, 6), new Selection(1, 6, 1, 7)]);
    const { active } = await stateOf(window);
    assert.deepEqual([active.line, active.column], [1, 7]);
    assert.deepEqual(active.selections, [
      { line: 1, column: 7, endLine: 2, endColumn: 6, text: 'a = 1;\nconst' },
      { line: 2, column: 7, endColumn: 8, text: 'b' },
    ]);
    const shown = /\nSelected 1:7 to 2:6:\na = 1;\nconst\nSelected 2:7 to 2:8:\nb\nTabs/;
    assert.match(await textOf(window), shown);
    Object.assign(window.fake.documents[0] ?? {}, { isDirty: true });
    assert.match(await textOf(window), /src\/a\.ts \(typescript, unsaved\)/);
  });

  it('sends no more text than helps, of fifty selections at most, and says so', async () => {
    const selections = [9_999, 20_000, ...Array(58).fill(1)].map((end) => new Selection(0, 0, 0, end));
    const window = open('b.txt', selections, { 'b.txt': `${'x'.repeat(9_999)}${'🌲'.repeat(10_000)}` });
    const { active } = await stateOf(window);
    const [whole, cut] = active.selections;
    assert.deepEqual([whole.text.length, whole.length], [9_999, undefined]);
    assert.deepEqual([cut.text.length, cut.length], [1, 20_000]);
    assert.deepEqual([active.selections.length, active.leftOut], [50, 10]);
    assert.match(await textOf(window), /\(the first 1 of 20000 characters\)[\s\S]*\n10 more selections\n/);
  });

  it('tells what each tab is', async () => {
    const window = open('src/a.ts', [CURSOR]);
    const document = window.fake.person.opensTab(window.path('b.txt'));
    window.fake.person.types(document, 'typed');
    Object.assign(window.fake.tabs[0] ?? {}, { isPinned: true });
    Object.assign(window.fake.tabs[1] ?? {}, { isDirty: true, isPreview: true });
    const { groups } = await stateOf(window);
    assert.deepEqual(groups[0].tabs, [
      { path: 'src/a.ts', front: true, pinned: true },
      { path: 'b.txt', unsaved: true, preview: true },
    ]);
    assert.match(await textOf(window), /Tabs: src\/a\.ts front pinned, b\.txt unsaved preview$/);
  });

  it('of a diff names the side that can be edited, and of other tabs nothing', async () => {
    const window = openWindow(TREE);
    const { Uri } = window.fake.api;
    const sides = { original: Uri.parse('git:/a.ts'), modified: Uri.file(window.path('src/a.ts')) };
    for (const input of [sides, { viewType: 'a web view' }, undefined])
      withTab(window, input, { isActive: false });
    assert.deepEqual((await stateOf(window)).groups, [{ active: true, tabs: [{ path: 'src/a.ts' }] }]);
    const inDiff = open('src/a.ts', [CURSOR]);
    const modified = Uri.file(inDiff.path('src/a.ts'));
    Object.assign(inDiff.fake.tabs[0] ?? {}, { input: { ...sides, modified } });
    assert.partialDeepStrictEqual((await stateOf(inDiff)).active, { path: 'src/a.ts', line: 1 });
  });

  it('names what is in front and is not shown as text, not what the keyboard was in before', async () => {
    const before = open('src/a.ts', [CURSOR]);
    Object.assign(before.fake.tabs[0] ?? {}, { isActive: false });
    withTab(before, { viewType: 'a web view' });
    assert.equal((await stateOf(before)).active, undefined);
    const window = openWindow({ 'book.ipynb': '{}' });
    withTab(window, { uri: window.fake.api.Uri.file(window.path('book.ipynb')) }, { isDirty: true });
    const result = await window.run(getEditorState);
    assert.deepEqual(result.structuredContent, {
      active: { path: 'book.ipynb', unsaved: true },
      groups: [{ active: true, tabs: [{ path: 'book.ipynb', front: true, unsaved: true }] }],
    });
    assert.match(textsOf(result)[0] ?? '', /^Active file: book\.ipynb \(not shown as text, unsaved\)\n/);
  });

  describe('with the diff of a question', () => {
    const ours = (window: Window) => {
      const modified = window.fake.api.Uri.file(window.path('b.txt'));
      return { original: modified, modified: modified.with({ scheme: 'workspace-mcp-diff' }) };
    };

    it('lists no tab for that; in front, tells what another group has in front, or of no file', async () => {
      const window = open('src/a.ts', [CURSOR]);
      withTab(window, ours(window), { viewColumn: 2 });
      assert.partialDeepStrictEqual(await stateOf(window), { active: { path: 'src/a.ts' } });
      assert.equal((await stateOf(window)).groups[0].tabs.length, 1);
      const alone = openWindow(TREE);
      withTab(alone, ours(alone));
      assert.deepEqual(await stateOf(alone), { groups: [] });
      const other = open('src/a.ts', [new Selection(1, 0, 1, 0)]);
      Object.assign(other.fake.tabs[0] ?? {}, { viewColumn: 2 });
      const { activeTextEditor } = other.fake;
      if (activeTextEditor) other.fake.otherEditors.push({ ...activeTextEditor, viewColumn: 2 });
      other.fake.activeTextEditor = undefined;
      withTab(other, ours(other));
      assert.partialDeepStrictEqual((await stateOf(other)).active, { path: 'src/a.ts', line: 2 });
    });
  });

  it('tells nothing of what is closed to agents: not its name, its text, or its place', async () => {
    const window = open('.env', [new Selection(0, 0, 0, 6)]);
    const result = await window.run(getEditorState);
    assert.deepEqual(result.structuredContent, { groups: [] });
    assert.deepEqual(textsOf(result), ['Active file: none\nTabs: none']);
  });
});

/** A window with files in tabs, the first in front. */
function withTabs(first: string, ...others: string[]) {
  const window = openWindow(TREE);
  const editor = inFront(window, first, new Selection(0, 6, 0, 7));
  for (const path of others) window.fake.person.opensTab(window.path(path));
  return { ...window, editor };
}

describe('features/editor/editorState: editors', () => {
  afterEach(cleanUp);

  it('have both halves of what get_editor_state answers, the active one first of all', async () => {
    const window = withTabs('src/a.ts', 'b.txt');
    const { structuredContent } = await window.run(getEditorState);
    const halves = {
      ...(await read(activeEditor, 'active-editor', window)),
      ...(await read(openEditors, 'open-editors', window)),
    };
    assert.deepEqual(halves, structuredContent);
    assert.match(JSON.stringify(halves), /"text":"a"/);
    const [active, open] = [await listed(activeEditor, window), await listed(openEditors, window)];
    const annotations = { audience: ['assistant', 'user'], priority: 1 };
    assert.partialDeepStrictEqual(active, [{ uri: 'editor-state:///active-editor', annotations }]);
    assert.ok((open[0]?.annotations?.priority ?? 1) < 1);
  });

  it('follow the selection, the text of the editor in front, other editors and tabs, and nothing once disposed of', () => {
    const window = withTabs('src/a.ts');
    const { person } = window.fake;
    const idle = window.fake.listeners;
    const [active, open] = [activeEditor, openEditors].map((one) => follow(one, window));
    assert.ok(active && open);
    const happenings: [happening: () => unknown, ...expected: boolean[]][] = [
      [() => person.selects(window.editor, new Selection(1, 0, 1, 1)), true, false],
      [() => person.types(window.editor.document, 'x'), true, false],
      [() => person.types(person.loads(window.path('b.txt')), 'x'), false, false], // another text
      [() => person.goesTo(undefined), true, false],
      [() => person.opensTab(window.path('b.txt')), true, true],
      [() => person.opensTab(window.path('.env')), false, false], // closed to agents
    ];
    for (const [happening, ...expected] of happenings) {
      happening();
      const heard: boolean[] = [active, open].map(({ told }) => told.splice(0).length > 0);
      assert.deepEqual(heard, expected, `${happening}`);
    }
    for (const one of [active, open]) one.dispose();
    assert.equal(window.fake.listeners, idle);
    const closed = withTabs('.env');
    const { told } = follow(activeEditor, closed);
    closed.fake.person.selects(closed.editor, new Selection(0, 0, 0, 3));
    closed.fake.person.types(closed.editor.document, 'SECRET=2');
    assert.deepEqual(told, []);
  });

  it('have one name for each spelling of a URI, none for others, and none where agents may not read', async () => {
    const { ctx } = openWindow(TREE);
    for (const uri of ['editor-state:///active-editor', 'EDITOR-STATE:/active-editor'])
      assert.equal(await activeEditor.canonical(uri, ctx), 'active-editor');
    for (const uri of ['editor-state:///active-editor/x', 'editor-state:///active', 'file:///active-editor'])
      assert.equal(activeEditor.canonical(uri, ctx), undefined, uri);
    const window = openWindow(TREE, { user: { 'workspaceMcp.access.allowedOperations': ['run'] } });
    assert.deepEqual(await listed(activeEditor, window), []);
    await assert.rejects(read(activeEditor, 'active-editor', window), /"read" is switched off/);
    const key = async () => activeEditor.canonical('editor-state:///active-editor', window.ctx);
    await assert.rejects(key, /"read" is switched off/);
  });
});
