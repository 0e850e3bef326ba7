import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { editNotebook } from '../../../../src/features/edit/editNotebook.ts';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeNotebook } from '../../../fakes/notebooks.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { allowing, answer, disk, ONCE, refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';

const code = (id: string, source: string) => ({ cell_type: 'code', id, metadata: {}, source, outputs: [] });
const BOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [{ cell_type: 'markdown', id: 'a', source: '# A' }, code('b', 'b'), code('c', 'c'), code('d', 'd')],
};

const open = (options: Partial<FakeOptions> = {}): Window =>
  allowing({ 'n.ipynb': JSON.stringify(BOOK) }, options);

const edit = (window: Window, ...edits: object[]) => answer(window, editNotebook, { path: 'n.ipynb', edits });
const cells = (window: Window): typeof BOOK.cells => JSON.parse(disk(window, 'n.ipynb')).cells;
const sources = (window: Window) => cells(window).map(({ source }) => source);
const notebook = (window: Window) => window.fake.notebooks[0] as FakeNotebook;
const texts = (window: Window) =>
  notebook(window)
    .getCells()
    .map(({ document }) => document.getText());

const DELETE = { action: 'delete', cell: 1 };
/** So that VS Code has it open. */
const preview = (window: Window) =>
  answer(window, editNotebook, { path: 'n.ipynb', edits: [DELETE], dryRun: true });

describe('features/edit/editNotebook', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('applies edits in order, by number and by id, and saves', async () => {
    const window = open();
    const said = await edit(
      window,
      { action: 'insert', cell: 1, source: 'first' },
      { action: 'replace', id: 'c', source: 'C' },
      { action: 'move', id: 'd', to: 2 },
      { action: 'delete', cell: 4 },
      { action: 'insert', kind: 'markdown', source: '# End' },
    );
    assert.match(said, /^n\.ipynb: 5 cell edits, version \d+, saved\.\nNo problems\.$/);
    assert.deepEqual(sources(window), ['first', 'd', '# A', 'C', '# End']);
    const ids = cells(window).map(({ id }) => id);
    assert.deepEqual(ids.slice(1, 4), ['d', 'a', 'c']);
  });

  it('shows the user the cells before and after, changes nothing if denied, and asks again if they changed meanwhile', async () => {
    const window = open();
    window.consent.answers.push({ deny: 'no' });
    await refused(edit(window, { action: 'replace', cell: 2, source: 'x' }), /denied this call/);
    const [question] = window.consent.questions.splice(0);
    assert.match(question?.diffs?.[0]?.after ?? '', /--- cell \(code, python\)\nx\n\n--- cell/);
    assert.deepEqual(sources(window), ['# A', 'b', 'c', 'd']);
    window.consent.otherwise = () => {
      window.consent.otherwise = () => ONCE;
      window.fake.person.types(notebook(window).cellAt(1).document, 'typed');
      return ONCE;
    };
    const said = await edit(window, { action: 'delete', cell: 2 });
    assert.match(said, /not saved: the file has other unsaved changes/);
    const [first, second] = window.consent.questions;
    assert.deepEqual([first?.again, second?.again], [undefined, true]);
    assert.match(second?.diffs?.[0]?.before ?? '', /typed/);
    assert.equal(notebook(window).cellCount, 3);
  });

  it('is reverted if it cannot be saved', async () => {
    const window = open();
    await preview(window);
    notebook(window).isSavable = false;
    await refused(edit(window, DELETE), /could not save n\.ipynb.*reverted/);
    assert.deepEqual(texts(window), ['# A', 'b', 'c', 'd']);
  });

  it('says which edit does not fit, and changes nothing', async () => {
    const window = open();
    for (const [bad, why] of [
      [{ action: 'delete', cell: 4 }, /edit 2 names cell 4, but the notebook has 3 then/],
      [{ action: 'replace', id: 'zz', source: '' }, /edit 2 names cell "zz"/],
      [{ action: 'move', cell: 1 }, /edit 2 has no "to"/],
      [{ action: 'delete' }, /edit 2 names no cell/],
    ] as const)
      await refused(edit(window, DELETE, bad), why);
    await refused(edit(window, { action: 'move', cell: 1, to: 1 }), /Nothing would change/);
    writeFileSync(window.path('x.txt'), 'x');
    const other = answer(window, editNotebook, { path: 'x.txt', edits: [DELETE] });
    await refused(other, /cannot open x\.txt as a notebook/);
    assert.deepEqual(window.consent.questions, []);
  });

  it('waits until VS Code has what another program wrote, but not forever', async () => {
    const window = open();
    const before = disk(window, 'n.ipynb');
    await preview(window);
    writeFileSync(window.path('n.ipynb'), JSON.stringify({ ...BOOK, cells: [] }));
    const edited = edit(window, DELETE);
    await clock.passWait(50);
    writeFileSync(window.path('n.ipynb'), before); // both are the same again, as after a reload
    await clock.settle(edited, 50);
    assert.deepEqual(sources(window), ['b', 'c', 'd']);
    writeFileSync(window.path('n.ipynb'), JSON.stringify({ ...BOOK, cells: [] }));
    await refused(clock.settle(edit(window, DELETE), 50), /has not reloaded it yet/);
  });

  it('edits again where VS Code was reading the file, and put its cells over the edit', async () => {
    const window = open();
    await preview(window);
    const book = notebook(window);
    const apply = book.apply.bind(book);
    book.apply = (edits) => {
      book.apply = apply;
      apply(edits);
      book.reload();
    };
    assert.match(await edit(window, DELETE), /1 cell edit, version \d+, saved\.\nNo problems\.$/);
    assert.deepEqual(sources(window), ['b', 'c', 'd']);
  });

  it('says so where saving takes the edit back, as a formatter may, and edits no more than twice', async () => {
    const window = open();
    await preview(window);
    const book = notebook(window);
    let saves = 0;
    book.save = async () => {
      saves++;
      book.reload();
      return true;
    };
    assert.match(await edit(window, DELETE), /saved\.\nVS Code changed more of the notebook while saving it/);
    assert.equal(saves, 2);
  });

  it('leaves cells with redacted text alone', async () => {
    const redact = { 'workspaceMcp.access.redact': ['(?<=b\\s\\W*)c'] };
    const window = open({ user: redact } as never);
    for (const [one, why] of [
      [{ action: 'replace', cell: 3, source: 'x' }, /cell 3 contains redacted text/],
      [{ action: 'insert', cell: 3, source: 'x' }, /would no longer be redacted/],
      [{ action: 'replace', cell: 1, source: '[redacted]' }, /placeholder/],
    ] as const)
      await refused(edit(window, one), why);
    assert.deepEqual(window.consent.questions, []);
  });
});
