import assert from 'node:assert/strict';
import { activeEditor, getEditorState, openEditors } from '../../../../src/features/editor/editorState.ts';
import { Selection } from '../../../fakes/text.ts';
import { inFront } from '../editing.ts';
import { follow, listed, read } from '../resources.ts';
import { cleanUp, openWindow } from '../window.ts';

const TREE = { 'src/a.ts': 'const a = 1;\nconst b = 2;\n', 'b.txt': '', '.env': 'SECRET=1' };

/** A window with files in tabs, the first in front. */
function withTabs(first: string, ...others: string[]) {
  const window = openWindow(TREE);
  const editor = inFront(window, first, new Selection(0, 6, 0, 7));
  for (const path of others) window.fake.person.opensTab(window.path(path));
  return { ...window, editor };
}

describe('features/editor/editorResources: editors', () => {
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
