import assert from 'node:assert/strict';
import { editNotebook } from '../../../../src/features/edit/editNotebook.ts';
import { runCells } from '../../../../src/features/run/runCells.ts';
import { readRun, stopRun } from '../../../../src/features/run/runs.ts';
import { holdClock } from '../../../fakes/clock.ts';
import { type FakeNotebook, NotebookEdit, NotebookRange } from '../../../fakes/notebooks.ts';
import type { FakeOptions } from '../../../fakes/vscode.ts';
import { allowing, answer, asked, ONCE, openUnwatched, refused } from '../editing.ts';
import { ipynb } from '../notebooks.ts';
import { cleanUp, type Window } from '../window.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What a kernel does with the cell of a number. */
type Kernel = (
  cell: { end(success?: boolean, ...items: object[]): void; text: string },
  index: number,
) => unknown;

const item = (mime: string, data: string | Buffer) => ({ mime, data: Buffer.from(data) });
const error = item(
  'application/vnd.code.notebook.error',
  JSON.stringify({ name: 'ValueError', message: 'boom', stack: '\u001b[31mValueError\u001b[0m: boom' }),
);
const out = (text: string) => item('application/vnd.code.notebook.stdout', text);

const echo: Kernel = ({ end, text }) => end(true, out(`${text} said`));

const notebookOf = ({ fake }: Window) => fake.notebooks[0] as unknown as FakeNotebook;

function withKernel(window: Window, kernel: Kernel): Window {
  const { person, answers } = window.fake;
  answers.set('notebook.cell.execute', (given) => {
    const { ranges, document } = given as { ranges: { start: number; end: number }[]; document: object };
    const notebook = notebookOf(window);
    assert.deepEqual([ranges.length, document], [1, notebook.uri]);
    const { start = 0, end: to } = ranges[0] ?? {};
    assert.equal(to, start + 1);
    const text = notebook.cellAt(start).document.getText();
    person.changesCell(notebook, start, { executionSummary: {} });
    const end = (success?: boolean, ...items: object[]) => {
      person.changesCell(notebook, start, { executionSummary: { executionOrder: 7 } });
      person.changesCell(notebook, start, { outputs: items.map((one) => ({ items: [one] })) });
      const timing = { startTime: 1_000, endTime: 1_250 };
      person.changesCell(notebook, start, { executionSummary: { executionOrder: 7, success, timing } });
    };
    return kernel({ end, text }, start);
  });
  return window;
}

const BOOK = { 'n.ipynb': ipynb('one', 'two', 'three') };
const open = (kernel: Kernel, options?: Partial<FakeOptions>) => withKernel(allowing(BOOK, options), kernel);
const path = 'n.ipynb';

