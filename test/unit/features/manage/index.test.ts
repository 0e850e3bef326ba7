import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { deletePath, movePath } from '../../../../src/features/manage/paths.ts';
import { writeFile } from '../../../../src/features/manage/writeFile.ts';
import type { Tool } from '../../../../src/features/tool.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { itWithLinks } from '../../../temporary.ts';
import { allowing, disk, ONCE, refused as refuses, answer as waitFor } from '../editing.ts';
import { cleanUp, type Tree, type Window } from '../window.ts';

const TREE: Tree = { 'a.txt': 'one\n', 'd/b.txt': 'two', 'd/e/c.bin': Buffer.from([1, 0, 2]) };

const open = (tree = TREE): Window => allowing(tree);

describe('features/manage/index', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  /** Lets the time pass in which VS Code changes imports after a move. */
  const answer = (window: Window, tool: Tool, args: object) => clock.settle(waitFor(window, tool, args), 100);
  const refused = (window: Window, tool: Tool, args: object, reason: RegExp) =>
    refuses(answer(window, tool, args), reason);

  describe('write_file', () => {
    it('on Windows creates no name that Windows would change, or take for something else', async function () {
      if (process.platform !== 'win32') this.skip();
      const window = open();
      for (const path of ['NUL', 'x/con.txt', 'a.', 'x /b.txt', 'a.txt:b', 'q?.md'])
        await refused(window, writeFile, { path, content: '' }, /No file can be called|stream or a device/);
      assert.deepEqual(readdirSync(window.path('')).sort(), ['a.txt', 'd']);
    });

    it('creates a file and the folders above it, once the person has seen its text', async () => {
      const window = open();
      const args = { path: 'x/y/new.txt', content: 'a\r\nb' };
      const shown = await answer(window, writeFile, { ...args, dryRun: true });
      assert.match(shown, /^Not done yet\. x\/y\/new\.txt: created, 2 lines\.\n--- x.*\+a\n/s);
      assert.ok(!existsSync(window.path('x')));
      const text = await answer(window, writeFile, args);
      assert.match(text, /^x\/y\/new\.txt: created, 2 lines\.\n/);
      assert.equal(disk(window, 'x/y/new.txt'), 'a\r\nb');
      const [question] = window.consent.questions;
      assert.partialDeepStrictEqual(question, { kind: 'edit', subject: 'x/y/new.txt' });
      assert.partialDeepStrictEqual(question?.diffs, [{ operation: { type: 'create' }, after: 'a\nb' }]);
    });

    it('replaces a text only if it is told to', async () => {
      const window = open();
      const args = { path: 'a.txt', content: 'new\n' };
      await refused(window, writeFile, args, /^a\.txt exists\. Pass overwrite: true/);
      await refused(window, writeFile, { ...args, expectedVersion: 7 }, /version 1, expected 7/);
      await answer(window, writeFile, { ...args, overwrite: true });
      assert.equal(disk(window, 'a.txt'), 'new\n');
      await refused(window, writeFile, { ...args, path: 'no.txt', expectedVersion: 1 }, /^There is no file/);
    });

    it('creates a file again that is gone while VS Code still has its text, but not over unsaved text', async () => {
      const window = open();
      const { person } = window.fake;
      const document = person.loads(window.path('a.txt'));
      rmSync(window.path('a.txt'));
      await answer(window, writeFile, { path: 'a.txt', content: 'again' });
      assert.equal(disk(window, 'a.txt'), 'again');
      rmSync(window.path('a.txt'));
      person.types(document, 'unsaved');
      await refused(window, writeFile, { path: 'a.txt', content: '' }, /^a\.txt exists/);
      await refused(
        window,
        movePath,
        { source: 'd', destination: 'a.txt', copy: true },
        /has unsaved text for it/,
      );
    });

    itWithLinks(
      'refuses what is outside, closed, in a file, or a broken link, or there once the person has answered',
      async () => {
        const window = open({ ...TREE, 'l/x': '' });
        symlinkSync(window.path('nowhere'), window.path('link'));
        for (const [path, reason] of [
          ['../out.txt', /outside the workspace/],
          ['d/.env', /closed to agents/],
          ['a.txt/x', /a\.txt is not a folder/],
          ['link', /already a file or folder/],
          ['d/', /already a file or folder d/],
          ['untitled:x', /No editor has/],
        ] as const)
          await refused(window, writeFile, { path, content: '' }, reason);
        assert.deepEqual(window.consent.questions, []);
        assert.ok(!existsSync(window.path('nowhere')));
        window.consent.otherwise = () => {
          writeFileSync(window.path('d/new.txt'), 'x');
          return ONCE;
        };
        const args = { path: 'd/new.txt', content: 'mine' };
        await refused(window, writeFile, args, /already a file or folder/);
        assert.equal(disk(window, 'd/new.txt'), 'x');
      },
    );
  });

  describe('move_path', () => {
    it('moves a folder with all that is in it', async () => {
      const window = open();
      const text = await answer(window, movePath, { source: 'd', destination: 'x/d2' });
      assert.equal(
        text,
        'd: moved to x/d2 with 2 files.\nNo file in d has a language that an extension checks; ignored ones do not count.',
      );
      assert.deepEqual(readdirSync(window.path('x/d2/e')), ['c.bin']);
      const operation = { type: 'move', to: 'x/d2', files: 2 };
      assert.deepEqual(window.consent.questions[0]?.diffs?.[0]?.operation, operation);
    });

    it('takes unsaved text along, and tells what changed because of it', async () => {
      const window = open();
      const { person } = window.fake;
      person.types(person.loads(window.path('a.txt')), 'unsaved');
      const other = person.loads(window.path('d/b.txt'));
      const moving = waitFor(window, movePath, { source: 'a.txt', destination: 'x.txt' });
      await clock.passWait(100);
      person.types(other, 'import "x"');
      const text = await clock.settle(moving, 100);
      assert.match(text, /^a\.txt: moved to x\.txt\.\nVS Code also changed d\/b\.txt\.\n/);
      const document = window.fake.api.workspace.textDocuments.find(({ uri }) => uri.path.endsWith('x.txt'));
      assert.equal(document?.getText(), 'unsaved');
    });

    itWithLinks('refuses a link, secrets, itself, a workspace folder, and what is taken', async () => {
      const window = open({ ...TREE, 's/.env': 'KEY=1' });
      symlinkSync(window.path('a.txt'), window.path('link'));
      for (const [source, destination, reason] of [
        ['link', 'x', /link is a link/],
        ['s', 'x', /s holds 1 file or folder that is closed to you/],
        ['d', 'd/e/f', /cannot be moved or copied into itself/],
        ['.', 'x', /holds a workspace folder/],
        ['a.txt', 'd/b.txt', /already a file or folder d\/b\.txt/],
      ] as const)
        await refused(window, movePath, { source, destination }, reason);
      assert.deepEqual(window.consent.questions, []);
    });
  });

  it('shows of a folder with dryRun what is in it, and of ignored files the number', async () => {
    const window = open({ '.gitignore': 'out\n', 'p/a.txt': '', 'p/out/x.js': '', 'p/out/y.js': '' });
    mkdirSync(window.path('p/empty'));
    const shown = await answer(window, deletePath, { path: 'p', dryRun: true });
    assert.match(
      shown,
      /^Not done yet\. p with 3 files: .*\n---.*\n\+\+\+.*\n@@.*\n-a\.txt\n-empty\/\nand 2 files ignored or excluded$/,
    );
  });

  it('write_file creates folders, move_path copies what is saved', async () => {
    const window = open();
    assert.equal(await answer(window, writeFile, { path: 'x/y/' }), 'x/y: folder created.');
    assert.ok(statSync(window.path('x/y')).isDirectory());
    await refused(window, writeFile, { path: 'd/' }, /already/);
    await answer(window, writeFile, { path: 'x/z/', content: '' });
    assert.ok(statSync(window.path('x/z')).isDirectory());
    await refused(
      window,
      writeFile,
      { path: 'x/w/', content: 'w' },
      /ends in a slash: a folder, which has no content/,
    );
    await refused(window, writeFile, { path: 'x/w' }, /content is missing.*slash/);
    assert.deepEqual(readdirSync(window.path('x')), ['y', 'z']);
    const { person } = window.fake;
    person.types(person.loads(window.path('a.txt')), 'unsaved');
    const text = await answer(window, movePath, { source: 'a.txt', destination: 'x/a.txt', copy: true });
    assert.equal(
      text,
      'a.txt: copied to x/a.txt.\nNo problems.\nThe unsaved text of a.txt is not in the copy.',
    );
    assert.equal(disk(window, 'x/a.txt'), 'one\n');
    await answer(window, movePath, { source: 'd', destination: 'd2', copy: true });
    assert.equal(disk(window, 'd2/b.txt'), 'two');
  });

  describe('what comes to a guarded path', () => {
    const guarded: Tree = { 'm.md': 'all:\n', 'p/settings.json': '{}', 'q/package.json': '{}' };

    it('is shown, asked about again if it changes meanwhile, and comes with its folder only if it is guarded there too', async () => {
      const window = open(guarded);
      window.consent.always = ['edit'];
      window.consent.otherwise = () => {
        writeFileSync(window.path('m.md'), 'all:\n\techo evil\n');
        return ONCE;
      };
      await answer(window, movePath, { source: 'm.md', destination: 'Makefile', copy: true });
      const shown = window.consent.questions.map(({ diffs, again }) => [diffs?.[0]?.after, again]);
      assert.deepEqual(shown.flat(), ['all:\n', undefined, 'all:\n\techo evil\n', true]);
      await refused(window, movePath, { source: 'p', destination: '.vscode' }, /one by one/);
      await answer(window, movePath, { source: 'q', destination: 'q2' });
      assert.equal(window.consent.questions[2]?.diffs?.[0]?.after, 'package.json\n');
    });
  });

  describe('delete_path', () => {
    it('deletes a folder, once the person has seen what goes', async () => {
      const window = open();
      const text = await answer(window, deletePath, { path: 'd' });
      assert.equal(text, 'd with 2 files: deleted for good (there is no trash here).');
      const [question] = window.consent.questions;
      assert.equal(question?.kind, 'delete');
      assert.equal(question?.diffs?.[0]?.before, 'b.txt\ne/\ne/c.bin\n');
      assert.ok(!existsSync(window.path('d')));
      window.fake.workspace.fileSystem.hasTrash = true;
      assert.equal(await answer(window, deletePath, { path: 'a.txt' }), 'a.txt: moved to the trash.');
    });

    itWithLinks(
      'says that undo_edit cannot bring back a folder with links, and refuses unsaved text, and secrets',
      async () => {
        const linked = open();
        symlinkSync(linked.path('a.txt'), linked.path('d/link'));
        for (const dryRun of [true, false]) {
          const said = await answer(linked, deletePath, { path: 'd', dryRun });
          assert.match(said, /undo_edit cannot bring it back/);
        }
        assert.equal(linked.consent.questions[0]?.diffs?.[0]?.operation?.unkept, true);
        const window = open({ ...TREE, 's/.env': 'KEY=1' });
        const { person } = window.fake;
        person.types(person.loads(window.path('d/b.txt')), 'unsaved');
        await refused(window, deletePath, { path: 'd' }, /unsaved text in d\/b\.txt/);
        await refused(window, deletePath, { path: 's' }, /closed to you/);
        assert.deepEqual(readdirSync(window.path('d')), ['b.txt', 'e']);
      },
    );
  });
});
