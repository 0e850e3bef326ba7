import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { noteBehind } from '../../../../src/workspace/edit/behind.ts';
import { BASE, cleanUp, openFile } from './reviewed.ts';

const vscode = await import('vscode');
const { handleFiles, reverting } = await import('../../../../src/ui/review/handling.ts');

describe('ui/review/handling: reverting', () => {
  afterEach(cleanUp);

  it('each file is counted at once, without a look at the others', async () => {
    const { changed, edits, now, record, uri, look } = openFile();
    edits(1, ['b', 'B'], ['f', 'F']);
    const other = { uri: uri.with({ path: `${uri.path}.gone` }), path: 'other.txt' };
    record(1, { type: 'edit', ...other, before: 'x', after: 'y' });
    const handling = reverting(changed);
    const here = await look();
    assert.ok(here?.changes[0]);
    await handling.change(here, here.changes[0]);
    assert.deepEqual([now(), changed.list().length], [BASE.replace('f', 'F'), 2]);
    await handling.steps(here.file, here.file.steps);
    assert.deepEqual([now(), changed.list().map(({ path }) => path)], [BASE, ['other.txt']]);
  });
});

describe('ui/review/handling: unsaved text that is behind the disk', () => {
  afterEach(cleanUp);

  it('has no marks of what it lacks; the file stays listed, and is reverted once the text is saved or reverted', async () => {
    const { changed, record, uri, look, types, document, journal } = openFile('a\nb\nb\n');
    const [before, after] = ['a\nb\nb\n', 'a\nb\nb\nN\n}\n'];
    types('b\nb', 'b\n}');
    writeFileSync(uri.fsPath, after);
    const { deeds } = record(1, { type: 'edit', uri, path: 'a.txt', before, after });
    noteBehind({ vscode, journal }, deeds);
    const here = await look();
    assert.deepEqual([here?.changes, here?.original, changed.list().length], [[], before, 1]);
    const reverts = () => handleFiles(reverting(changed), changed.list());
    await assert.rejects(reverts(), /“a\.txt” has unsaved text, or has changed since\./);
    document.reload();
    document.isDirty = false;
    await reverts();
    assert.deepEqual([readFileSync(uri.fsPath, 'utf8'), changed.list()], [before, []]);
  });
});

const { agentChanges, without, withoutChanges } = await import('../../../../src/ui/review/agentChanges.ts');
const { allPresent } = await import('../../../../src/ui/review/present.ts');
const { changesRow, reviewRowsIn } = await import('../../../../src/ui/review/rows.ts');

