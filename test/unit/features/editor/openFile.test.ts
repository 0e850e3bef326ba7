import assert from 'node:assert/strict';
import { openFile } from '../../../../src/features/editor/openFile.ts';
import { type Range, Selection } from '../../../fakes/text.ts';
import { CALL, cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const LAST = Number.MAX_SAFE_INTEGER;

/** Columns of VS Code. */
const [ACTIVE, BESIDE] = [-1, -2];

describe('features/editor/openFile', () => {
  afterEach(cleanUp);

  it('shows a file, a line, a column or lines, and leaves the keyboard where it is', async () => {
    const window = openWindow({ 'src/a.ts': '1\n2\n3\n' });
    for (const [args, selection, text] of [
      [{}, undefined, 'src/a.ts is open.'],
      [{ line: 3 }, [2, 0, 2, 0], 'src/a.ts is open at line 3.'],
      [{ line: 3, column: 5 }, [2, 4, 2, 4], 'src/a.ts is open at line 3.'],
      [{ line: 1, endLine: 3 }, [0, 0, 2, LAST], 'src/a.ts is open at line 1.'],
    ] as const) {
      assert.deepEqual(textsOf(await window.run(openFile, { path: 'src/a.ts', ...args })), [text]);
      const run = window.fake.commandsRun.pop();
      assert.deepEqual([run?.command, `${run?.args[0]}`], ['vscode.open', window.uri('src/a.ts')]);
      const options = run?.args[1] as Record<string, Range>;
      assert.partialDeepStrictEqual(options, { preserveFocus: true, preview: false, viewColumn: ACTIVE });
      assert.deepEqual(options.selection && numbersOf(options.selection), selection);
    }
  });

  /** An editor in sight, and what becomes of it. */
  const editorOf = (window: Window, path: string, viewColumn?: number) => {
    const document = window.fake.person.opensTab(window.path(path));
    Object.assign(window.fake.tabs.at(-1) ?? {}, { isActive: true, viewColumn });
    const revealed: Range[] = [];
    const selection = new Selection(0, 0, 0, 0);
    return { document, viewColumn, selection, revealed, revealRange: (it: Range) => revealed.push(it) };
  };
  const opened = (window: Window) => window.fake.commandsRun.map(({ args }) => args[1]);

  it('shows a file beside what is open: that keeps its place in front, as a question does', async () => {
    const window = openWindow({ a: '', b: '' });
    window.fake.activeTextEditor = editorOf(window, 'b', 1) as never;
    await window.run(openFile, { path: 'a' });
    const beside = { preserveFocus: true, preview: false, viewColumn: BESIDE, background: false };
    assert.deepEqual(opened(window), [beside]);
    const input = { viewType: 'mainThreadWebview-workspaceMcp.question' };
    window.fake.tabs.push({ input, isActive: true, viewColumn: 2 } as never);
    await window.run(openFile, { path: 'a' });
    assert.partialDeepStrictEqual(opened(window)[1], { viewColumn: BESIDE, background: true });
  });

  it('selects in an editor that is in sight, and opens no other, but only reveals where the person may be typing', async () => {
    const window = openWindow({ a: '1\n2\n', b: '' });
    window.fake.activeTextEditor = editorOf(window, 'b', 1) as never;
    const editor = editorOf(window, 'a', 2);
    window.fake.otherEditors.push(editor as never);
    await window.run(openFile, { path: 'a', line: 2, endLine: 2 });
    const seen = ({ revealed, selection }: typeof editor) => [revealed.map(numbersOf), numbersOf(selection)];
    assert.deepEqual(seen(editor), [[[1, 0, 1, LAST]], [1, 0, 1, LAST]]);
    // The person may be typing there: the cursor stays.
    const typing = editorOf(window, 'a', 2);
    Object.assign(window.fake, { activeTextEditor: typing, otherEditors: [] });
    await window.run(openFile, { path: 'a', line: 2 });
    assert.deepEqual(seen(typing), [[[1, 0, 1, 0]], [0, 0, 0, 0]]);
    assert.deepEqual(opened(window), []);
  });

  it('opens nothing for an image, or a notebook, that is in sight, but for what is a side of a diff only', async () => {
    const window = openWindow({ a: '', b: '', 'a.png': '' });
    editorOf(window, 'a.png', 2);
    await window.run(openFile, { path: 'a.png' });
    assert.deepEqual(opened(window), []);
    editorOf(window, 'b');
    const side = editorOf(window, 'a');
    window.fake.tabs.pop();
    window.fake.otherEditors.push(side as never);
    await window.run(openFile, { path: 'a' });
    assert.partialDeepStrictEqual(opened(window), [{ viewColumn: BESIDE }]);
  });

  it('opens no folder, no secret, and no lines that are none', async () => {
    const window = openWindow({ 'src/a.ts': '', '.env': '' });
    const path = 'src/a.ts';
    for (const [args, message] of [
      [{ path: 'src' }, /src is not a file/],
      [{ path: '.env' }, /closed to agents/],
      [{ path, line: 99 }, /src\/a\.ts has 1 lines; line 99/],
      [{ path, line: 3, endLine: 2 }, /endLine 2 is before line 3/],
      [{ path, endLine: 2 }, /endLine needs line/],
      [{ path, column: 2 }, /column needs line/],
      [{}, /Pass either path or places/],
      [{ path, places: [{ path, line: 1, note: 'x' }] }, /Pass either path or places/],
    ] as const)
      await assert.rejects(window.run(openFile, args), message);
    assert.deepEqual(window.fake.commandsRun, []);
  });

  it('shows notes at several places instead of those that the agent showed before, and opens the first', async () => {
    const window = openWindow({ a: '1\n2\n3\n', b: '1\n', '.env': '' });
    const show = (places: object[], as = window.ctx) => window.run(openFile, { places }, CALL, as);
    const shown = () =>
      window.comments.threads.map(({ uri, lines, isShown, comments }) => [
        `${uri}`.slice(-1),
        ...lines,
        isShown,
        ...comments.map(({ agent, text }) => `${agent}: ${text}`),
      ]);
    const note = 'x';
    const result = await show([
      { path: 'a', line: 2, endLine: 3, note: 'begins\u202e' },
      { path: 'b', line: 1, note: 'ends' },
    ]);
    assert.deepEqual(textsOf(result), ['2 notes are shown; a is open at line 2.']);
    assert.deepEqual(shown(), [
      ['a', 2, 3, true, 'agent: begins\\u{202e}'],
      ['b', 1, 1, true, 'agent: ends'],
    ]);
    assert.equal(window.fake.commandsRun.length, 1);
    const [run] = window.fake.commandsRun;
    assert.equal(`${run?.args[0]}`, window.uri('a'));
    assert.partialDeepStrictEqual(run?.args[1], { preserveFocus: true });
    await show([{ path: 'b', line: 2, note }], window.another);
    await assert.rejects(
      show([
        { path: 'b', line: 1, note },
        { path: '.env', line: 1, note },
      ]),
      /closed/,
    );
    assert.equal(window.comments.threads.length, 3, 'nothing of what cannot be shown as a whole');
    for (let count = 0; count < 3; count++) await show(Array(20).fill({ path: 'a', line: 1, note }));
    assert.equal(window.comments.threads.length, 21);
    assert.deepEqual(shown().slice(0, 2), [
      ['b', 2, 2, true, 'other: x'],
      ['a', 1, 1, true, 'agent: x'],
    ]);
  });
});

/** 0-based. */
const numbersOf = ({ start, end }: Range) => [start.line, start.character, end.line, end.character];
