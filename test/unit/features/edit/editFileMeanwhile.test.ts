import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { CancelledError } from '../../../../src/core/errors.ts';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { itWithLinks } from '../../../temporary.ts';
import { answer, asked, disk, ONCE, openUnwatched, refused } from '../editing.ts';
import { CALL, cleanUp, openWindow, type Tree } from '../window.ts';

const LINES = 'a\n1\n2\n3\n4\nz\n';
const A_TO_B = { path: 'x', edits: [{ oldText: 'a', newText: 'b' }] };

/** An edit that waits for its answer. */
async function waiting(tree: Tree = { x: LINES }, more: object = {}) {
  const window = openUnwatched(tree);
  const document = window.fake.person.loads(window.path('x'));
  const editing = answer(window, editFile, { ...A_TO_B, ...more });
  editing.catch(() => {});
  await asked(window);
  return { window, document, editing, types: (text: string) => window.fake.person.types(document, text) };
}

type Waiting = Awaited<ReturnType<typeof waiting>>;

describe('features/edit/editFileMeanwhile: while the user decides', () => {
  afterEach(cleanUp);

  it('a call that is cancelled takes the question away and changes nothing', async () => {
    const window = openUnwatched({ x: 'a' });
    const cancel = new AbortController();
    const editing = window.run(editFile, A_TO_B, { ...CALL, signal: cancel.signal });
    await asked(window);
    cancel.abort();
    await assert.rejects(editing, CancelledError);
    assert.deepEqual([window.consent.open, disk(window, 'x')], [0, 'a']);
  });

  it('what they type elsewhere is kept, and not saved', async () => {
    const { window, document, editing, types } = await waiting();
    types(LINES.replace('z', 'typed'));
    window.consent.answer(ONCE);
    assert.match(await editing, /not saved/);
    assert.deepEqual([document.getText(), disk(window, 'x')], ['b\n1\n2\n3\n4\ntyped\n', LINES]);
  });

  it('they may type faster than VS Code takes the edit: it is tried until they pause', async () => {
    const { window, document, editing, types } = await waiting();
    let typed = '';
    window.fake.beforeEdit = () => {
      if (typed.length === 60) return;
      typed += 'x';
      types(LINES.replace('z', typed));
    };
    window.consent.answer(ONCE);
    assert.match(await editing, /not saved/);
    assert.equal(document.getText(), `b\n1\n2\n3\n4\n${'x'.repeat(60)}\n`);
  });

  it('what they have agreed to may become something else: they are asked again, with what it is now', async () => {
    const { window, document, editing, types } = await waiting();
    types(`unless\n${LINES}`);
    window.consent.answer(ONCE);
    await asked(window, 2);
    assert.deepEqual(document.getText(), `unless\n${LINES}`);
    const [first, second] = window.consent.questions;
    assert.deepEqual([first?.again, second?.again], [undefined, true]);
    assert.equal(second?.diffs?.[0]?.before, `unless\n${LINES}`);
    window.consent.answer(ONCE);
    await editing;
    assert.match(document.getText(), /^unless\nb\n/);
  });

  it('and may allow all that is to come, whatever it is by then', async () => {
    const { window, document, editing, types } = await waiting();
    types(`first\n${LINES}`);
    window.consent.answer({ allow: 'session' });
    await editing;
    assert.match(document.getText(), /^first\nb\n/);
    assert.equal(window.consent.questions.length, 1);
  });

  it('VS Code may let go of the document: it is loaded again, as it is by then', async () => {
    const { window, document, editing } = await waiting();
    window.fake.person.closes(document);
    writeFileSync(window.path('x'), LINES.replace('z', 'end'));
    window.consent.answer(ONCE);
    await editing;
    assert.equal(disk(window, 'x'), 'b\n1\n2\n3\n4\nend\n');
  });

  it('VS Code may let go of the document even while it edits: the one that has the edit is saved', async () => {
    const { window, document, editing } = await waiting();
    window.fake.beforeEdit = () => document.isClosed || window.fake.person.closes(document);
    window.consent.answer(ONCE);
    assert.match(await editing, /, saved\./);
    assert.equal(disk(window, 'x'), LINES.replace('a', 'b'));
  });

  it('they may switch edits off, or allow them: that answers the question', async () => {
    for (const value of ['deny', 'allow']) {
      const { window, editing } = await waiting({ x: 'a\n' });
      window.fake.person.sets('workspaceMcp.approvals', { edit: value });
      if (value === 'allow') await editing;
      else await refused(editing, /switched "edit" off/);
      assert.deepEqual([window.consent.open, disk(window, 'x')], [0, value === 'allow' ? 'b\n' : 'a\n']);
    }
  });

  it('another edit, of what was allowed before, goes on', async () => {
    const { window, editing } = await waiting({ x: 'a\n', y: 'a\n' });
    window.consent.always = ['edit'];
    await answer(window, editFile, { ...A_TO_B, path: 'y' });
    assert.equal(disk(window, 'y'), 'b\n');
    window.consent.answer(ONCE);
    await editing;
  });

  const REFUSED: [what: string, happens: (waiting: Waiting) => void, why: RegExp, needsLinks?: true][] = [
    ['the text may become one that the edit does not fit', ({ types }) => types('a a\n'), /more than once/],
    [
      'the text may become another version than the one that the agent has named',
      ({ types }) => types('a, more\n'),
      /version 2, expected 1/,
    ],
    [
      'the file may be deleted: it does not come back',
      ({ window }) => rmSync(window.path('x')),
      /x is no longer on the disk/,
    ],
    [
      'the file may be closed to agents',
      ({ window }) => window.fake.person.sets('workspaceMcp.access.deniedPaths', ['x']),
      /closed to agents/,
    ],
    [
      'editing may be switched off',
      ({ window }) => window.fake.person.sets('workspaceMcp.access.allowedOperations', ['read']),
      /"edit" is switched off/,
    ],
    [
      'the file may be swapped for a link to another one',
      ({ window }) => swap(window.path('x'), window.path('y')),
      /x was replaced/,
      true,
    ],
    [
      'the file may be swapped for a link that leads outside',
      ({ window }) => swap(window.path('x'), openWindow({ target: 'a\n' }).path('target')),
      /outside the workspace folders/,
      true,
    ],
  ];
  for (const [what, happens, why, needsLinks] of REFUSED)
    (needsLinks ? itWithLinks : it)(what, async () => {
      const more = why.source.includes('expected') ? { expectedVersion: 1 } : {};
      const asking = await waiting({ x: 'a\n', y: 'a\n' }, more);
      const { window, document, editing } = asking;
      happens(asking);
      const texts = () => [
        document.getText(),
        existsSync(window.path('x')) && disk(window, 'x'),
        disk(window, 'y'),
      ];
      const before = texts();
      window.consent.answer(ONCE);
      await refused(editing, why);
      assert.deepEqual(texts(), before);
    });

  function swap(file: string, target: string): void {
    rmSync(file);
    symlinkSync(target, file);
  }
});