describe('ui/review/handling: keeping', () => {
  afterEach(cleanUp);

  it('one change of a call is no longer marked or reverted; the others are, in this file and later', async () => {
    const file = openFile();
    file.edits(1, ['b', 'B'], ['d', 'D'], ['f', 'F']);
    await file.keeps(3);
    assert.deepEqual(await file.marks(), ['1 1', '5 1']);
    assert.equal(await file.reverted(), BASE.replace('d', 'D'));
    file.edits(2, ['D', 'DD'], ['a', 'A']);
    assert.deepEqual(await file.marks(), ['0 2', '3 2', '5 1']);
    assert.equal(await file.reverted(), BASE.replace('d', 'D'));
    file.types('g', 'G');
    await file.keeps(5);
    assert.equal(await file.reverted(), BASE.replace('d', 'D').replace('f', 'F').replace('g', 'G'));
  });

  it('added and removed lines are kept too, and the last change takes the file off the list', async () => {
    const file = openFile();
    file.edits(1, ['a\n', 'a\nnew\n'], ['d\n', ''], ['g\n', 'g\nend\n']);
    assert.deepEqual(await file.marks(), ['1 1', '4 1', '7 1']);
    await file.keeps(4);
    assert.deepEqual(await file.marks(), ['1 1', '7 1']);
    await file.keeps(1);
    await file.keeps(7);
    assert.deepEqual([await file.marks(), file.changed.list(), file.file()], [[], [], undefined]);
  });

  it('lines of two agents are kept of both; all of one agent leaves the other', async () => {
    const file = openFile();
    file.edits(1, ['b', 'B'], ['f', 'F']);
    file.edits(2, ['c', 'C'], ['e', 'E']);
    await file.keeps(1);
    assert.deepEqual(await file.marks(), ['4 2']);
    assert.equal(await file.reverted(), BASE.replace('b', 'B').replace('c', 'C'));
    await handleFiles(file.handling, file.changed.list(), { author: 2 });
    const ids = file.changed.authors().map(({ id }) => id);
    assert.deepEqual(ids, [1]);
    assert.equal(await file.reverted(), file.now().replace('F', 'f'));
  });

  it('one edit of several is kept, and what was kept of others stays kept', async () => {
    const file = openFile();
    file.edits(1, ['a', 'A'], ['c', 'C'], ['g', 'G']);
    const second = file.edits(1, ['e', 'E']);
    await file.keeps(0);
    const one = file.file();
    assert.ok(one);
    await file.handling.steps(
      one,
      one.steps.filter(({ edit }) => edit === second),
    );
    assert.equal(await file.reverted(), BASE.replace('a', 'A').replace('e', 'E'));
  });

  it('one change of a turn stays kept where the rest of the turn or of the edit is reverted, and is in no row beside it', async () => {
    const file = openFile();
    file.journal.beginTurn({ id: 1, agent: 'Agent 1' }, 'first');
    const { id, turn = 0 } = file.edits(1, ['b', 'B'], ['f', 'F']);
    await file.keeps(1);
    for (const whose of [{ turn }, { edit: id }]) {
      const [one] = await allPresent(file.changed, { author: 1, ...whose });
      assert.deepEqual([one?.original, one?.changes.length], [file.now().replace('F', 'f'), 1]);
    }
    const kinds = changesRow(file.changed, 1)
      .flatMap(reviewRowsIn)
      .map(({ kind }) => kind);
    assert.deepEqual(kinds, ['group']);
    await handleFiles(file.handling, file.changed.list(), { author: 1, turn });
    assert.deepEqual(file.changed.list(), []);
  });

  it('is refused if the text has changed since it was shown', async () => {
    const file = openFile();
    file.edits(1, ['b', 'B'], ['d', 'D']);
    const here = await file.look();
    file.types('g', 'G');
    assert.ok(here?.changes[0]);
    await assert.rejects(file.handling.change(here, here.changes[0]), /changed meanwhile/);
    assert.equal((await file.marks()).length, 2);
  });

  it('files that were created or deleted are kept', async () => {
    const file = openFile();
    const at = (path: string) => ({ uri: file.uri.with({ path: `${file.uri.path}.${path}` }), path });
    const bytes = Buffer.from('x');
    file.record(1, { type: 'create', ...at('new'), files: [{ ...at('new'), bytes }] });
    file.record(1, { type: 'delete', ...at('old'), files: [{ ...at('old'), bytes }] });
    assert.equal(file.changed.list().length, 2);
    await handleFiles(file.handling, file.changed.list());
    assert.deepEqual(file.changed.list(), []);
  });

  const BLOCKS = ['0\n', '1\n', '2\n', '3\n', '4\n'];
  /** Between blocks is a line that nobody touches; no two lines are alike, because a diff cannot tell those apart. */
  const textOf = (blocks: readonly string[]) => blocks.map((block, index) => `${block}-${index}\n`).join('');

  it('never marks or reverts what was kept, whatever agents and the user do before and after', async () => {
    const turn = fc.record({
      who: fc.nat(2),
      block: fc.nat(4),
      text: fc.constantFrom('', 'x\n', 'y\nz\n'),
      keeps: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
        const file = openFile(textOf(BLOCKS));
        const blocks = [...BLOCKS];
        for (const [index, { who, block, text, keeps }] of turns.entries()) {
          const from = file.now();
          blocks[block] = text.replace(/\w/g, (letter) => `${index}${letter}`);
          const to = textOf(blocks);
          if (who === 0) file.types(from, to);
          else if (to !== from) file.edits(who, [from, to]);
          const here = await file.look();
          const change = here?.changes[keeps];
          if (!here || !change) continue;
          const left = here.changes.filter((one) => one !== change);
          await file.handling.change(here, change);
          const steps = file.file()?.steps ?? [];
          assert.equal(without(steps, to), withoutChanges(to, left));
          assert.equal(agentChanges(steps, to).length, left.length);
        }
      }),
      { numRuns: 60 },
    );
    cleanUp();
  });
});
