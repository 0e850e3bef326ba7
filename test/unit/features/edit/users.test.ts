import assert from 'node:assert/strict';
import { UserError } from '../../../../src/core/errors.ts';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { replaceInFiles } from '../../../../src/features/edit/replaceInFiles.ts';
import type { CheckState } from '../../../../src/services/language/reports.ts';
import { type FilesArguments, SEEN_AS_BUILT, TSSERVER_REQUEST } from '../../../../src/tsserver/commands.ts';
import { delay } from '../../../../src/util/clock.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { allowing, answer, disk, documentOf, problem, refused } from '../editing.ts';
import { placesOf, withServer } from '../symbols/server.ts';
import { cleanUp, type Window } from '../window.ts';

describe('features/edit/users', () => {
  afterEach(cleanUp);
  const clock = holdClock();

  const LATE = /No report on the current text of b\.ts yet: .*Ask again\.$/;
  const edits = [{ oldText: '1', newText: '2' }];
  const usedIn = (...names: string[]) => {
    const users = names.map((name) => [name, `const ${name.slice(0, -3)} = only;\n`]);
    const window = withServer({ 'a.ts': 'const only = 1;\n', ...Object.fromEntries(users) });
    window.fake.answers.set('vscode.executeReferenceProvider', () =>
      placesOf(window, 'only', 'a.ts', ...names),
    );
    window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
    return window;
  };
  /** What is told of `b.ts`, by what is known of it before the edit and after. */
  const told = async (before: CheckState, after: CheckState, args = {}) => {
    const window = usedIn('b.ts');
    window.ctx.language.of = async ({ path }) => {
      const isEdited = documentOf(window, 'a.ts').getText().includes('2');
      const diagnostics = isEdited && path === 'b.ts' && after === 'checked' ? [problem('broken')] : [];
      return { diagnostics, state: path !== 'b.ts' ? 'checked' : isEdited ? after : before };
    };
    return answer(window, editFile, { path: 'a.ts', edits, ...args });
  };

  it('of which the problems before are not known are told with those of now, or as not checked', async () => {
    const unclear =
      /No problems\.\nProblems in files that use it, new or from before:\nb\.ts\n {2}1:1 error broken$/;
    assert.match(await told('pending', 'checked'), unclear);
    assert.match(await told('pending', 'pending'), LATE);
    assert.match(await told('checked', 'pending'), LATE);
    assert.match(await told('checked', 'unchecked'), /No extension in VS Code is known to check b\.ts\.$/);
    assert.match(
      await told('checked', 'checked'),
      /New problems in files that use it:\nb\.ts\n.*\nNot all files/,
    );
  });

  it('that were not all found say so', async () => {
    const PART =
      /No problems\.\nNot all files that use what changed were checked: call get_diagnostics {"path":"\."}\.$/;
    const checked = async () => ({ diagnostics: [], state: 'checked' as const });
    const many = usedIn(...Array.from({ length: 21 }, (_, index) => `b${index}.ts`));
    many.ctx.language.of = checked;
    assert.match(await answer(many, editFile, { path: 'a.ts', edits }), PART);
    for (const busy of [() => new Promise(() => {}), () => Promise.reject(new Error('busy'))]) {
      const window = usedIn();
      window.ctx.language.of = checked;
      window.fake.answers.set('vscode.executeReferenceProvider', busy);
      assert.match(await clock.settle(answer(window, editFile, { path: 'a.ts', edits }), 10_000), PART);
    }
  });

  it('of which only a body changes are said to be left out by no sentence; the members of a type are no body', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `b${index}.ts`);
    for (const [text, left] of [
      ['only() {\n  1\n}\n', /No problems\.$/],
      ['class only {\n  1\n}\n', /Not all files/],
    ] as const) {
      const window = withServer({
        'a.ts': text,
        ...Object.fromEntries(names.map((one) => [one, 'only()\n'])),
      });
      window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'only', ...names));
      window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
      window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
      assert.match(await answer(window, editFile, { path: 'a.ts', edits }), left);
    }
  });

  it('of a configuration, which decides how others are checked, are not known', async () => {
    const window = allowing({ 'tsconfig.base.json': '1', 'data.json': '1' });
    window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
    const told = (path: string) => clock.settle(answer(window, editFile, { path, edits }), 5_000);
    assert.match(await told('tsconfig.base.json'), /\nNot all files that use what changed were checked: /);
    assert.match(await told('data.json'), /saved\.\nNo problems\.$/);
  });

  it('of what a file only hands on are not known: no symbol is there to search for', async () => {
    const PART = /\nNot all files that use what changed were checked: /;
    const told = async (before: string, oldText: string, newText: string, args = {}) => {
      const window = withServer({ 'index.ts': `${before}const own = 1;\n` });
      window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
      window.fake.answers.set('vscode.executeReferenceProvider', () => []);
      window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
      const call = { path: 'index.ts', edits: [{ oldText, newText }], ...args };
      return clock.settle(answer(window, editFile, call), 5_000);
    };
    const list =
      "import a from './a.js';\nexport{\n  a,\n  b,\n} from './lib.js';\nexport * from './all.js';\n";
    assert.match(await told(list, '  b,\n', ''), PART);
    assert.match(await told(list, "export * from './all.js';\n", ''), PART);
    assert.doesNotMatch(await told(list, "import a from './a.js';\n", ''), PART);
    assert.doesNotMatch(await told(list, '  b,\n', '  b,\n  c,\n'), PART);
    await refused(told(list, '  b,\n', '', { keepIf: 'no_new_errors' }), /taken back, because of keepIf/);
  });

  it('that are found only after the edit are told with the problems of now: a server that starts answers late', async () => {
    const window = usedIn('b.ts');
    const places = placesOf(window, 'only', 'a.ts', 'b.ts');
    window.fake.answers.set('vscode.executeReferenceProvider', () => delay(9_000).then(() => places));
    window.ctx.language.of = async ({ path }) => ({
      diagnostics: path === 'b.ts' ? [problem('broken')] : [],
      state: 'checked' as const,
    });
    const done = clock.settle(answer(window, editFile, { path: 'a.ts', edits }), 9_000);
    assert.match(await done, /new or from before:\nb\.ts\n {2}1:1 error broken\nNot all files/);
  });

  it('that see what is built are named, and keepIf keeps nothing', async () => {
    const window = usedIn('b.ts');
    window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' as const });
    window.fake.answers.set(TSSERVER_REQUEST, (command, asked) =>
      command === SEEN_AS_BUILT
        ? { body: (asked as FilesArguments).files.filter((file) => file.endsWith('b.ts')) }
        : { body: [] },
    );
    assert.match(
      await answer(window, editFile, { path: 'a.ts', edits }),
      /No problems\.\n1 file sees it as it was built \(b\.ts\): build it, then call get_diagnostics\.$/,
    );
    const again = { path: 'a.ts', edits: [{ oldText: '2', newText: '3' }], keepIf: 'no_new_errors' };
    await refused(answer(window, editFile, again), /some see what is built of it/);
  });

  it('by their name are checked too, as a server may not have loaded them, if more than a body changes', async () => {
    for (const [before, isBody] of [
      ['const only = 1;\n', false],
      ['only() {\n  1\n}\n', true],
    ] as const) {
      const window = withServer({ 'a.py': before, 'b.py': 'only()\n' });
      window.fake.extensions.brings({ languages: [{ id: 'python', extensions: ['.py'] }] });
      window.fake.extensions.installs('python');
      window.fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
      window.fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'only', 'a.py'));
      window.ctx.language.of = async ({ path }) => ({
        diagnostics:
          path === 'b.py' && documentOf(window, 'a.py').getText() !== before ? [problem('broken')] : [],
        state: 'checked',
      });
      const said = await answer(window, editFile, { path: 'a.py', edits });
      assert.equal(/New problems in files that use it:\nb\.py/.test(said), !isBody, said);
    }
  });

  describe('that are in no list, as they use what changes through another file,', () => {
    /** A server reports on `b.go` and `old.go`, which nothing has opened, as a program; `b.go` breaks later than the report on the edited file. */
    const withProgram = () => {
      const window = withServer({ 'a.go': 'const only = 1;\n', 'b.go': 'uses\n', 'old.go': 'old\n' });
      const { fake } = window;
      fake.person.sets('workspaceMcp.approvals', { edit: 'allow' });
      fake.extensions.installs('go');
      fake.answers.set('vscode.executeReferenceProvider', () => placesOf(window, 'only', 'a.go'));
      window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
      const reportsOn = (name: string, ...messages: string[]) =>
        fake.person.reports(
          window.path(name),
          messages.map((one) => problem(one)),
        );
      reportsOn('old.go', 'was broken before');
      reportsOn('b.go');
      fake.api.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.getText().includes('2')) void delay(500).then(() => reportsOn('b.go', 'is broken'));
      });
      return window;
    };
    const FOUND = /files that use it:\nb\.go\n {2}1:1 error is broken$/;

    it('are told if a server that checks whole programs reports them', async () => {
      const done = answer(withProgram(), editFile, { path: 'a.go', edits });
      assert.match(await clock.settle(done, 5_000), FOUND);
    });

    it('keep no edit with keepIf', async () => {
      const window = withProgram();
      const done = answer(window, editFile, { path: 'a.go', edits, keepIf: 'no_new_errors' });
      await refused(clock.settle(done, 5_000), /New problems:\nb\.go\n {2}1:1 error is broken$/);
    });
  });

  describe('keepIf keeps no edit', () => {
    const args = { path: 'a.ts', edits, keepIf: 'no_new_errors' };
    const TAKEN_BACK = /taken back, because of keepIf\. Nothing was saved/;
    const isTakenBack = async (window: Window, reason: RegExp) => {
      await refused(clock.settle(answer(window, editFile, args), 20_000), TAKEN_BACK);
      await refused(clock.settle(answer(window, editFile, args), 20_000), reason);
      assert.equal(disk(window, 'a.ts'), 'const only = 1;\n');
    };

    it('if not all files that use what changes are known, or were checked before', async () => {
      const window = usedIn();
      window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
      window.fake.answers.set('vscode.executeReferenceProvider', () => new Promise(() => {}));
      await isTakenBack(window, /did not find all files that use what changes in time/);
      await assert.rejects(told('pending', 'checked', args), /new or from before:\nb\.ts/);
    });

    it('of a header that breaks another file on the disk: it is saved for the check, and the old text again', async () => {
      const window = allowing({ 'a.c': '1\n', 'b.c': '1\n' });
      const isSaved = () => disk(window, 'a.c') === '2\n';
      window.ctx.language.of = async ({ path }) => {
        const diagnostics = path === 'b.c' && isSaved() ? [problem('broken')] : [];
        return { diagnostics, state: 'checked' };
      };
      const done = answer(window, replaceInFiles, {
        query: '1',
        replacement: '2',
        dryRun: false,
        keepIf: 'no_new_errors',
      });
      await refused(
        done,
        /It was saved for the check, and the old text is saved again\.\nNew problems:\nb\.c/,
      );
      assert.deepEqual([disk(window, 'a.c'), disk(window, 'b.c')], ['1\n', '1\n']);
    });
  });

  it('a file that cannot be loaded is told as not checked after an edit, not as clean', async () => {
    const window = allowing({ 'a.txt': '1' });
    window.ctx.language.of = async () => {
      throw new UserError('It is binary.');
    };
    assert.match(
      await answer(window, editFile, { path: 'a.txt', edits: [{ oldText: '1', newText: '2' }] }),
      /saved\.\nNo extension in VS Code is known to check a\.txt\.$/,
    );
  });
});
