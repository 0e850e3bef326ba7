import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { replaceInFiles } from '../../../../src/features/edit/replaceInFiles.ts';
import { findFiles } from '../../../../src/features/files/findFiles.ts';
import { listDirectory } from '../../../../src/features/files/listDirectory.ts';
import { readFile } from '../../../../src/features/files/readFile.ts';
import { searchText } from '../../../../src/features/files/searchText.ts';
import { writeFile } from '../../../../src/features/manage/writeFile.ts';
import { cleanUp, openWindow, textsOf, type Window } from '../../features/window.ts';
import { rootsOf } from '../openWindow.ts';

const MONO = {
  'src/index.ts': '// root\n',
  'packages/api/src/index.ts': '// api\n',
  'packages/api/src/only.ts': '// only\n',
};

const textOf = async (window: Window, ...[tool, args]: Parameters<Window['run']>): Promise<string> =>
  textsOf(await window.run(tool, args))[0] ?? '';

describe('workspace/read/location: where the agent works', () => {
  afterEach(cleanUp);

  it('in a package of a folder: what is only there is meant, and what is in both is named', async () => {
    const window = openWindow(MONO, { directory: 'packages/api' });
    assert.equal(await textOf(window, readFile, { path: 'src/only.ts' }), '// only\n');
    assert.equal(await textOf(window, readFile, { path: 'packages/api/src/index.ts' }), '// api\n');
    const both = `"src/index.ts" is ambiguous: in the workspace folder ${window.path('src/index.ts')}, and in your directory packages/api/src/index.ts. Pass one of these.`;
    await assert.rejects(window.run(readFile, { path: 'src/index.ts' }), { message: both });
    assert.equal(await textOf(window, readFile, { path: window.path('src/index.ts') }), '// root\n');
    window.consent.always = ['edit'];
    const edits = [{ oldText: '//', newText: '#' }];
    await assert.rejects(window.run(editFile, { path: 'src/index.ts', edits }), { message: both });
    await assert.rejects(window.run(writeFile, { path: 'src/new.ts', content: '' }), /"src" is ambiguous/);
    await assert.rejects(
      window.run(writeFile, { path: 'new.ts', content: '' }),
      /"new\.ts" may be new in the workspace folder .* or in your directory .*packages.api\. Pass the absolute path\./,
    );
    await window.run(writeFile, { path: window.path('packages/api/new.ts'), content: 'x' });
    assert.equal(readFileSync(window.path('packages/api/new.ts'), 'utf8'), 'x');
    assert.match(await textOf(window, listDirectory, {}), /packages\/\nsrc\/$/);
    const renaming = { query: 'root', replacement: 'top', include: [window.path('src/index.ts')] };
    assert.match(await textOf(window, replaceInFiles, renaming), /^-\/\/ root\n\+\/\/ top$/m);
    const { place } = window.ctx.files;
    const told = place.note() ?? '';
    assert.match(told, /^You work in .*packages.api\. Results name files relative to the workspace folder/);
    assert.equal(place.note(), undefined);
  });

  it('in a package that is the only root: "." and relative paths are its own', async () => {
    const window = openWindow(MONO);
    const root = realpathSync.native(window.path('packages/api'));
    const { ctx } = openAgain(window, [root], root);
    assert.match(textsOf(await window.run(listDirectory, {}, undefined, ctx))[0] ?? '', /^src\/$/);
    const read = await window.run(readFile, { path: 'src/index.ts' }, undefined, ctx);
    assert.equal(textsOf(read)[0], '// api\n');
  });

  it('beside all folders: nothing is meant that the agent has too', async () => {
    const window = openWindow({
      one: { 'src/a.ts': 'open' },
      two: { 'src/a.ts': 'own', '.git': 'gitdir: x' },
    });
    window.fake.person.opensFolders([window.path('.')]);
    const { ctx } = openAgain(window, undefined, window.path('../two'));
    const elsewhere = openAgain(window, undefined, '/').ctx;
    assert.equal(elsewhere.files.place.note(), undefined, 'a program may start anywhere');
    await assert.rejects(
      window.run(readFile, { path: 'src/a.ts' }, undefined, ctx),
      /"src\/a\.ts" is ambiguous: in the workspace folder .*one.src.a\.ts\. Your own .*two.src.a\.ts is not open in this window\./,
    );
    assert.match(
      ctx.files.place.note() ?? '',
      /^Your directory .*two is not open in this window: relative paths mean what is open\.$/,
    );
  });

  it('in one of several folders: of several files of one name, the one there', async () => {
    const window = openWindow(
      { one: { 'src/a.ts': '1' }, two: { 'src/a.ts': '2' } },
      { directory: '../two/src' },
    );
    assert.equal(await textOf(window, readFile, { path: 'src/a.ts' }), '2');
  });

  describe('in a linked worktree inside a folder', () => {
    function worktree(ignored: boolean): Window {
      const window = openWindow(
        { 'src/a.ts': 'export const a = 1;\n', ...(ignored && { '.gitignore': '.claude/worktrees/\n' }) },
        { directory: '.claude/worktrees/feat/src' },
      );
      const git = (cwd: string, ...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
          cwd,
          stdio: 'ignore',
        });
      git(window.path('.'), 'init');
      git(window.path('.'), 'add', '.');
      git(window.path('.'), 'commit', '-m', 'x');
      git(window.path('.'), 'worktree', 'add', '.claude/worktrees/feat', '-b', 'feat');
      return window;
    }

    for (const ignored of [true, false])
      it(`relative paths, lists and searches mean the worktree, ${ignored ? 'ignored' : 'or not'}`, async () => {
        const window = worktree(ignored);
        const top = '.claude/worktrees/feat';
        window.consent.always = ['edit'];
        const edits = [{ oldText: '1', newText: '2 // feat' }];
        await window.run(editFile, { path: 'src/a.ts', edits });
        assert.equal(window.consent.questions.length, 0, 'it is no setting of an agent');
        assert.equal(readFileSync(window.path(`${top}/src/a.ts`), 'utf8'), 'export const a = 2 // feat;\n');
        assert.equal(readFileSync(window.path('src/a.ts'), 'utf8'), 'export const a = 1;\n');
        assert.match(await textOf(window, readFile, { path: 'src/a.ts' }), /feat/);
        const shown = await textOf(window, searchText, { query: 'export const' });
        assert.equal(shown, 'src/a.ts\n1: export const a = 2 // feat;');
        assert.equal(await textOf(window, findFiles, { query: 'a.ts' }), 'src/a.ts');
        assert.match(await textOf(window, listDirectory, {}), /^(\.gitignore \(\d+\)\n)?src\/$/);
        await window.run(writeFile, { path: 'new.ts', content: 'new' });
        assert.equal(readFileSync(window.path(`${top}/new.ts`), 'utf8'), 'new');
        const main = await window.run(readFile, { path: window.path('src/a.ts') });
        assert.equal(textsOf(main)[0], 'export const a = 1;\n');
        const told = window.ctx.files.place.note() ?? '';
        assert.match(told, /^You work in .*feat: relative paths, lists and searches mean that checkout/);
      });

    it('the settings in it are asked about, and an agent in the folder finds each file once', async () => {
      const window = worktree(false);
      const { ctx } = openAgain(window, undefined, window.path('.'));
      const found = await window.run(searchText, { query: 'export const a' }, undefined, ctx);
      assert.equal(textsOf(found)[0], 'src/a.ts\n1: export const a = 1;');
      const { policy } = window.ctx.files;
      const guarded = (path: string) =>
        policy.guardedAs(join(window.path('.claude/worktrees/feat'), path)) !== undefined;
      assert.deepEqual(['src/a.ts', '.claude/settings.json', 'package.json'].map(guarded), [
        false,
        true,
        true,
      ]);
      assert.ok(policy.guardedAs(window.path('.claude/settings.json')));
    });
  });

  const openAgain = (window: Window, roots: readonly string[] | undefined, directory: string) => ({
    ctx: window.contextFor(rootsOf(roots, directory)),
  });
});
