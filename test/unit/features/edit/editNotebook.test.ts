import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../../../src/access/consent/types.ts';
import { editNotebook } from '../../../../src/features/edit/editNotebook.ts';
import type { FakeNotebook } from '../../../fakes/notebooks.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../window.ts';

const ONCE: Answer = { allow: 'once' };

const code = (id: string, source: string) => ({ cell_type: 'code', id, metadata: {}, source, outputs: [] });
const BOOK = {
  ...{ nbformat: 4, nbformat_minor: 5, metadata: {} },
  cells: [{ cell_type: 'markdown', id: 'a', source: '# A' }, code('b', 'b'), code('c', 'c'), code('d', 'd')],
};

function open(options: Partial<FakeOptions> = {}, ...answers: Answer[]): Window {
  const window = openWindow({ 'n.ipynb': JSON.stringify(BOOK) }, options);
  window.ctx.language.ofShown = async () => ({ diagnostics: [], state: 'checked' });
  window.consent.answers.push(...answers);
  return window;
}

const edit = (window: Window, ...edits: object[]) => window.run(editNotebook, { path: 'n.ipynb', edits });
const disk = (window: Window) => JSON.parse(readFileSync(window.path('n.ipynb'), 'utf8')) as typeof BOOK;
const sources = (window: Window) => disk(window).cells.map(({ source }) => source);
const notebook = (window: Window) => window.fake.notebooks[0] as FakeNotebook;

describe('features/edit/editNotebook', () => {
  afterEach(cleanUp);

  it('applies edits in order, by number and by id, and saves', async () => {
    const window = open({}, ONCE);
    const edits = [
      { action: 'insert', cell: 1, source: 'first' },
      { action: 'replace', id: 'c', source: 'C' },
      { action: 'move', id: 'd', to: 2 },
      { action: 'delete', cell: 4 },
      { action: 'insert', kind: 'markdown', source: '# End' },
    ];
    const [said] = textsOf(await edit(window, ...edits));
    assert.match(said ?? '', /^n\.ipynb: 5 cell edits, version \d+, saved\.\nNo problems\.$/);
    assert.deepEqual(sources(window), ['first', 'd', '# A', 'C', '# End']);
    assert.deepEqual(
      disk(window)
        .cells.map(({ id }) => id)
        .slice(1, 4),
      ['d', 'a', 'c'],
    );
  });

  it('shows the user the cells before and after, and changes nothing if denied', async () => {
    const window = open({}, { deny: 'no' });
    await assert.rejects(edit(window, { action: 'replace', cell: 2, source: 'x' }), /denied this edit/);
    const [question] = window.consent.questions;
    assert.match(question?.diffs?.[0]?.after ?? '', /--- cell \(code, python\)\nx\n\n--- cell/);
    assert.deepEqual(sources(window), ['# A', 'b', 'c', 'd']);
  });

  it('asks again if the cells changed meanwhile', async () => {
    const window = open();
    const editing = edit(window, { action: 'delete', cell: 2 });
    while (window.consent.open === 0) await new Promise(setImmediate);
    window.fake.person.types(notebook(window).cellAt(1).document, 'typed');
    window.consent.answers.push(ONCE);
    window.consent.answer(ONCE);
    const [said] = textsOf(await editing);
    assert.match(said ?? '', /not saved: the file has other unsaved changes/);
    assert.deepEqual(
      window.consent.questions.map(({ again }) => again),
      [undefined, true],
    );
    assert.match(window.consent.questions[1]?.diffs?.[0]?.before ?? '', /typed/);
    assert.equal(notebook(window).cellCount, 3);
  });

  it('is reverted if it cannot be saved', async () => {
    const window = open({}, ONCE);
    await window.run(editNotebook, { path: 'n.ipynb', edits: [{ action: 'delete', cell: 1 }], dryRun: true });
    notebook(window).isSavable = false;
    await assert.rejects(edit(window, { action: 'delete', cell: 1 }), /could not save n\.ipynb.*reverted/);
    assert.deepEqual(
      notebook(window)
        .getCells()
        .map(({ document }) => document.getText()),
      ['# A', 'b', 'c', 'd'],
    );
  });

  it('says which edit does not fit, and changes nothing', async () => {
    const window = open();
    const good = { action: 'delete', cell: 1 };
    for (const [bad, why] of [
      [{ action: 'delete', cell: 4 }, /edit 2 names cell 4, but the notebook has 3 then/],
      [{ action: 'replace', id: 'zz', source: '' }, /edit 2 names cell "zz"/],
      [{ action: 'move', cell: 1 }, /edit 2 has no "to"/],
      [{ action: 'delete' }, /edit 2 names no cell/],
    ] as const)
      await assert.rejects(edit(window, good, bad), why);
    await assert.rejects(edit(window, { action: 'move', cell: 1, to: 1 }), /Nothing would change/);
    assert.deepEqual(window.consent.questions, []);
  });

  it('waits until VS Code has what another program wrote', async () => {
    const window = open({}, ONCE);
    const before = readFileSync(window.path('n.ipynb'));
    await window.run(editNotebook, { path: 'n.ipynb', edits: [{ action: 'delete', cell: 1 }], dryRun: true });
    writeFileSync(window.path('n.ipynb'), JSON.stringify({ ...BOOK, cells: [] }));
    const edited = edit(window, { action: 'delete', cell: 1 });
    await delay(100);
    writeFileSync(window.path('n.ipynb'), before); // both are the same again, as after a reload
    await edited;
    assert.deepEqual(sources(window), ['b', 'c', 'd']);
  });

  it('waits for no reload forever, and refuses what is no notebook', async () => {
    const window = open();
    await window.run(editNotebook, { path: 'n.ipynb', edits: [{ action: 'delete', cell: 1 }], dryRun: true });
    writeFileSync(window.path('n.ipynb'), JSON.stringify({ ...BOOK, cells: [] }));
    await assert.rejects(edit(window, { action: 'delete', cell: 1 }), /has not reloaded it yet/);
    writeFileSync(window.path('x.txt'), 'x');
    const edits = [{ action: 'delete', cell: 1 }];
    await assert.rejects(
      window.run(editNotebook, { path: 'x.txt', edits }),
      /cannot open x\.txt as a notebook/,
    );
  });

  it('leaves cells with redacted text alone', async () => {
    const redact = { 'workspaceMcp.access.redact': ['(?<=b\\s\\W*)c'] };
    const window = open({ user: redact } as never);
    const refused = (why: RegExp, ...edits: object[]) => assert.rejects(edit(window, ...edits), why);
    await refused(/cell 3 contains redacted text/, { action: 'replace', cell: 3, source: 'x' });
    await refused(/would no longer be redacted/, { action: 'insert', cell: 3, source: 'x' });
    await refused(/placeholder/, { action: 'replace', cell: 1, source: '[redacted]' });
    assert.deepEqual(window.consent.questions, []);
  });
});
