import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Context } from '../../../../src/features/context.ts';
import { applyPatch } from '../../../../src/features/edit/applyPatch.ts';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { readFile } from '../../../../src/features/files/readFile.ts';
import { deletePath, movePath } from '../../../../src/features/manage/paths.ts';
import { undoEdit } from '../../../../src/features/manage/undoEdit.ts';
import { writeFile } from '../../../../src/features/manage/writeFile.ts';
import { noteBehind } from '../../../../src/workspace/edit/behind.ts';
import type { Deed } from '../../../../src/workspace/edit/journal.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { allowing, disk, documentOf, refused, answer as waitFor } from '../editing.ts';
import { cleanUp, type Tree, textsOf, type Window } from '../window.ts';

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line}\n`).join('');
const TREE: Tree = { 'a.txt': TEN, 'd/b.txt': 'two', 'd/e/c.bin': Buffer.from([1, 0, 2]) };

const open = (): Window => allowing(TREE);

/** The person changes `a.txt`. */
function types(window: Window, from: string, to: string): void {
  const document = documentOf(window, 'a.txt');
  window.fake.person.types(document, document.getText().replace(from, to));
}

/** All files and folders. */
const all = (window: Window) => readdirSync(window.path('.'), { recursive: true }).sort();

describe('features/manage/undoEdit', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  /** Lets the time pass in which VS Code saves, and changes imports after a move. */
  const answer = (...asked: Parameters<typeof waitFor>) => clock.settle(waitFor(...asked), 100);
  const edit = (window: Window, path: string, oldText: string, newText: string, as?: Context) =>
    answer(window, editFile, { path, edits: [{ oldText, newText }] }, as);
  const undo = (window: Window, args: object = {}, as?: Context) => answer(window, undoEdit, args, as);

  it("takes the agent's last edit back, and what others typed elsewhere stays", async () => {
    const window = open();
    await edit(window, 'a.txt', 'line 2', 'LINE 2');
    await edit(window, 'a.txt', 'line 7', 'LINE 7');
    await edit(window, 'a.txt', 'line 0', 'line 0, and more', window.another);
    assert.match(await undo(window, { id: 1, dryRun: true }), /-LINE 2\n\+line 2/);
    const said = await undo(window, { id: 1 });
    assert.match(said, /^Took back edit 1 \(edit_file\)\.\na\.txt: taken back, version 5, saved/);
    assert.match(await undo(window), /^Took back edit 2 /);
    assert.equal(disk(window, 'a.txt'), TEN.replace('line 0', 'line 0, and more'));
    await refused(undo(window), /^There is no edit of yours to take back/);
    await undo(window, {}, window.another);
    assert.equal(disk(window, 'a.txt'), TEN);
  });

  it('does not call a problem new that was there before the edit', async () => {
    const window = open();
    const { Diagnostic, Range } = window.fake.api;
    window.ctx.language.of = async () => {
      const isBad = disk(window, 'a.txt').includes('line 4');
      return { diagnostics: isBad ? [new Diagnostic(new Range(4, 0, 4, 4), 'bad')] : [], state: 'checked' };
    };
    assert.match(await edit(window, 'a.txt', 'line 4', 'LINE 4'), /1 problem is gone\.$/);
    assert.match(await undo(window), /\nProblems, new or from before:\na\.txt\n {2}5:1 error bad$/);
  });

  it("shows all that the agent's edits of the session changed, or one, as a diff; nothing of others", async () => {
    const window = open();
    assert.match(await undo(window, { diff: true }), /changed nothing that is still known\.$/);
    await edit(window, 'a.txt', 'line 2', 'LINE 2');
    await edit(window, 'a.txt', 'LINE 2', 'Line two');
    await answer(window, writeFile, { path: 'new.txt', content: 'one\n' });
    await edit(window, 'new.txt', 'one', 'uno');
    await answer(window, movePath, { source: 'd/b.txt', destination: 'd/moved.txt' });
    await edit(window, 'd/moved.txt', 'two', 'due');
    await answer(window, writeFile, { path: 'other.txt', content: 'x' }, window.another);
    const diff = await undo(window, { diff: true });
    assert.match(diff, /-line 2\n\+Line two\n/);
    assert.match(diff, /\+uno\n/);
    assert.match(diff, /d\/b\.txt: moved to d\/moved\.txt\.\n[\s\S]*-two[\s\S]*\+due/);
    assert.doesNotMatch(diff, /LINE 2|\+one|other\.txt/);
    assert.match(await undo(window, { diff: true, id: 2 }), /-LINE 2\n\+Line two\n/);
  });

  it('names in that diff what has no text: folders, other files, what was moved there and back or went', async () => {
    const window = open();
    const diff = (args: object = {}) => undo(window, { diff: true, ...args });
    const move = (source: string, destination: string) => answer(window, movePath, { source, destination });
    await answer(window, movePath, { source: 'd/e/c.bin', destination: 'copy.bin', copy: true });
    assert.equal(await diff(), 'copy.bin: created.');
    await move('copy.bin', 'moved.bin');
    assert.equal(await diff(), 'moved.bin: created.');
    await answer(window, deletePath, { path: 'moved.bin' });
    assert.match(await diff(), /changed nothing that is still known/);
    await answer(window, writeFile, { path: 'new/' });
    await edit(window, 'd/b.txt', 'two', 'due');
    await move('d', 'new/d');
    assert.match(
      await diff(),
      /^new: created\.\nd\/b\.txt: moved to new\/d\/b\.txt\.\n[\s\S]*\+due\n[\s\S]*\nd: moved to new\/d\.$/,
    );
    await move('new/d', 'd');
    await answer(window, deletePath, { path: 'd/e/c.bin' });
    assert.match(await diff(), /^new: created\.\n--- d\/b\.txt[\s\S]*\nd\/e\/c\.bin: deleted\.$/);
    assert.doesNotMatch(await diff(), /moved/);
    await answer(window, deletePath, { path: 'a.txt' });
    await move('d/b.txt', 'a.txt');
    assert.match(await diff(), /d\/b\.txt: moved to a\.txt\.\n[\s\S]*-line 9\n/);
  });

  it('takes back the rest of an edit if what it created is gone, and forgets one that is taken back already', async () => {
    const window = open();
    await answer(window, writeFile, { path: 'new.txt', content: 'x' });
    const patch =
      '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-line 0\n+LINE 0\n--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1 @@\n+p\n';
    await answer(window, applyPatch, { patch });
    for (const path of ['new.txt', 'p.txt']) rmSync(window.path(path));
    await undo(window);
    assert.equal(disk(window, 'a.txt'), TEN);
    await refused(undo(window), /^Edit 1 \(write_file\) is taken back already\./);
    await answer(window, deletePath, { path: 'd/b.txt' });
    writeFileSync(window.path('d/b.txt'), 'two');
    await refused(undo(window), /^Edit 3 \(delete_path\) is taken back already\./);
    await edit(window, 'a.txt', 'line 4', 'LINE 4');
    window.fake.person.undoes(documentOf(window, 'a.txt'));
    await refused(undo(window), /was taken back already, in VS Code/);
    await refused(undo(window), /^There is no edit of yours/);
  });

  it('takes back none of which the user has kept something, and does not list it', async () => {
    const window = open();
    await edit(window, 'a.txt', 'line 2', 'LINE 2');
    await edit(window, 'a.txt', 'line 7', 'LINE 7');
    const uri = window.fake.api.Uri.file(window.path('a.txt'));
    window.journal.keep({ uri, edits: [2] });
    const refusal =
      /^Edit 2 \(edit_file\) cannot be taken back: the user has kept its changes, or committed them\./;
    await refused(undo(window), refusal);
    assert.match(await undo(window, { list: true }), /^1 edit_file[^\n]*$/);
    await undo(window, { id: 1 });
    assert.equal(disk(window, 'a.txt'), TEN.replace('line 7', 'LINE 7'));
  });

  it('takes none back of which a text could not be stored over a reload', async () => {
    const window = open();
    const uri = window.fake.api.Uri.file(window.path('a.txt'));
    const author = { id: 0, agent: 'agent' };
    const deeds = [{ type: 'unstored', uri, path: 'a.txt' }] as const;
    window.journal.restore([{ id: 7, author, tool: 'edit_file', at: 0, deeds }]);
    assert.match(await undo(window, { list: true }), /^7 edit_file.*: a\.txt$/);
    await refused(
      undo(window),
      /^Edit 7 .* the window was reloaded since, .* no text of a\.txt: it may have/,
    );
  });

  /** A command of the agent has written these files: their texts before, by path; undefined where that is not known. */
  function ranCommand(window: Window, befores: Record<string, string | undefined>): number {
    const deeds = Object.entries(befores).map(([path, before]): Deed => {
      const named = { uri: window.fake.api.Uri.file(window.path(path)), path };
      if (before === undefined) return { type: 'unseen', ...named };
      return { type: 'edit', ...named, before, after: disk(window, path) };
    });
    return window.journal.add({ author: window.ctx.author(), tool: 'Bash: make', byOwnTool: true, deeds }).id;
  }

  it('takes back what it can of a command of the agent, says what stays and why, and has the rest later', async () => {
    const window = open();
    const at = (path: string) => window.fake.api.Uri.file(window.path(path));
    const paths = ['a.txt', 'kept.txt', 'typed.txt', 'secret.txt', 'unseen.bin'];
    for (const path of paths) writeFileSync(window.path(path), 'one\nNEW\nthree\n');
    const befores = Object.fromEntries(paths.map((path) => [path, 'one\nold\nthree\n']));
    const id = ranCommand(window, { ...befores, 'unseen.bin': undefined });
    window.journal.keep({ uri: at('kept.txt'), edits: [id] });
    writeFileSync(window.path('typed.txt'), 'one\ntyped\nthree\n');
    window.fake.person.sets('workspaceMcp.access.deniedPaths', ['secret.txt']);
    const stays =
      /\nThis stays:\nthe user has kept what it changed in kept\.txt, or committed it\.\ntyped\.txt is unchanged: its lines were changed since edit 1:\n--- [\s\S]*\nit changed a file that is closed to you\..*\nwhat unseen\.bin was before is not known\.\n/;
    assert.match(`\n${await undo(window, { dryRun: true })}`, stays);
    const said = await undo(window);
    assert.match(
      said,
      /^Took back a part of edit 1 \(Bash: make\)\.\n[\s\S]*\na\.txt: taken back, version 2, saved\./,
    );
    assert.match(said, stays);
    assert.doesNotMatch(said, /secret/);
    assert.equal(disk(window, 'a.txt'), 'one\nold\nthree\n');
    const [question] = window.consent.questions;
    assert.ok(question?.intent?.type === 'undo');
    assert.equal(question.intent.left?.length, 4);
    assert.match(
      await undo(window, { list: true }),
      /^1 Bash: make, .*: kept\.txt, typed\.txt, unseen\.bin$/,
    );
    await refused(
      undo(window),
      /^Edit 1 \(Bash: make\) cannot be taken back: the user has kept .*\nwhat unseen\.bin/s,
    );
    writeFileSync(window.path('typed.txt'), 'one\nNEW\nthree\n');
    documentOf(window, 'typed.txt').reload();
    await undo(window);
    assert.equal(disk(window, 'typed.txt'), 'one\nold\nthree\n');
  });

  it('never takes what a command wrote for taken back because unsaved text of before is without it', async () => {
    const window = open();
    const document = window.fake.person.loads(window.path('a.txt'));
    types(window, 'line 0', 'typed');
    writeFileSync(window.path('a.txt'), TEN.replace('line 7', 'LINE 7'));
    ranCommand(window, { 'a.txt': TEN });
    noteBehind({ vscode: window.fake.api, journal: window.journal }, window.journal.edits[0]?.deeds ?? []);
    await refused(undo(window), /a\.txt is unchanged: the user has unsaved text that is without your change/);
    document.reload(); // the user reverts the file
    document.isDirty = false;
    await undo(window);
    assert.equal(disk(window, 'a.txt'), TEN);
  });

  it('says of what a command deleted without a copy that no trash has it, but perhaps Git', async () => {
    const window = open();
    const uri = window.fake.api.Uri.file(window.path('long.txt'));
    const deeds = [{ type: 'delete', uri, path: 'long.txt', files: undefined }] as const;
    window.journal.add({ author: window.ctx.author(), tool: 'Bash: rm', byOwnTool: true, deeds });
    await refused(undo(window), /no copy of long\.txt: .* No trash has it either, but Git has what was/);
  });

  it('takes nothing back before a later edit that deleted or created it, and none of another agent', async () => {
    const window = open();
    await edit(window, 'a.txt', 'line 7', 'LINE 7', window.another);
    await refused(undo(window, { id: 1 }), /^Edit 1 is not yours\. The user can revert it/);
    await refused(undo(window, { id: 4 }), /^There is no edit 4 of yours/);
    await answer(window, writeFile, { path: 'new.txt', content: 'x' });
    await answer(window, deletePath, { path: 'new.txt' });
    await refused(undo(window, { id: 2 }), /new\.txt was deleted by edit 3\. That one has to be taken back/);
    await answer(window, writeFile, { path: 'new.txt', content: 'x' });
    await refused(undo(window, { id: 3 }), /There is already a file or folder new\.txt/);
    for (const id of [4, 3, 2]) await undo(window, { id });
    assert.ok(!existsSync(window.path('new.txt')));
    await refused(undo(window, { id: 2 }), /^There is no edit 2 of yours: it was taken back/);
  });

  it('is refused if its lines were changed since, and shows only how these, redacted', async () => {
    const tree = { 'a.txt': `key=abc\n${TEN}` };
    const window = allowing(tree, { user: { 'workspaceMcp.access.redact': ['key=\\w+'] } });
    await edit(window, 'a.txt', 'line 4', 'LINE 4');
    await edit(window, 'a.txt', 'line 8', 'LINE 8');
    await undo(window);
    types(window, 'LINE 4', 'typed 4\nkey=def');
    types(window, 'line 9', 'typed 9');
    const error = await undo(window).catch((error: Error) => error.message);
    assert.match(error, /^a\.txt is unchanged.*since edit 1:\n--- a\.txt/s);
    assert.match(error, /-LINE 4\n\+typed 4\n\+\[redacted\]\n/);
    assert.doesNotMatch(error, /typed 9|abc|def/);
    assert.match(documentOf(window, 'a.txt').getText(), /typed 4/);
    assert.match(await undo(window, { list: true }), /^1 edit_file, .*Z: a\.txt$/);
  });

  it('lists edits, the newest first, without closed files', async () => {
    const window = open();
    for (let count = 0; count < 21; count++)
      await edit(window, 'd/b.txt', count % 2 ? '2' : 'two', count % 2 ? 'two' : '2');
    await answer(window, movePath, { source: 'a.txt', destination: 'secret.txt' });
    const [list = '', note] = textsOf(await window.run(undoEdit, { list: true }));
    assert.match(list, /^22 move_path, [^\n]*: a\.txt, secret\.txt\n21 edit_file, [^\n]*: d\/b\.txt\n/);
    assert.deepEqual([list.split('\n').length, note], [20, 'The last 20 of 22 edits.']);
    window.fake.person.sets('workspaceMcp.access.deniedPaths', ['secret.txt']);
    assert.match(await undo(window, { list: true }), /^\S*22 move_path, \S*: a\.txt$/m);
    await refused(undo(window), /closed to agents/);
  });

  it('changes nothing if a file cannot be saved, because the disk is full', async () => {
    const window = open();
    await edit(window, 'a.txt', 'line 4', 'LINE 4');
    const document = documentOf(window, 'a.txt');
    document.save = async () => {
      writeFileSync(window.path('a.txt'), TEN.slice(0, 20)); // VS Code says that it did
      document.isDirty = false;
      return true;
    };
    window.fake.workspace.encodes = Buffer.from;
    await refused(undo(window), /^a\.txt is not saved whole: the disk may be full.* was reverted\.$/s);
    assert.match(document.getText(), /LINE 4/);
    assert.ok(document.isDirty);
  });

  it('follows a file that was moved since, or is back where it was before the edit', async () => {
    const window = open();
    await edit(window, 'd/b.txt', 'two', '2');
    await answer(window, movePath, { source: 'd', destination: 'x/y' }, window.another);
    await undo(window);
    assert.equal(disk(window, 'x/y/b.txt'), 'two');
    await answer(window, writeFile, { path: 'x/new.txt', content: '' });
    await answer(window, movePath, { source: 'x', destination: 'z' }, window.another);
    await undo(window);
    assert.ok(!existsSync(window.path('z/new.txt')));
    await edit(window, 'z/y/b.txt', 'two', '2');
    await undo(window, {}, window.another);
    assert.match(await undo(window, { list: true }), /: x\/y\/b\.txt$/);
    await undo(window);
    assert.equal(disk(window, 'x/y/b.txt'), 'two');
  });

  it('deletes what was created, copied or made a folder, with folders above that are empty then', async () => {
    const window = open();
    const before = all(window);
    await answer(window, writeFile, { path: 'x/y/new.txt', content: 'a\r\nb' });
    await answer(window, movePath, { source: 'd', destination: 'z/d2', copy: true });
    await answer(window, writeFile, { path: 'f/' });
    for (const _ of [1, 2]) await undo(window);
    assert.match(await undo(window), /^Took back edit 1 \(write_file\)\.\nx\/y\/new\.txt: deleted/);
    assert.deepEqual(all(window), before);
    const kinds = window.consent.questions.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['edit', 'edit', 'edit', 'delete', 'delete', 'delete']);
  });

  it('does not delete what was changed or added since', async () => {
    const window = open();
    await answer(window, movePath, { source: 'd', destination: 'd2', copy: true });
    writeFileSync(window.path('d2/new.txt'), '');
    await refused(undo(window), /^d2 is not deleted: d2\/new\.txt is new or was changed since\.$/);
    rmSync(window.path('d2/new.txt'));
    writeFileSync(window.path('d2/b.txt'), 'twO');
    await refused(undo(window), /^d2 is not deleted: d2\/b\.txt is new or was changed since\.$/);
    writeFileSync(window.path('d2/b.txt'), 'two');
    window.consent.otherwise = () => {
      writeFileSync(window.path('d2/b.txt'), 'while the person is asked');
      return { allow: 'once' };
    };
    await refused(undo(window), /was changed since/);
    assert.ok(existsSync(window.path('d2/e/c.bin')));
  });

  it('creates what was deleted again, unless something is there', async () => {
    const window = open();
    chmodSync(window.path('d/e/c.bin'), 0o750);
    await answer(window, deletePath, { path: 'd' });
    writeFileSync(window.path('d'), '');
    await refused(undo(window), /cannot be taken back: There is already a file or folder d\./);
    rmSync(window.path('d'));
    assert.equal(await undo(window), 'Took back edit 1 (delete_path).\nd: folder created with 2 files.');
    assert.equal(disk(window, 'd/b.txt'), 'two');
    assert.deepEqual(readFileSync(window.path('d/e/c.bin')), Buffer.from([1, 0, 2]));
    if (process.platform !== 'win32') assert.equal(statSync(window.path('d/e/c.bin')).mode & 0o777, 0o750);
    await answer(window, deletePath, { path: 'a.txt' });
    assert.match(await undo(window, { dryRun: true }), /^Not done yet\. a\.txt: created, 10 lines\.\n---/);
    await undo(window);
    assert.equal(disk(window, 'a.txt'), TEN);
  });

  it('of two agents an edit on a text that the other has changed is refused with the difference', async () => {
    const window = open();
    await edit(window, 'a.txt', 'line 1', 'LINE 1');
    await edit(window, 'a.txt', 'line 2', 'line two', window.another);
    const edits = [{ oldText: 'line 5', newText: 'x' }];
    const args = { path: 'a.txt', edits, expectedVersion: 2 };
    const stale = (more = {}) => answer(window, editFile, { ...args, ...more });
    const difference = /Another agent, other, changed it since you read it:\n--- .*\n-line 2\n\+line two\n/s;
    await refused(stale(), /^a\.txt is unchanged: it .* since you read it \(version 3, expected 2\)\. Read/);
    for (const one of [stale, () => stale({ dryRun: true }), () => edit(window, 'a.txt', 'line 2', 'x')])
      await refused(one(), difference);
    await answer(window, readFile, { path: 'a.txt' });
    const error = await edit(window, 'a.txt', 'line 2', 'x').catch(({ message }: Error) => message);
    assert.doesNotMatch(error, /Another agent/);
    await edit(window, 'a.txt', 'line two', 'LINE two');
    types(window, 'line 3', 'typed');
    await refused(stale(), /Since your last edit of it:\n.*-line 3\n\+typed\n/s);
  });

  it('of two agents the other is named if its edit took the text, though the one has read only a part, or nothing', async () => {
    const window = open();
    await edit(window, 'a.txt', 'line 2', 'line two', window.another);
    await edit(window, 'a.txt', 'line 7', 'line seven', window.another);
    await edit(window, 'a.txt', 'line 5', 'line five');
    const named =
      /oldText .* is not in the file.*\nAnother agent, other, changed that:\n--- .*\n-line 2\n\+line two\n/s;
    await refused(edit(window, 'a.txt', 'line 2', 'x'), named);
    const error = await edit(window, 'a.txt', 'line 22', 'x').catch(({ message }: Error) => message);
    assert.doesNotMatch(error, /Another agent/);
  });

  it('of two agents a new whole text is refused too, until the one reads the file again', async () => {
    const window = open();
    const args = { path: 'a.txt', content: 'new\n', overwrite: true };
    await answer(window, readFile, { path: 'a.txt' });
    await edit(window, 'a.txt', 'line 2', 'line two', window.another);
    const reason = /^a\.txt is unchanged\. Read it again\. Another agent, other, .*\+line two\n/s;
    await refused(answer(window, writeFile, args), reason);
    await answer(window, readFile, { path: 'a.txt' });
    await answer(window, writeFile, args);
    assert.equal(disk(window, 'a.txt'), 'new\n');
  });
});
