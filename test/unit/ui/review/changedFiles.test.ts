import assert from 'node:assert/strict';
import { ChangedFiles } from '../../../../src/ui/review/changedFiles.ts';
import { changedFilesOf } from '../../../../src/ui/review/histories.ts';
import { type AgentEdit, Journal } from '../../../../src/workspace/edit/journal.ts';
import { changed, created, deleted, editBy, moved, uriAt } from './edits.ts';

const pathsOf = (...edits: AgentEdit[]) =>
  changedFilesOf(edits).map(({ path, deleted }) => (deleted ? `-${path}` : path));

describe('ui/review/changedFiles: changed files', () => {
  it('are those with changes of text, created and deleted ones, kept or not, but none created and deleted again', () => {
    const gone = deleted('gone', { 'gone/x.ts': 'x' });
    const edit = editBy(1, 1, changed('b.ts', 'a', 'b'), created('new/a.ts', 'a'), gone);
    assert.deepEqual(pathsOf(edit), ['b.ts', '-gone/x.ts', 'new/a.ts']);
    assert.deepEqual(pathsOf(editBy(1, 1, created('a', 'a')), editBy(1, 2, deleted('a', { a: 'a' }))), []);
    assert.deepEqual(pathsOf(editBy(1, 1, deleted('a', { a: 'a' })), editBy(1, 2, created('a', 'b'))), ['a']);
    assert.deepEqual(pathsOf(editBy(1, 1, deleted('large', undefined))), ['-large']);
  });

  it('keep their changes where they are moved, alone or with their folder', () => {
    const first = editBy(1, 1, changed('src/a.ts', 'a', 'b'), changed('srcs.ts', 'a', 'b'));
    const second = editBy(1, 2, moved('src', 'lib'), changed('lib/a.ts', 'b', 'c'));
    const files = changedFilesOf([first, second]).map(({ uri, steps }) => `${uri.path} ${steps.length}`);
    assert.deepEqual(files, ['/ws/lib/a.ts 2', '/ws/srcs.ts 1']);
    assert.deepEqual(pathsOf(first, second, editBy(1, 3, moved('srcs.ts', 'b.ts'))), ['b.ts', 'lib/a.ts']);
  });

  it('are listed until nothing is left, and again after the next edit', () => {
    const journal = new Journal();
    const files = new ChangedFiles(journal);
    let changes = 0;
    files.onDidChange(() => changes++);
    const add = (author: number) => journal.add(editBy(author, 0, changed('a.ts', 'a', 'b')));
    const authors = () => files.authors().map(({ id }) => id);
    add(1);
    const [file] = files.list();
    assert.ok(file);
    files.settle(file, [1]);
    assert.equal(changes, 1);
    files.settle(file, []);
    assert.deepEqual([files.list(), authors(), changes], [[], [], 2]);
    assert.ok(files.get(uriAt('/ws/a.ts')));
    add(2);
    assert.equal(files.list(1).length, 1);
    assert.deepEqual(authors(), [1, 2]);
    assert.equal(files.list(3).length, 0);
    const [later] = files.list();
    assert.ok(later);
    files.settle(later, [2]);
    assert.deepEqual([files.list().length, files.list(1).length, files.list(2).length], [1, 0, 1]);
    assert.deepEqual(authors(), [2]);
  });
});
