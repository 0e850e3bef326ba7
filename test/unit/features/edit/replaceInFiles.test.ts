import assert from 'node:assert/strict';
import { replaceInFiles } from '../../../../src/features/edit/replaceInFiles.ts';
import { allowing, answer, disk, openUnwatched, refused } from '../editing.ts';
import { cleanUp, type Window } from '../window.ts';

const replace = (window: Window, args: object) => answer(window, replaceInFiles, args);

describe('features/edit/replaceInFiles', () => {
  afterEach(cleanUp);

  it('shows the diff first, and changes nothing', async () => {
    const window = openUnwatched({ a: 'one two\n', b: 'two two\n', c: 'three\n' });
    const diff = await replace(window, { query: 'TWO', replacement: 'x', caseSensitive: false });
    assert.match(diff, /-one two\n\+one x\n[\s\S]*-two two\n\+x x\n/);
    assert.match(diff, /\nNot done yet: 3 replacements in 2 files\. Repeat with dryRun false\.$/);
    assert.deepEqual([window.consent.questions, disk(window, 'a')], [[], 'one two\n']);
  });

  it('leaves text in another case, and says how much', async () => {
    const window = allowing({ a: 'invoice\nInvoice\n', b: 'Invoice\n' });
    const text = await replace(window, { query: 'invoice', replacement: 'bill', dryRun: false });
    assert.match(text, /^Made 1 replacement in 1 file\.\n/);
    assert.deepEqual([disk(window, 'a'), disk(window, 'b')], ['bill\nInvoice\n', 'Invoice\n']);
    assert.match(text, /2 lines with it in another case: caseSensitive false takes them too\.$/);
    await refused(
      replace(window, { query: 'INVOICE', replacement: 'x' }),
      /^No hit .*2 lines with it in another case/,
    );
  });

  it('replaces in all files with one question, also in unsaved text', async () => {
    const window = allowing({ 'src/a': 'f(1)\r\nf(2)\r\n', 'src/b': 'old\n', c: 'f(3)\n' });
    const document = window.fake.person.opensTab(window.path('src/b'));
    window.fake.person.types(document, 'f(4)\n');
    const regex = { query: 'f\\((\\d)\\)', replacement: 'g($1, $1)', isRegex: true };
    assert.equal(
      await replace(window, { ...regex, include: ['src'], dryRun: false }),
      `Made 3 replacements in 2 files.
src/a: 2 replacements, version 2, saved.
src/b: 1 replacement, version 3, not saved: the file has other unsaved changes, which the user will save.
No problems.`,
    );
    assert.equal(disk(window, 'src/a'), 'g(1, 1)\r\ng(2, 2)\r\n');
    assert.equal(document.getText(), 'g(4, 4)\n');
    assert.deepEqual([disk(window, 'c'), window.consent.questions.length], ['f(3)\n', 1]);
  });

  it('tells once what many files have in common', async () => {
    const window = allowing({ a: 'old', b: 'old', c: 'old', d: 'old old', e: 'old' });
    assert.equal(
      await replace(window, { query: 'old', replacement: 'new', dryRun: false }),
      `Made 6 replacements in 5 files.
Each of these: 1 replacement, version 2, saved:
a
b
c
d: 2 replacements, version 2, saved.
e: 1 replacement, version 2, saved.
No problems.`,
    );
  });

  it('says of which files no problems are known: a hundred are checked', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `f${index + 100}`);
    const window = allowing(Object.fromEntries(names.map((name) => [name, 'old'])));
    const args = { query: 'old', replacement: 'new', limit: 200, dryRun: false };
    const told = await replace(window, args);
    assert.match(told, /\nNo report on the current text of f200 yet: /);
    assert.doesNotMatch(told, /No problems/);
  });

  it('takes a line break in the query for that of the file, and keeps it', async () => {
    const window = allowing({ 'win.txt': 'alpha\r\nbeta\r\ngamma\r\n', 'open.txt': 'x\r\n' });
    const document = window.fake.person.opensTab(window.path('open.txt'));
    window.fake.person.types(document, 'alpha\r\nbeta\r\n');
    const query = { query: 'alpha\nbeta', replacement: 'one\ntwo' };
    assert.match(await replace(window, query), /2 replacements in 2 files/);
    await replace(window, { ...query, dryRun: false });
    assert.equal(disk(window, 'win.txt'), 'one\r\ntwo\r\ngamma\r\n');
    assert.equal(document.getText(), 'one\r\ntwo\r\n');
  });

  it('refuses more files than the limit, no hit, and what ripgrep does not know', async () => {
    const window = openUnwatched({ x: 'a\n', y: 'a\n' });
    const isRegex = true;
    for (const [args, why] of [
      [{ query: 'a', limit: 1 }, /Nothing was changed: 2 files match, and limit is 1\./],
      [{ query: 'a', include: ['*.py'] }, /^No hit .* No file matches include: \*\.py\.$/],
      [{ query: 'a(', isRegex }, /unclosed group/],
      [{ query: 'a(?=b)', isRegex }, /look-?around/i],
    ] as const)
      await refused(replace(window, { caseSensitive: true, replacement: 'b', dryRun: false, ...args }), why);
    assert.deepEqual(window.consent.questions, []);
  });
});
