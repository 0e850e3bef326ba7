import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Diagnostic } from 'vscode';
import type { Answer } from '../../../../src/access/consent/types.ts';
import { CancelledError, UserError } from '../../../../src/core/errors.ts';
import { editFile } from '../../../../src/features/edit/editFile.ts';
import { FakeDiagnostic, Range } from '../../../fakes/text.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { itWithLinks } from '../../../temporary.ts';
import { CALL, cleanUp, openWindow, type Tree, textsOf, type Window } from '../window.ts';

const ONCE: Answer = { allow: 'once' };
const A_TO_B = [{ oldText: 'a', newText: 'b' }];

/** A window in which no language server has to be waited for. */
function open(tree: Tree, options: Partial<FakeOptions> = {}): Window {
  const window = openWindow(tree, options);
  window.ctx.language.of = async () => ({ diagnostics: [], state: 'checked' });
  return window;
}

const edit = (window: Window, path: string, edits: object[] = A_TO_B, more: object = {}, call = CALL) =>
  window.run(editFile, { path, edits, ...more }, call);

const disk = (window: Window, path: string) => readFileSync(window.path(path), 'utf8');

/** Until the person has been asked. */
async function asked(window: Window, times = 1): Promise<void> {
  while (window.consent.questions.length < times) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('features/edit/editFile', () => {
  afterEach(cleanUp);

  it('edits a file that is not loaded, saves it, and tells its version', async () => {
    const window = open({ 'src/x.txt': 'one a\ntwo\n' });
    window.consent.answers.push(ONCE);
    const edits = [
      { oldText: 'a', newText: 'b' },
      { oldText: 'two\n', newText: '' },
    ];
    const [text] = textsOf(await edit(window, 'src/x.txt', edits));
    assert.equal(text, 'src/x.txt: 2 replacements, version 2, saved.\nNo problems.');
    assert.equal(disk(window, 'src/x.txt'), 'one b\n');
  });

  it('asks the person first, with the diff', async () => {
    const window = open({ x: 'a\n' });
    const editing = edit(window, 'x');
    await asked(window);
    assert.equal(disk(window, 'x'), 'a\n');
    const [question] = window.consent.questions;
    assert.partialDeepStrictEqual(question, {
      kind: 'edit',
      tool: 'edit_file',
      subject: 'x',
      agent: 'test',
    });
    assert.deepEqual([question?.diffs?.[0]?.before, question?.diffs?.[0]?.after], ['a\n', 'b\n']);
    assert.equal(String(question?.diffs?.[0]?.uri), window.uri('x'));
    window.consent.answer(ONCE);
    await editing;
    assert.equal(disk(window, 'x'), 'b\n');
  });

  it('refuses a change with too many lines between its first and last place, and asks nobody', async () => {
    const text = `a\n${'\n'.repeat(300_000)}c\n`;
    const window = open({ x: text });
    const edits = [...A_TO_B, { oldText: 'c', newText: 'd' }];
    await assert.rejects(
      edit(window, 'x', edits),
      /x is unchanged: there are too many lines.*Edit one place at a time/,
    );
    assert.deepEqual([window.consent.questions.length, disk(window, 'x')], [0, text]);
  });

  for (const dryRun of [false, true])
    it(`waits for room for the text before and after, dryRun ${dryRun}`, async () => {
      const window = open({ x: 'a\n' });
      window.consent.answers.push(ONCE);
      const room: number[] = [];
      const makeRoom = async (bytes: number) => void room.push(bytes);
      await edit(window, 'x', A_TO_B, { dryRun }, { ...CALL, makeRoom });
      assert.deepEqual(room, [4]);
    });

  it('is one step that the person can undo', async () => {
    const window = open({ x: 'a\nm\nz\n' });
    const document = window.fake.person.loads(window.path('x'));
    window.consent.answers.push(ONCE);
    await edit(window, 'x', [...A_TO_B, { oldText: 'z', newText: 'y' }]);
    assert.deepEqual([document.getText(), document.version], ['b\nm\ny\n', 2]);
    window.fake.person.undoes(document);
    assert.equal(document.getText(), 'a\nm\nz\n');
  });

  describe('what was', () => {
    it('saved stays saved', async () => {
      const window = open({ x: 'a\n' });
      const document = window.fake.person.opensTab(window.path('x'));
      window.consent.answers.push(ONCE);
      assert.match(textsOf(await edit(window, 'x'))[0] ?? '', /version 2, saved\./);
      assert.deepEqual([document.isDirty, disk(window, 'x')], [false, 'b\n']);
    });

    it('not saved stays so, and the file on the disk as it is', async () => {
      const window = open({ x: 'a\n' });
      const document = window.fake.person.opensTab(window.path('x'));
      window.fake.person.types(document, 'a, more\n');
      window.consent.answers.push(ONCE);
      assert.match(
        textsOf(await edit(window, 'x'))[0] ?? '',
        /version 3, not saved: the file has other unsaved changes/,
      );
      assert.deepEqual([document.getText(), document.isDirty, disk(window, 'x')], ['b, more\n', true, 'a\n']);
    });
  });

  const ENDS: [what: string, before: string, edits: object[], after: string][] = [
    ['CRLF, quoted with LF', 'a\r\nm\r\n', [{ oldText: 'a\nm\n', newText: 'b\nn\n' }], 'b\r\nn\r\n'],
    ['CRLF, quoted with CRLF', 'a\r\nm\r\n', [{ oldText: 'a\r\nm', newText: 'b\r\nn' }], 'b\r\nn\r\n'],
    ['LF, quoted with CRLF', 'a\nm\n', [{ oldText: 'a\r\nm', newText: 'b\r\nn' }], 'b\nn\n'],
    ['a byte order mark', '\ufeffa\r\nm', A_TO_B, '\ufeffb\r\nm'],
    ['no newline at the end', 'm\na', A_TO_B, 'm\nb'],
    ['an empty file, which it fills', '', [{ oldText: '', newText: 'b\n' }], 'b\n'],
    ['an end far from the beginning', `${'x\r\n'.repeat(99)}a\r\ny`, A_TO_B, `${'x\r\n'.repeat(99)}b\r\ny`],
  ];
  for (const [what, before, edits, after] of ENDS) {
    it(`keeps ${what}`, async () => {
      const window = open({ x: before });
      window.consent.answers.push(ONCE);
      await edit(window, 'x', edits);
      assert.equal(disk(window, 'x'), after);
    });
  }

  describe('with dryRun', () => {
    it('shows a unified diff, asks nobody and loads nothing', async () => {
      const window = open({ x: 'one\r\na\r\nthree\r\n' });
      const [diff] = textsOf(await edit(window, 'x', A_TO_B, { dryRun: true }));
      assert.equal(diff, '--- x\tbefore\n+++ x\tafter\n@@ -1,3 +1,3 @@\n one\n-a\n+b\n three\n');
      assert.deepEqual([window.consent.questions, window.fake.documents], [[], []]);
      assert.equal(disk(window, 'x'), 'one\r\na\r\nthree\r\n');
    });

    it('looks at unsaved text, and at its version', async () => {
      const window = open({ x: 'a' });
      window.fake.person.types(window.fake.person.loads(window.path('x')), 'a typed');
      assert.match(
        textsOf(await edit(window, 'x', A_TO_B, { dryRun: true, expectedVersion: 2 }))[0] ?? '',
        /\+b typed/,
      );
      await assert.rejects(
        edit(window, 'x', A_TO_B, { dryRun: true, expectedVersion: 1 }),
        /version 2, expected 1/,
      );
    });

    it('bounds what it shows', async () => {
      const lines = (name: string) =>
        Array.from({ length: 5000 }, (_, index) => `${name}${index}\n`).join('');
      const window = open({ x: lines('x'), y: 'a' });
      const all = [{ oldText: lines('x'), newText: lines('y') }];
      assert.match(textsOf(await edit(window, 'x', all, { dryRun: true }))[0] ?? '', /too many lines/);
      const long = [{ oldText: 'a', newText: 'b'.repeat(200_000) }];
      const [diff, note] = textsOf(await edit(window, 'y', long, { dryRun: true }));
      assert.equal(diff?.length, 24_000);
      assert.match(note ?? '', /^The first 24000 of 200\d+ characters/);
    });
  });

  describe('changes nothing and asks nobody', () => {
    const TREE = {
      x: 'a a\n',
      y: 'a\n',
      'folder/z': '',
      'data.bin': Buffer.from([0, 1, 97]),
      '.env': 'a',
      big: 'a'.padEnd(3000),
    };
    const REFUSED: [what: string, path: string, more: object, message: RegExp][] = [
      ['where it does not fit', 'x', {}, /^x is unchanged: oldText of the edit occurs more than once/],
      [
        'where the agent has seen another version',
        'y',
        { expectedVersion: 7 },
        /^y is unchanged: it changed since you read it \(version 1, expected 7\)/,
      ],
      ['of data', 'data.bin', {}, /^data\.bin is not text \(3 bytes\)/],
      ['of a folder', 'folder', {}, /^folder is a folder/],
      ['of what is not there', 'none', {}, /no file or folder "none"/],
      ['of a secret', '.env', {}, /closed to agents/],
      ['outside', '../x', {}, /outside the workspace folders/],
      ['of what is larger than agents may read', 'big', {}, /maxFileSize/],
    ];
    for (const [what, path, more, message] of REFUSED) {
      for (const dryRun of [false, true]) {
        it(`${what}${dryRun ? ', with dryRun' : ''}`, async () => {
          const window = open(TREE, { user: { 'workspaceMcp.access.maxFileSize': 2000 } });
          await assert.rejects(
            edit(window, path, A_TO_B, { dryRun, ...more }),
            (error: Error) => error instanceof UserError && message.test(error.message),
          );
          assert.deepEqual(window.consent.questions, []);
        });
      }
    }

    for (const [what, options, message] of [
      ['in an untrusted workspace', { isTrusted: false }, /not trusted, so agents may only read/],
      [
        'where editing is switched off',
        { user: { 'workspaceMcp.access.allowedOperations': ['read'] } },
        /"edit" is switched off/,
      ],
      [
        'where a repository has switched it off',
        { workspace: { 'workspaceMcp.access.allowedOperations': ['read'] } },
        /"edit" is switched off/,
      ],
    ] as const) {
      it(what, async () => {
        const window = open(TREE, options);
        await assert.rejects(edit(window, 'y'), message);
        assert.deepEqual([window.consent.questions, disk(window, 'y')], [[], 'a\n']);
      });
    }
  });

  it('that is denied changes nothing, and hands on the reason', async () => {
    const window = open({ x: 'a' });
    window.consent.answers.push({ deny: 'Not in this file.' });
    await assert.rejects(
      edit(window, 'x'),
      new UserError('The user denied this edit. Their reason: Not in this file.'),
    );
    assert.equal(disk(window, 'x'), 'a');
  });

  it('that is cancelled takes the question away and changes nothing', async () => {
    const window = open({ x: 'a' });
    const cancel = new AbortController();
    const editing = edit(window, 'x', A_TO_B, {}, { ...CALL, signal: cancel.signal });
    await asked(window);
    cancel.abort();
    await assert.rejects(editing, CancelledError);
    assert.deepEqual([window.consent.open, disk(window, 'x')], [0, 'a']);
  });

  describe('while the person decides', () => {
    /** An edit that waits for its answer. */
    async function waiting(tree: Tree, more: object = {}) {
      const window = open(tree);
      const document = window.fake.person.loads(window.path('x'));
      const editing = edit(window, 'x', A_TO_B, more);
      editing.catch(() => {});
      await asked(window);
      return { window, document, editing };
    }

    const LINES = 'a\n1\n2\n3\n4\nz\n';

    it('what they type elsewhere is kept, and not saved', async () => {
      const { window, document, editing } = await waiting({ x: LINES });
      window.fake.person.types(document, LINES.replace('z', 'typed'));
      window.consent.answer(ONCE);
      assert.match(textsOf(await editing)[0] ?? '', /not saved/);
      assert.deepEqual([document.getText(), disk(window, 'x')], ['b\n1\n2\n3\n4\ntyped\n', LINES]);
    });

    it('they may type faster than VS Code takes the edit: it is tried until they pause', async () => {
      const { window, document, editing } = await waiting({ x: LINES });
      let typed = '';
      window.fake.beforeEdit = () => {
        if (typed.length === 60) return;
        typed += 'x';
        window.fake.person.types(document, LINES.replace('z', typed));
      };
      window.consent.answer(ONCE);
      assert.match(textsOf(await editing)[0] ?? '', /not saved/);
      assert.equal(document.getText(), `b\n1\n2\n3\n4\n${'x'.repeat(60)}\n`);
    });

    it('what they have agreed to may become something else: they are asked again, with what it is now', async () => {
      const { window, document, editing } = await waiting({ x: LINES });
      window.fake.person.types(document, `unless\n${LINES}`);
      window.consent.answer(ONCE);
      await asked(window, 2);
      assert.deepEqual(document.getText(), `unless\n${LINES}`);
      assert.equal(window.consent.questions[1]?.diffs?.[0]?.before, `unless\n${LINES}`);
      assert.deepEqual(
        window.consent.questions.map(({ again }) => again),
        [undefined, true],
      );
      window.consent.answer(ONCE);
      await editing;
      assert.match(document.getText(), /^unless\nb\n/);
    });

    it('and may allow all that is to come, whatever it is by then', async () => {
      const { window, document, editing } = await waiting({ x: LINES });
      window.fake.person.types(document, `first\n${LINES}`);
      window.consent.answer({ allow: 'session' });
      await editing;
      assert.match(document.getText(), /^first\nb\n/);
      assert.equal(window.consent.questions.length, 1);
    });

    it('the text may become one that the edit does not fit', async () => {
      const { window, document, editing } = await waiting({ x: 'a\n' });
      window.fake.person.types(document, 'a a\n');
      window.consent.answer(ONCE);
      await assert.rejects(editing, /more than once/);
      assert.equal(document.getText(), 'a a\n');
    });

    it('the text may become another version than the one that the agent has named', async () => {
      const { window, document, editing } = await waiting({ x: 'a\n' }, { expectedVersion: 1 });
      window.fake.person.types(document, 'a, more\n');
      window.consent.answer(ONCE);
      await assert.rejects(editing, /version 2, expected 1/);
    });

    it('VS Code may let go of the document: it is loaded again, as it is by then', async () => {
      const { window, document, editing } = await waiting({ x: LINES });
      window.fake.person.closes(document);
      writeFileSync(window.path('x'), LINES.replace('z', 'end'));
      window.consent.answer(ONCE);
      await editing;
      assert.equal(disk(window, 'x'), 'b\n1\n2\n3\n4\nend\n');
    });

    it('VS Code may let go of the document even while it edits: the one that has the edit is saved', async () => {
      const { window, document, editing } = await waiting({ x: LINES });
      window.fake.beforeEdit = () => document.isClosed || window.fake.person.closes(document);
      window.consent.answer(ONCE);
      assert.match(textsOf(await editing)[0] ?? '', /, saved\./);
      assert.equal(disk(window, 'x'), LINES.replace('a', 'b'));
    });

    it('the file may be deleted: it does not come back', async () => {
      const { window, editing } = await waiting({ x: 'a\n' });
      rmSync(window.path('x'));
      window.consent.answer(ONCE);
      await assert.rejects(editing, /x is no longer on the disk/);
      assert.equal(existsSync(window.path('x')), false);
    });

    itWithLinks('the file may be swapped for a link to another one', async () => {
      const { window, editing } = await waiting({ x: 'a\n', y: 'a\n' });
      rmSync(window.path('x'));
      symlinkSync(window.path('y'), window.path('x'));
      window.consent.answer(ONCE);
      await assert.rejects(editing, /x was replaced/);
      assert.equal(disk(window, 'y'), 'a\n');
    });

    it('they may switch edits off, or allow them: that answers the question', async () => {
      for (const [value, isDone] of [
        ['deny', false],
        ['allow', true],
      ] as const) {
        const { window, editing } = await waiting({ x: 'a\n' });
        window.fake.person.sets('workspaceMcp.approvals', { edit: value });
        if (isDone) await editing;
        else await assert.rejects(editing, /switched "edit" off/);
        assert.deepEqual([window.consent.open, disk(window, 'x')], [0, isDone ? 'b\n' : 'a\n']);
      }
    });

    for (const [what, name, value, message] of [
      ['the file may be closed to agents', 'deniedPaths', ['x'], /closed to agents/],
      ['editing may be switched off', 'allowedOperations', ['read'], /"edit" is switched off/],
    ] as const) {
      it(what, async () => {
        const { window, document, editing } = await waiting({ x: 'a\n' });
        window.fake.person.sets(`workspaceMcp.access.${name}`, value);
        window.consent.answer(ONCE);
        await assert.rejects(editing, message);
        assert.equal(document.getText(), 'a\n');
      });
    }

    itWithLinks('the file may be swapped for a link that leads outside', async () => {
      const { window, editing } = await waiting({ x: 'a\n' });
      const outside = openWindow({ target: 'a\n' });
      rmSync(window.path('x'));
      symlinkSync(outside.path('target'), window.path('x'));
      window.consent.answer(ONCE);
      await assert.rejects(editing, /outside the workspace folders/);
      assert.equal(disk(outside, 'target'), 'a\n');
    });

    it('another edit, of what was allowed before, goes on', async () => {
      const { window, editing } = await waiting({ x: 'a\n', y: 'a\n' });
      window.consent.always = ['edit'];
      await edit(window, 'y');
      assert.equal(disk(window, 'y'), 'b\n');
      window.consent.answer(ONCE);
      await editing;
    });
  });

  it('several at once, of the same file, all come through, and it is saved', async () => {
    const window = open({ x: '0\n1\n2\n3\n4\n' });
    window.consent.always = ['edit'];
    const edits = [0, 1, 2, 3, 4].map((digit) =>
      edit(window, 'x', [{ oldText: `${digit}`, newText: `<${digit}>` }]),
    );
    for (const result of await Promise.all(edits)) assert.match(textsOf(result)[0] ?? '', /, saved\./);
    assert.equal(disk(window, 'x'), '<0>\n<1>\n<2>\n<3>\n<4>\n');
  });

  itWithLinks(
    'through a link edits the document that the person has open, unsaved text and all',
    async () => {
      const window = open({ x: 'a\n' });
      symlinkSync(window.path('x'), window.path('link'));
      const document = window.fake.person.opensTab(window.path('x'));
      window.fake.person.types(document, 'a, typed\n');
      window.consent.answers.push(ONCE);
      assert.match(textsOf(await edit(window, 'link'))[0] ?? '', /not saved/);
      assert.deepEqual([document.getText(), window.fake.documents.length], ['b, typed\n', 1]);
    },
  );

  it('of a text that has no file yet asks for no name', async () => {
    const window = open({});
    const document = window.fake.person.opensUntitled('Untitled-1', 'a');
    document.isDirty = false;
    window.consent.answers.push(ONCE);
    assert.match(textsOf(await edit(window, 'untitled:Untitled-1'))[0] ?? '', /not saved/);
    assert.deepEqual([document.getText(), document.isDirty], ['b', true]);
  });

  describe('says so where VS Code', () => {
    it('cannot save it, and takes it back', async () => {
      const window = open({ x: 'a\n' });
      const document = window.fake.person.loads(window.path('x'));
      document.isSavable = false;
      window.consent.always = ['edit'];
      await assert.rejects(edit(window, 'x'), /could not save x.*was reverted/);
      assert.equal(document.getText(), 'a\n');
      document.isSavable = true;
      assert.match(
        textsOf(await edit(window, 'x'))[0] ?? '',
        /, saved\./,
        'what is left of it is not theirs',
      );
    });

    it('holds it read-only, and takes it back', async () => {
      const window = open({ x: 'a\n' });
      const document = window.fake.person.loads(window.path('x'));
      document.isReadOnly = true;
      window.consent.always = ['edit'];
      await assert.rejects(edit(window, 'x'), /holds x read-only.*was reverted/);
      assert.deepEqual([document.getText(), disk(window, 'x')], ['a\n', 'a\n']);
    });

    it('cannot save it over what another program has written, and calls nothing of that the text of the user', async () => {
      const window = open({ x: 'a\n' });
      const document = window.fake.person.loads(window.path('x'));
      document.save = async () => {
        writeFileSync(window.path('x'), 'other\n');
        return false;
      };
      window.consent.always = ['edit'];
      await assert.rejects(edit(window, 'x'), /could not save x.*was reverted/);
      await assert.rejects(edit(window, 'x'), /changed on the disk/);
      assert.equal(disk(window, 'x'), 'other\n');
    });

    it('is saving it by itself already, which refuses another save', async () => {
      const window = open({ x: 'a\n' });
      const document = window.fake.person.loads(window.path('x'));
      const save = document.save.bind(document);
      document.save = async () => {
        setTimeout(save, 200);
        return false;
      };
      window.consent.always = ['edit'];
      assert.match(textsOf(await edit(window, 'x'))[0] ?? '', /, saved\./);
      assert.deepEqual([disk(window, 'x'), document.isDirty], ['b\n', false]);
    });

    it('changes more on saving', async () => {
      const window = open({ x: 'a\n' });
      window.fake.person.loads(window.path('x')).onSave = (text) => `${text}\n`;
      window.consent.answers.push(ONCE);
      assert.match(textsOf(await edit(window, 'x'))[0] ?? '', /, saved\.\nVS Code changed more of the file/);
      assert.equal(disk(window, 'x'), 'b\n\n');
    });
  });

  describe('tells the problems that the edit leaves', () => {
    const problem = (line: number): Diagnostic =>
      new FakeDiagnostic(new Range(line, 0, line, 1), `Wrong ${line}`) as never;

    /** A language server that reports on each change. */
    function reporting(problems: Diagnostic[]): Window {
      const window = openWindow({ 'x.py': 'a\n' });
      window.fake.person.opensTab(window.path('x.py'));
      window.fake.languageServer = () => problems;
      window.consent.answers.push(ONCE);
      return window;
    }

    it('by line', async () => {
      const [text] = textsOf(await edit(reporting([problem(0)]), 'x.py'));
      assert.match(text ?? '', /saved\.\nProblems, new or from before:\nx\.py\n {2}1:1 error Wrong 0$/);
    });

    it('and not "no problems" if nothing checks the file', async () => {
      const window = openWindow({ 'x.txt': 'a\n' });
      window.consent.answers.push(ONCE);
      const [text] = textsOf(await edit(window, 'x.txt'));
      assert.match(text ?? '', /saved\.\nNo extension in VS Code is known to check x\.txt\.$/);
    });

    it('twenty of them at most', async () => {
      const many = Array.from({ length: 25 }, (_, line) => problem(line));
      assert.match(
        textsOf(await edit(reporting(many), 'x.py'))[0] ?? '',
        /20:1 error Wrong 19\n {2}and 5 more\. Call get_diagnostics\.$/,
      );
    });

    /** What is wrong with a text: each of its words that begins with "bad". */
    function checking(tree: Tree): Window {
      const window = openWindow(tree);
      window.ctx.language.of = async (location) => {
        const words = [
          ...(window.ctx.files
            .openDocument(location)
            ?.getText()
            .matchAll(/\bbad\w*/g) ?? []),
        ];
        const at = new Range(0, 0, 0, 1);
        return {
          diagnostics: words.map(([word]) => new FakeDiagnostic(at, word) as never),
          state: 'checked',
        };
      };
      window.consent.always = ['edit'];
      return window;
    }

    it('told apart: new, gone, and from before', async () => {
      const window = checking({ x: 'bad1 bad2 a' });
      window.fake.person.loads(window.path('x'));
      const [text] = textsOf(await edit(window, 'x', [{ oldText: 'bad2 a', newText: 'bad3' }]));
      assert.match(
        text ?? '',
        /New problems:\nx\n {2}1:1 error bad3\nGone problems:\nx\n {2}1:1 error bad2$/,
      );
      const [next] = textsOf(await edit(window, 'x', [{ oldText: 'bad3', newText: 'b' }]));
      assert.match(
        next ?? '',
        /saved\.\nNo new problems; 1 from before\.\nGone problems:\nx\n {2}1:1 error bad3$/,
      );
    });

    it('and takes the edit back, unsaved, with keepIf', async () => {
      const window = checking({ x: 'bad1 x' });
      const document = window.fake.person.loads(window.path('x'));
      const saved: string[] = [];
      document.onSave = (text) => {
        saved.push(text);
        return text;
      };
      const more = { keepIf: 'no_new_errors' };
      await assert.rejects(
        edit(window, 'x', [{ oldText: 'x', newText: 'bad2' }], more),
        /taken back, because of keepIf\. Nothing was saved\.\nNew problems:\nx\n {2}1:1 error bad2$/,
      );
      assert.deepEqual([document.getText(), disk(window, 'x')], ['bad1 x', 'bad1 x']);
      assert.ok(!saved.includes('bad1 bad2'));
      const [text] = textsOf(await edit(window, 'x', [{ oldText: 'x', newText: 'b' }], more));
      assert.match(text ?? '', /saved\.\nNo new problems; 1 from/);
    });

    it('and takes it back if nothing reports in time', async () => {
      const window = checking({ x: 'a' });
      const { of } = window.ctx.language;
      window.ctx.language.of = async (...args) => ({ ...(await of(...args)), state: 'pending' });
      const editing = edit(window, 'x', A_TO_B, { keepIf: 'no_new_errors' });
      await assert.rejects(editing, /taken back.*\nNo report on the current text of x yet/);
      assert.equal(disk(window, 'x'), 'a');
    });

    it('and that they are not known, where VS Code cannot tell: the edit is done all the same', async () => {
      const window = reporting([]);
      window.ctx.language.of = async () => {
        throw new Error('no');
      };
      assert.match(
        textsOf(await edit(window, 'x.py'))[0] ?? '',
        /saved\.\nThe problems after the edit are unknown/,
      );
      assert.match(window.warnings.join(), /problems after an edit/);
    });
  });
});
