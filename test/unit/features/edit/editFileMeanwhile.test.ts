import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { itWithLinks } from '../../../temporary.ts';
import { answer, asked, disk, ONCE, openUnwatched, refused } from '../editing.ts';
import { cleanUp, type Tree } from '../window.ts';

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

  it('VS Code may let go of the document: it is loaded again, as it is by then', async () => {
    const { window, document, editing } = await waiting();
    window.fake.person.closes(document);
    writeFileSync(window.path('x'), LINES.replace('z', 'end'));
    window.consent.answer(ONCE);
    await editing;
    assert.equal(disk(window, 'x'), 'b\n1\n2\n3\n4\nend\n');
  });

  itWithLinks('the file may be swapped for a link to another one', async () => {
    const { window, editing } = await waiting({ x: 'a\n', y: 'a\n' });
    rmSync(window.path('x'));
    symlinkSync(window.path('y'), window.path('x'));
    window.consent.answer(ONCE);
    await refused(editing, /x was replaced/);
    assert.equal(disk(window, 'y'), 'a\n');
  });

  const REFUSED: [what: string, happens: (waiting: Waiting) => void, why: RegExp][] = [
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
  ];
  for (const [what, happens, why] of REFUSED)
    it(what, async () => {
      const more = why.source.includes('expected') ? { expectedVersion: 1 } : {};
      const asking = await waiting({ x: 'a\n' }, more);
      const { window, document, editing } = asking;
      happens(asking);
      const texts = () => [document.getText(), existsSync(window.path('x')) && disk(window, 'x')];
      const before = texts();
      window.consent.answer(ONCE);
      await refused(editing, why);
      assert.deepEqual(texts(), before);
    });
});
