import assert from 'node:assert/strict';
import { getEditorState } from '../../../src/features/tools/getEditorState.ts';
import { Range, Selection } from '../../fakes/text.ts';
import { cleanUp, openWindow, type Tree, textsOf, type Window } from './window.ts';

const TREE = { 'src/a.ts': 'const a = 1;\nconst b = 2;\n', 'b.txt': '', '.env': 'SECRET=1' };

/** A window with a file in front. */
function inFront(path: string, selections: Selection[], tree: Tree = TREE): Window {
  const window = openWindow(tree);
  const document = window.fake.person.opensTab(window.path(path));
  Object.assign(window.fake.tabs[0] ?? {}, { isActive: true });
  window.fake.activeTextEditor = { document, selections, visibleRanges: [new Range(0, 0, 1, 5)] };
  return window;
}

// biome-ignore lint/suspicious/noExplicitAny: the schema is checked by the wire tests
const stateOf = async (window: Window): Promise<any> => (await window.run(getEditorState)).structuredContent;

describe('features/tools/getEditorState', () => {
  afterEach(cleanUp);

  it('tells the file in front, the cursor, and what is visible: 1-based', async () => {
    const window = inFront('src/a.ts', [new Selection(1, 6, 1, 6)]);
    const result = await window.run(getEditorState);
    assert.deepEqual(result.structuredContent, {
      active: {
        path: 'src/a.ts',
        language: 'typescript',
        unsaved: false,
        line: 2,
        column: 7,
        visible: [{ startLine: 1, endLine: 2 }],
        selections: [],
      },
      groups: [{ active: true, tabs: [{ path: 'src/a.ts', front: true }] }],
    });
    assert.deepEqual(textsOf(result), [
      'In front: src/a.ts (typescript), cursor 2:7, lines 1-2 visible\nTabs: src/a.ts front',
    ]);
  });

  it('tells the selections, with the cursor where it is', async () => {
    const window = inFront('src/a.ts', [new Selection(1, 5, 0, 6), new Selection(1, 6, 1, 7)]);
    const { active } = await stateOf(window);
    assert.deepEqual([active.line, active.column], [1, 7]);
    assert.deepEqual(active.selections, [
      { line: 1, column: 7, endLine: 2, endColumn: 6, text: 'a = 1;\nconst' },
      { line: 2, column: 7, endColumn: 8, text: 'b' },
    ]);
    assert.match(
      textsOf(await window.run(getEditorState))[0] ?? '',
      /\nSelected 1:7 to 2:6:\na = 1;\nconst\nSelected 2:7 to 2:8:\nb\nTabs/,
    );
  });

  it('sends no more text than helps, and says so', async () => {
    const window = inFront('b.txt', [new Selection(0, 0, 0, 9_999), new Selection(0, 0, 0, 20_000)], {
      'b.txt': `${'x'.repeat(9_999)}${'🌲'.repeat(10_000)}`,
    });
    const { active } = await stateOf(window);
    assert.deepEqual(
      active.selections.map(({ text, length }: { text: string; length?: number }) => [text.length, length]),
      [
        [9_999, undefined],
        [1, 20_000],
      ],
    );
    assert.match(textsOf(await window.run(getEditorState))[0] ?? '', /\(the first 1 of 20000 characters\)/);
  });

  it('sends fifty selections at most', async () => {
    const window = inFront(
      'src/a.ts',
      Array.from({ length: 60 }, () => new Selection(0, 0, 0, 1)),
    );
    const { active } = await stateOf(window);
    assert.deepEqual([active.selections.length, active.leftOut], [50, 10]);
    assert.match(textsOf(await window.run(getEditorState))[0] ?? '', /\n10 more selections\n/);
  });

  it('tells what each tab is', async () => {
    const window = inFront('src/a.ts', [new Selection(0, 0, 0, 0)]);
    const document = window.fake.person.opensTab(window.path('b.txt'));
    window.fake.person.types(document, 'typed');
    Object.assign(window.fake.tabs[0] ?? {}, { isPinned: true });
    Object.assign(window.fake.tabs[1] ?? {}, { isDirty: true, isPreview: true });
    const { groups } = await stateOf(window);
    assert.deepEqual(groups[0].tabs, [
      { path: 'src/a.ts', front: true, pinned: true },
      { path: 'b.txt', unsaved: true, preview: true },
    ]);
    assert.match(
      textsOf(await window.run(getEditorState))[0] ?? '',
      /Tabs: src\/a\.ts front pinned, b\.txt unsaved preview$/,
    );
  });

  it('of a diff names the side that can be edited, and of other tabs nothing', async () => {
    const window = openWindow(TREE);
    const { Uri } = window.fake.api;
    const flags = { isActive: false, isDirty: false, isPinned: false, isPreview: false };
    const inputs = [
      { original: Uri.parse('git:/a.ts'), modified: Uri.file(window.path('src/a.ts')) },
      { viewType: 'a web view' },
      undefined,
    ];
    window.fake.tabs.push(...inputs.map((input) => ({ ...flags, input: input as never })));
    assert.deepEqual((await stateOf(window)).groups, [{ active: true, tabs: [{ path: 'src/a.ts' }] }]);
  });

  it('tells nothing of what is closed to agents: not its name, its text, or its place', async () => {
    const window = inFront('.env', [new Selection(0, 0, 0, 6)]);
    const result = await window.run(getEditorState);
    assert.deepEqual(result.structuredContent, { groups: [] });
    assert.deepEqual(textsOf(result), ['In front: no file\nTabs: none']);
  });

  it('shows that text is not saved', async () => {
    const window = inFront('src/a.ts', [new Selection(0, 0, 0, 0)]);
    window.fake.documents.forEach((document) => {
      document.isDirty = true;
    });
    assert.match(textsOf(await window.run(getEditorState))[0] ?? '', /src\/a\.ts \(typescript, unsaved\)/);
  });

  it('without an editor tells that there is none', async () =>
    assert.deepEqual(await stateOf(openWindow(TREE)), { groups: [] }));
});
