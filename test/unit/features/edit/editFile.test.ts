import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { holdClock } from '../../../fakes/clock.ts';
import type { FakeDocument } from '../../../fakes/text.ts';
import { itWithLinks } from '../../../temporary.ts';
import {
  allowing,
  answer,
  asked,
  disk,
  documentOf,
  ONCE,
  openUnwatched,
  problem,
  refused,
} from '../editing.ts';
import { CALL, cleanUp, openWindow, type Tree, type Window } from '../window.ts';

const A_TO_B = [{ oldText: 'a', newText: 'b' }];

const edit = (window: Window, path: string, edits: object[] = A_TO_B, more: object = {}): Promise<string> =>
  answer(window, editFile, { path, edits, ...more });

describe('features/edit/editFile', () => {
  afterEach(cleanUp);

  it('edits a file that is not loaded, once the user has seen the diff, and saves it, as one step', async () => {
    const window = allowing({ 'src/x.txt': 'one a\ntwo\nthree\n' });
    const edits = [...A_TO_B, { oldText: 'three\n', newText: '' }];
    const text = await edit(window, 'src/x.txt', edits);
    assert.equal(text, 'src/x.txt: 2 replacements, version 2, saved.\nNo problems.');
    assert.equal(disk(window, 'src/x.txt'), 'one b\ntwo\n');
    const [question] = window.consent.questions;
    assert.partialDeepStrictEqual(question, { kind: 'edit', tool: 'edit_file', subject: 'src/x.txt' });
    assert.partialDeepStrictEqual(question?.diffs, [
      { before: 'one a\ntwo\nthree\n', after: 'one b\ntwo\n' },
    ]);
    const document = documentOf(window, 'src/x.txt');
    window.fake.person.undoes(document);
    assert.equal(document.getText(), 'one a\ntwo\nthree\n');
  });

  it('refuses a change with too many lines between its first and last place, and asks nobody', async () => {
    const text = `a\n${'\n'.repeat(260_000)}c\n`;
    const window = openUnwatched({ x: text });
    const edits = [...A_TO_B, { oldText: 'c', newText: 'd' }];
    await refused(edit(window, 'x', edits), /x is unchanged: there are too many lines.*Edit one place/);
    assert.deepEqual([window.consent.questions.length, disk(window, 'x')], [0, text]);
  });

  it('waits for room for the text before and after', async () => {
    for (const dryRun of [false, true]) {
      const window = allowing({ x: 'a\n' });
      const room: number[] = [];
      const makeRoom = async (bytes: number) => void room.push(bytes);
      await window.run(editFile, { path: 'x', edits: A_TO_B, dryRun }, { ...CALL, makeRoom });
      assert.deepEqual(room, [4]);
    }
  });

  it('keeps line ends and a byte order mark, in an empty file and far from its beginning', async () => {
    for (const [before, oldText, newText, after] of [
      ['\ufeffa\r\nm\r\n', 'a\nm\n', 'b\nn\n', '\ufeffb\r\nn\r\n'],
      ['', '', 'b\n', 'b\n'],
      [`${'x\r\n'.repeat(99)}a\r\ny`, 'a', 'b', `${'x\r\n'.repeat(99)}b\r\ny`],
    ] as const) {
      const window = allowing({ x: before });
      await edit(window, 'x', [{ oldText, newText }]);
      assert.equal(disk(window, 'x'), after);
    }
  });

  describe('with dryRun', () => {
    it('shows a unified diff, asks nobody and loads nothing', async () => {
      const window = openUnwatched({ x: 'one\r\na\r\nthree\r\n' });
      const diff = await edit(window, 'x', A_TO_B, { dryRun: true });
      assert.equal(diff, '--- x\tbefore\n+++ x\tafter\n@@ -1,3 +1,3 @@\n one\n-a\n+b\n three\n');
      assert.deepEqual([window.consent.questions, window.fake.documents], [[], []]);
      assert.equal(disk(window, 'x'), 'one\r\na\r\nthree\r\n');
    });

    it('bounds what it shows', async () => {
      const lines = (name: string) => Array.from({ length: 600 }, (_, index) => `${name}${index}\n`).join('');
      const window = openUnwatched({ x: lines('x'), y: 'a' });
      const all = [{ oldText: lines('x'), newText: lines('y') }];
      assert.match(await edit(window, 'x', all, { dryRun: true }), /too many lines/);
      const long = [{ oldText: 'a', newText: 'b'.repeat(200_000) }];
      const diff = await edit(window, 'y', long, { dryRun: true });
      assert.match(diff, /\nThe first 24000 of 200\d+ characters/);
      assert.ok(diff.length < 24_200);
    });
  });

  it('asks nobody where it does not fit, the agent has seen another version, or it is no text, nor with dryRun', async () => {
    const window = openUnwatched({ x: 'a a\n', y: 'a\n', 'd/data.bin': Buffer.from([0, 1, 97]) });
    for (const [path, why] of [
      ['x', /^x is unchanged: oldText of the edit occurs more than once/],
      ['y', /^y is unchanged: it changed since you read it \(version 1, expected 7\)/],
      ['d/data.bin', /^d\/data\.bin is not text \(3 bytes\)/],
      ['d', /^d is a folder\. Only text files/],
    ] as const)
      for (const dryRun of [false, true])
        await refused(edit(window, path, A_TO_B, { dryRun, expectedVersion: path === 'y' ? 7 : 1 }), why);
    assert.deepEqual(window.consent.questions, []);
  });

  itWithLinks('edits what the person has open, unsaved, by a link, and without a file', async () => {
    const window = allowing({ x: 'a\n' });
    symlinkSync(window.path('x'), window.path('link'));
    const document = window.fake.person.opensTab(window.path('x'));
    window.fake.person.types(document, 'a, typed\n');
    assert.match(await edit(window, 'link'), /not saved: the file has other unsaved changes/);
    assert.deepEqual([document.getText(), window.fake.documents.length], ['b, typed\n', 1]);
    const untitled = window.fake.person.opensUntitled('Untitled-1', 'a');
    untitled.isDirty = false;
    assert.match(await edit(window, 'untitled:Untitled-1'), /not saved/);
    assert.deepEqual([untitled.getText(), untitled.isDirty], ['b', true]);
  });

  describe('says so where VS Code', () => {
    const clock = holdClock();
    let window: Window;
    let document: FakeDocument;

    beforeEach(() => {
      window = allowing({ x: 'a\n' });
      document = window.fake.person.loads(window.path('x'));
    });

    /** An edit that need not wait for what VS Code does next. */
    const edited = () => clock.settle(edit(window, 'x'), 50);

    it('holds it read-only, and takes it back', async () => {
      document.isReadOnly = true;
      await refused(edited(), /holds x read-only.*was reverted/);
      assert.deepEqual([document.getText(), disk(window, 'x')], ['a\n', 'a\n']);
    });

    it('cannot save it over what another program has written, and calls nothing of that the text of the user', async () => {
      document.save = async () => {
        writeFileSync(window.path('x'), 'other\n');
        return false;
      };
      await refused(edited(), /could not save x.*was reverted/);
      await refused(edited(), /changed on the disk/);
      assert.equal(disk(window, 'x'), 'other\n');
    });

    it('is saving it by itself already, which refuses another save', async () => {
      const save = document.save.bind(document);
      document.save = async () => false;
      const editing = edit(window, 'x');
      await clock.passWait(50);
      await save();
      await clock.passWait(50);
      assert.match(await editing, /, saved\./);
      assert.deepEqual([disk(window, 'x'), document.isDirty], ['b\n', false]);
    });

    it('changes more on saving', async () => {
      document.onSave = (text) => `${text}\n`;
      assert.match(await edited(), /, saved\.\nOn save, .* changed more:\n@@ .* @@\n\+\nNo problems/);
      assert.equal(disk(window, 'x'), 'b\n\n');
    });
  });

  describe('tells what saving made of the edit', () => {
    const IMPORT = "import { add } from './b.js';\n";
    const importing = [{ oldText: 'export', newText: `${IMPORT}export` }];
    /** A window in which saving removes the import that is not used. */
    function organizing(text: string): Window {
      const window = allowing({ x: text });
      const saved = (text: string) => text.replace(IMPORT, '').replace(/ +$/gm, '');
      window.fake.person.loads(window.path('x')).onSave = saved;
      return window;
    }

    it('all of it taken back: with the lines, and no edit to undo', async () => {
      const window = organizing('export const a = 1;\n');
      assert.equal(
        await edit(window, 'x', importing),
        'x: 1 replacement, version 3, saved.\nThe edit has no effect: on save, an action or formatter of the user took it back:\n' +
          "@@ -1,1 +0,0 @@\n-import { add } from './b.js';\n" +
          'An import that nothing uses is removed: add it together with its use.\nNo problems.',
      );
      assert.deepEqual(window.ctx.files.edits.own.list(), []);
    });

    it('a part of it, other lines, and not what agents may not see', async () => {
      const window = organizing('export const a = 1;\nkey=secret  \ntwo  \n');
      window.fake.person.sets('workspaceMcp.access.redact', ['secret']);
      const text = await edit(window, 'x', importing);
      assert.match(
        text,
        /changed more:\n@@ .*\n-import .*\n@@ .*\n-key=\[redacted\] {2}\n-two {2}\n\+key=\[redacted\]\n\+two\n/,
      );
      assert.equal(window.ctx.files.edits.own.list().length, 1);
    });
  });

  describe('tells the problems that the edit leaves', () => {
    /** A window in which each word that begins with "bad" is wrong. */
    function checking(text: string): Window {
      const window = allowing({ x: text });
      window.ctx.language.of = async (location) => {
        const text = window.ctx.files.openDocument(location)?.getText();
        const words = text?.match(/\bbad\w*/g) ?? [];
        return { diagnostics: words.map((word) => problem(word)), state: 'checked' };
      };
      window.fake.person.loads(window.path('x'));
      return window;
    }

    it('twenty of them at most, and not "no problems" if nothing checks the file', async () => {
      const window = openWindow({ 'x.txt': 'a\n' });
      window.consent.always = ['edit'];
      const unchecked = await edit(window, 'x.txt');
      assert.match(unchecked, /saved\.\nNo extension in VS Code is known to check x\.txt\.$/);
      const all = Array.from({ length: 25 }, (_, index) => `bad${index}`).join(' ');
      const text = await edit(checking('a\n'), 'x', [{ oldText: 'a', newText: all }]);
      assert.match(text, /1:1 error bad19\n {2}and 5 more: get_diagnostics \{"paths":\["x"\]\}$/);
    });

    it('told apart: new, gone, and from before', async () => {
      const window = checking('bad1 bad2 a');
      const first = await edit(window, 'x', [{ oldText: 'bad2 a', newText: 'bad3' }]);
      assert.match(first, /New problems:\nx\n {2}1:1 error bad3\n1 problem is gone\.$/);
      const second = await edit(window, 'x', [{ oldText: 'bad3', newText: 'b' }]);
      assert.match(second, /\nNo new problems; 1 from before\.\n1 problem is gone\.$/);
    });

    it('all as maybe new, if those before are not known, or that none are: the edit is done all the same', async () => {
      const window = checking('a');
      const { of } = window.ctx.language;
      window.ctx.language.of = async (...args) => {
        window.ctx.language.of = of;
        return { ...(await of(...args)), state: 'pending' };
      };
      const text = await edit(window, 'x', [{ oldText: 'a', newText: 'bad' }]);
      assert.match(text, /saved\.\nProblems, new or from before:\nx\n {2}1:1 error bad$/);
      window.ctx.language.of = async () => {
        throw new Error('no');
      };
      const unknown = await edit(window, 'x', [{ oldText: 'bad', newText: 'a' }]);
      assert.match(unknown, /saved\.\nThe problems after the edit are unknown/);
      assert.match(window.warnings.join(), /problems after an edit/);
    });

    it('fewer of those that are maybe new, the errors first', async () => {
      const window = checking('a');
      const bad = Array.from({ length: 25 }, (_, index) =>
        Object.assign(problem(`bad${index}`), { severity: index < 20 ? 1 : 0 }),
      );
      window.ctx.language.of = async () => {
        window.ctx.language.of = async () => ({ diagnostics: bad, state: 'checked' });
        return { diagnostics: [], state: 'pending' };
      };
      const text = await edit(window, 'x', [{ oldText: 'a', newText: 'b' }]);
      assert.match(
        text,
        /\nProblems, new or from before:\nx\n {2}1:1 error bad20\n(.*\n){4} {2}1:1 warning bad0\n(.*\n){2} {2}and 17 more: get_/,
      );
    });

    it('and takes the edit back, unsaved, with keepIf', async () => {
      const window = checking('bad1 x');
      const document = documentOf(window, 'x');
      document.onSave = (text) => {
        assert.notEqual(text, 'bad1 bad2');
        return text;
      };
      const kept = (newText: string) =>
        edit(window, 'x', [{ oldText: 'x', newText }], { keepIf: 'no_new_errors' });
      await refused(
        kept('bad2'),
        /taken back, because of keepIf\. Nothing was saved\.\nNew problems:\nx\n {2}1:1 error bad2$/,
      );
      assert.deepEqual([document.getText(), disk(window, 'x')], ['bad1 x', 'bad1 x']);
      assert.match(await kept('x b'), /saved\.\nNo new problems; 1 from/);
      window.ctx.language.of = async () => ({ diagnostics: [], state: 'pending' });
      await refused(kept('c'), /taken back.*\nNo report on the current text of x yet/s);
      assert.equal(disk(window, 'x'), 'bad1 x b');
    });
  });

  describe('while the user decides', () => {
    /** An edit that waits for its answer. */
    async function waiting(tree: Tree = { x: 'a\n' }, more: object = {}) {
      const window = openUnwatched(tree);
      const document = window.fake.person.loads(window.path('x'));
      const editing = edit(window, 'x', A_TO_B, more);
      editing.catch(() => {});
      await asked(window);
      return { window, document, editing, answers: () => window.consent.answer(ONCE) };
    }

    itWithLinks('the file may be swapped for a link to another one', async () => {
      const { window, editing, answers } = await waiting({ x: 'a\n', y: 'a\n' });
      rmSync(window.path('x'));
      symlinkSync(window.path('y'), window.path('x'));
      answers();
      await refused(editing, /x was replaced/);
      assert.equal(disk(window, 'y'), 'a\n');
    });

    itWithLinks('the folder above may be swapped for a link to another one', async () => {
      const window = openUnwatched({ 'd/x': 'a\n', 'other/x': 'a\n' });
      const editing = edit(window, 'd/x');
      editing.catch(() => {});
      await asked(window);
      renameSync(window.path('d'), window.path('away'));
      symlinkSync(window.path('other'), window.path('d'));
      window.consent.answer(ONCE);
      await refused(editing, /x was replaced/);
      assert.deepEqual([disk(window, 'other/x'), disk(window, 'away/x')], ['a\n', 'a\n']);
    });

    it('the file may be replaced by another one with the same text: that one is opened, judged and edited', async () => {
      const { window, editing, answers } = await waiting();
      writeFileSync(window.path('new'), 'a\n');
      renameSync(window.path('new'), window.path('x'));
      answers();
      assert.match(await editing, /x: 1 replacement, version 2, saved/);
      assert.deepEqual([disk(window, 'x'), window.consent.questions.length], ['b\n', 1]);
    });

    it('the file may be closed to agents', async () => {
      const { window, editing, answers } = await waiting();
      window.fake.person.sets('workspaceMcp.access.deniedPaths', ['x']);
      answers();
      await refused(editing, /x is closed to agents/);
      assert.equal(disk(window, 'x'), 'a\n');
    });

    for (const [what, target, told] of [
      ['to another file', 'y', /is not what was saved/],
      ['to a secret', '.env', /x was edited, but it is no longer the file you asked for: .*closed/],
    ] as const)
      itWithLinks(`a link ${what} that comes right before VS Code saves is told`, async () => {
        const { window, document, editing, answers } = await waiting({ x: 'a\n', y: 'a\n', '.env': 'a\n' });
        document.onSave = (text) => {
          rmSync(window.path('x'));
          symlinkSync(window.path(target), window.path('x'));
          return text;
        };
        answers();
        assert.match(await editing.catch((error: Error) => error.message), told);
      });

    it('the text may become one that does not fit, or another version than the agent has named', async () => {
      for (const [typed, why, more] of [
        ['a a\n', /more than once/, {}],
        ['a, more\n', /version 2, expected 1/, { expectedVersion: 1 }],
      ] as const) {
        const { window, document, editing, answers } = await waiting({ x: 'a\n' }, more);
        window.fake.person.types(document, typed);
        answers();
        await refused(editing, why);
        assert.deepEqual([document.getText(), disk(window, 'x')], [typed, 'a\n']);
      }
    });

    it('the file may be deleted: it does not come back', async () => {
      for (const [hasTab, why] of [
        [false, /There is no file or folder x/],
        [true, /x is no longer on the disk/],
      ] as const) {
        const { window, document, editing, answers } = await waiting();
        if (hasTab) window.fake.person.opensTab(window.path('x'));
        rmSync(window.path('x'));
        answers();
        await refused(editing, why);
        assert.deepEqual([document.getText(), existsSync(window.path('x'))], ['a\n', false]);
      }
    });
  });
});