describe('features/run/runCells', () => {
  const clock = holdClock();
  afterEach(cleanUp);

  it('runs all one after the other, unsaved text too, asking with their code, without taking the keyboard', async () => {
    const window = open(echo);
    window.fake.tabs.push({ isActive: true } as never);
    await window.ctx.files.edits.notebook(await window.ctx.files.locate(path));
    window.fake.person.types(notebookOf(window).cellAt(1).document, 'unsaved');
    assert.equal(
      (await answer(window, runCells, { path })).replace(/after 0\.\d s\.\n/, 'after … s.\n'),
      'Run 1 (n.ipynb, cells 1, 2, 3) ended: 3 ok, after … s.\n\n' +
        ['one', 'unsaved', 'three']
          .map((text, at) => `--- cell ${at + 1} ok after 0.3 s\n--- output of cell ${at + 1}\n${text} said`)
          .join('\n'),
    );
    const [question] = window.consent.questions;
    assert.deepEqual(question?.arguments, {
      'cell 1 (python)': 'one',
      'cell 2 (python)': 'unsaved',
      'cell 3 (python)': 'three',
    });
    const [editor] = window.fake.window.notebookEditors;
    assert.deepEqual(editor?.options, { viewColumn: -2, preserveFocus: true, preview: false });
    assert.match(await answer(window, readRun, { run: 1 }), /three said/);
  });

  it('stops at one that fails, with its traceback without escape codes, and names the rest', async () => {
    const window = open(({ end }, index) => (index === 1 ? end(false, error) : end(true)));
    const told = await answer(window, runCells, { path });
    assert.match(told, /ended: 1 ok, cell 2 failed, cell 3 not run, after/);
    assert.match(told, /--- cell 2 failed after 0\.3 s\n--- output of cell 2: error\nValueError: boom$/);
  });

  it('returns pictures as far as there is room', async () => {
    const window = open(({ end }) => end(true, ...[1, 2, 3].map(() => item('image/png', PNG))));
    const { content } = await window.run(runCells, { path, cells: [3, 1] });
    const types = content.map(({ type }) => type);
    assert.deepEqual(types, ['text', ...Array(5).fill('image')]);
    assert.match(JSON.stringify(content[0]), /Note: pictures left out: 1\..*cells 3, 1\)/);
  });

  it('redacts outputs, and keeps pictures that hold such text', async () => {
    const user = { 'workspaceMcp.access.redact': ['s3cret'] };
    const window = open(
      ({ end }) => end(true, out('a s3cret'), item('image/png', Buffer.concat([PNG, Buffer.from('s3cret')]))),
      { user },
    );
    const { content } = await window.run(runCells, { path, cells: [1] });
    assert.equal(content.length, 1);
    assert.match(JSON.stringify(content), /a \[redacted\]/);
    assert.doesNotMatch(JSON.stringify(content), /s3cret/);
  });

  it('takes numbers and ids of cells of code, each once', async () => {
    const cell = (id: string, kind = 'code') => ({ cell_type: kind, id, source: id, outputs: [] });
    const book = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [cell('a'), cell('b'), cell('m', 'markdown')],
    };
    const window = withKernel(allowing({ [path]: JSON.stringify(book) }), echo);
    const told = await answer(window, runCells, { path, cells: [2, 2], ids: ['a'] });
    assert.match(told, /cells 2, 1\) ended: 2 ok/);
    await refused(window.run(runCells, { path, cells: [4] }), /There is no cell 4: the notebook has 3/);
    await refused(window.run(runCells, { path, ids: ['z'] }), /There is no cell "z"/);
    await refused(window.run(runCells, { path, cells: [3] }), /Cell 3 is no code\. Nothing ran/);
  });

  it('runs only the code that the user has seen', async () => {
    const ran: string[] = [];
    const window = withKernel(openUnwatched(BOOK), ({ end, text }, index) => {
      ran.push(text);
      if (index === 0) window.fake.person.types(notebookOf(window).cellAt(1).document, 'other');
      end(true);
    });
    const running = window.run(runCells, { path });
    await asked(window);
    window.fake.person.types(notebookOf(window).cellAt(0).document, 'evil');
    window.consent.answer(ONCE);
    await refused(running, /have changed since the user was asked\. Nothing ran/);
    window.consent.otherwise = () => ONCE;
    const told = await answer(window, runCells, { path });
    assert.match(told, /ended: 1 ok, cell 2 not run, cell 3 not run/);
    assert.match(told, /cell 2 not run: its code or its language has changed/);
    assert.deepEqual(ran, ['evil']);
  });

  it('runs it only in the language that the user has seen', async () => {
    const ran: string[] = [];
    const speak = (window: Window, at: number, languageId: string) =>
      Object.assign(notebookOf(window).cellAt(at).document, { languageId });
    const window = withKernel(openUnwatched(BOOK), ({ end, text }, index) => {
      ran.push(text);
      if (index === 0) speak(window, 1, 'shellscript');
      end(true);
    });
    const running = window.run(runCells, { path });
    await asked(window);
    speak(window, 0, 'shellscript');
    window.consent.answer(ONCE);
    await refused(running, /have changed since the user was asked\. Nothing ran/);
    window.consent.otherwise = () => ONCE;
    const told = await answer(window, runCells, { path });
    assert.equal(Object.keys(window.consent.questions[1]?.arguments ?? {})[0], 'cell 1 (shellscript)');
    assert.match(told, /cell 2 not run: its code or its language has changed/);
    assert.deepEqual(ran, ['one']);
  });

  it('of notebooks whose names begin alike run at the same time, those of one do not', async () => {
    const files = { 'n.ipynb': ipynb('one'), 'n.ipynb, cell.ipynb': ipynb('one') };
    const window = allowing(files);
    window.fake.answers.set('notebook.cell.execute', () => new Promise(() => {}));
    const [first, second] = Object.keys(files).toReversed();
    const run = (path?: string) => clock.settle(answer(window, runCells, { path, wait: 0 }));
    assert.match(await run(first), /Run 1 .* still runs/);
    assert.match(await run(second), /Run 2 .* still runs/);
    await refused(run(second), /Cells of this notebook run already, as run 2/);
  });

  describe('without a kernel', () => {
    const executed = ({ fake }: Window) =>
      fake.commandsRun.filter(({ command }) => command === 'notebook.cell.execute').length;
    const showing = async (window: Window, isInIt: boolean) => {
      await window.ctx.files.edits.notebook(await window.ctx.files.locate(path));
      window.fake.window.activeNotebookEditor = { notebook: isInIt ? notebookOf(window) : {} };
    };

    it('tells what the user does, and asks nothing if no extension has one', async () => {
      const window = open(echo);
      window.fake.answers.set('_resolveNotebookKernels', () => []);
      await refused(
        clock.settle(answer(window, runCells, { path })),
        /No extension of VS Code has a kernel .* Select Kernel/,
      );
      assert.equal(window.consent.questions.length, 0);
    });

    it('runs nothing, and closes the list of kernels that VS Code shows for another notebook', async () => {
      for (const isInIt of [true, false]) {
        const picking = Promise.withResolvers<unknown>();
        const window = open(echo);
        const { answers } = window.fake;
        answers.set('_notebook.selectKernel', () => false);
        answers.set('notebook.selectKernel', () => picking.promise);
        answers.set('workbench.action.closeQuickOpen', () => picking.resolve(false));
        await showing(window, isInIt);
        assert.match(await clock.settle(answer(window, runCells, { path })), /no kernel is chosen/);
        assert.equal(executed(window), 0);
      }
    });

    it('takes the only one, whatever the user is in, and asks for none', async () => {
      const window = open(echo);
      window.fake.answers.set('_resolveNotebookKernels', () => [{ id: 'only' }]);
      window.fake.answers.set('notebook.selectKernel', () => false);
      await showing(window, false);
      assert.match(await clock.settle(answer(window, runCells, { path })), /3 ok/);
    });
  });

  describe('a kernel that is starting', () => {
    /** As VS Code tells it: cleared, and again once the kernel has taken it; its command has ended by then. */
    const starting = (ms: number): Window =>
      open(({ end }, index) => {
        window.fake.person.changesCell(notebookOf(window), index, { executionSummary: {} });
        clock.after(ms, () => end(true));
      });
    let window: Window;

    it('is waited for', async () => {
      window = starting(30_000);
      assert.match(await clock.settle(answer(window, runCells, { path, cells: [1] })), /1 ok/);
      assert.ok(!window.fake.commandsRun.some(({ command }) => command.includes('closeQuickOpen')));
    });

    it('is not waited for for ever: it may not know the language', async () => {
      window = starting(1e9);
      await clock.settle(answer(window, runCells, { path }));
      assert.match(
        await clock.settle(answer(window, readRun, { run: 1, wait: 45 })),
        /cell 1 interrupted: VS Code tells nothing of it: the kernel does not know the language python, or/,
      );
    });
  });

  it('reads the code that the user has seen: agents edit the notebook only before or after that', async () => {
    const window = open(({ end }, index) => {
      clock.after(5_000, () => end(true, out(notebookOf(window).cellAt(index).document.getText())));
    });
    const running = answer(window, runCells, { path, cells: [1, 2] });
    const edits = [
      { action: 'replace', cell: 1, source: 'evil' },
      { action: 'insert', cell: 2, source: 'evil' },
    ];
    const editing = window.run(editNotebook, { path, edits });
    const told = await clock.settle(running, 5_000);
    assert.match(told, /2 ok.*cell 1\none\n.*cell 2\ntwo$/s);
    await clock.settle(editing, 5_000);
    const texts = notebookOf(window).getCells();
    const shown = texts.map(({ document }) => document.getText());
    assert.deepEqual(shown, ['evil', 'evil', 'two', 'three']);
  });

  it('passes over cells without code, of which kernels tell nothing', async () => {
    const window = withKernel(allowing({ 'n.ipynb': ipynb('one', ' \n', 'three') }), ({ end, text }) =>
      text.trim() === '' ? undefined : end(true),
    );
    assert.match(await clock.settle(answer(window, runCells, { path })), /ended: 3 ok/);
  });

  it('does not take the end of an earlier run for its own', async () => {
    const window = open(({ end }) => {
      end(false);
    });
    window.fake.answers.set('notebook.cell.execute', () => {
      const summary = { success: true, timing: { startTime: 1, endTime: 2 } };
      window.fake.person.changesCell(notebookOf(window), 0, { executionSummary: summary });
    });
    const told = await clock.settle(answer(window, runCells, { path }));
    assert.match(told, /cell 1 not run: it runs already, started by the user/);
  });

  it('goes on as a run that is interrupted, and ends even if VS Code never tells it', async () => {
    const window = open(() => new Promise(() => {}));
    assert.match(await clock.settle(answer(window, runCells, { path, wait: 0 })), /Run 1 .* still runs/);
    await refused(window.run(runCells, { path }), /Cells of this notebook run already, as run 1/);
    const told = await clock.settle(answer(window, stopRun, { run: 1 }));
    assert.match(told, /was stopped by an agent, and ended: cell 1 interrupted, cells 2, 3 not run, after/);
    assert.match(told, /VS Code does not tell that it has ended: it may go on/);
    assert.deepEqual(
      window.fake.commandsRun.find(({ command }) => command === 'notebook.cell.cancelExecution')?.args,
      [{ ranges: [{ start: 0, end: 1 }], document: notebookOf(window).uri }],
    );
  });

  it('starts no cell once it was stopped', async () => {
    const window = open(echo);
    const showing = Promise.withResolvers<object>();
    Object.assign(window.fake.api.window, { showNotebookDocument: () => showing.promise });
    await clock.settle(answer(window, runCells, { path, wait: 0 }));
    const stopped = answer(window, stopRun, { run: 1 });
    showing.resolve({ notebook: notebookOf(window) });
    assert.match(await clock.settle(stopped), /cell 1 not run: the run was stopped/);
    assert.ok(!window.fake.commandsRun.some(({ command }) => command === 'notebook.cell.execute'));
  });

  it('ends with its cell', async () => {
    const window = open(() => new Promise(() => {}));
    await clock.settle(answer(window, runCells, { path, wait: 0 }));
    const book = notebookOf(window);
    book.apply([new NotebookEdit(new NotebookRange(0, 1), [])]);
    window.fake.person.changesCell(book, 0, {});
    const told = await clock.settle(answer(window, readRun, { run: 1, wait: 5 }));
    assert.match(told, /cell 1 interrupted: it was replaced or deleted, and may go on/);
  });

  it('ends with the notebook', async () => {
    const window = open(() => new Promise(() => {}));
    await clock.settle(answer(window, runCells, { path, wait: 0 }));
    const book = notebookOf(window);
    window.fake.person.closesNotebook(book);
    const answered = await clock.settle(answer(window, readRun, { run: 1, wait: 5 }));
    assert.match(answered, /cell 1 interrupted: the notebook was closed/);
  });
});
