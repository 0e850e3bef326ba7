/** Cells of a notebook in a real VS Code, with kernels of a test extension. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { until } from '../agent.ts';
import { examples } from '../examples.ts';
import { agentOfSuite, at, closeAll, settingsUntil } from '../inside.ts';
import { Kernel } from './kernel.ts';

const code = (source: string, index: number) => ({
  cell_type: 'code',
  id: `c${index}`,
  metadata: {},
  source: [source],
  outputs: [],
  execution_count: null,
});
const bookOf = (...sources: string[]) => ({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: sources.map(code),
});

/** A suite of index.test.ts, which has the first run: its number is documented. */
export const describeCells = () =>
  describe('cells that agents run', () => {
    const agent = agentOfSuite();
    const set = settingsUntil(after);
    const kernels: Kernel[] = [];
    const books: string[] = [];
    const book = (name: string, ...sources: string[]): string => {
      writeFileSync(at(name), JSON.stringify(bookOf(...sources)));
      books.push(name);
      return name;
    };
    const run = (path: string, args = {}) => agent.call('run_cells', { path, ...args });
    const openBook = async (path: string) =>
      vscode.window.showNotebookDocument(
        await vscode.workspace.openNotebookDocument(vscode.Uri.file(at(path))),
      );
    const showsText = () => vscode.window.showTextDocument(vscode.Uri.file(at('package.json')));
    /** A kernel for one test, so that none is remembered from another. */
    const kernel = (id: string): Kernel => {
      kernels.push(new Kernel(id));
      return kernels.at(-1) as Kernel;
    };

    before(() => set('workspaceMcp.approvals', { run: 'allow' }));

    afterEach(async () => {
      for (const one of kernels.splice(0)) one.dispose();
      for (const path of books.splice(0)) {
        await openBook(path);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        rmSync(at(path));
      }
      await closeAll();
    });

    it('have text, pictures and tracebacks, as documented, beside the editor that has the keyboard', async () => {
      kernel('only');
      const { args, answer } = examples().find(({ name }) => name === 'run_cells') ?? assert.fail();
      book(String(args.path), 'print 1', 'plot 2', 'fail 3', 'print 4');
      await showsText();
      assert.match(await agent.call('run_cells', args), answer);
      assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /package\.json$/);
      assert.match(
        await run(String(args.path), { ids: ['c1'] }),
        /cell 2\) ended: 1 ok.*<Figure>\n\[image\]/s,
      );
      assert.match(
        await agent.call('read_file', { path: args.path }),
        /plot 2\n--- output of cell 2\n.*cell 3: error\nValueError: boom/s,
      );
    });

    it('run as the user has them, unsaved', async () => {
      const { ran } = kernel('unsaved');
      const path = book('unsaved.ipynb', 'print 1');
      const { notebook } = await openBook(path);
      const typing = new vscode.WorkspaceEdit();
      typing.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 7), ' typed');
      await vscode.workspace.applyEdit(typing);
      assert.match(await run(path), /1 ok.*print 1 typed/s);
      assert.deepEqual([ran, notebook.isDirty], [['print 1 typed'], true]);
    });

    it('that are slow go on, and are stopped, also if their kernel never tells the end', async () => {
      const { ran } = kernel('slow');
      for (const [source, told] of [
        ['slow 1', /was stopped by an agent, and ended: cell 1 interrupted, cell 2 not run/],
        ['dies 1', /cell 1 interrupted: VS Code does not tell that it has ended/],
      ] as const) {
        await showsText(); // in another notebook the kernel must have been chosen before
        const path = book(`${source.slice(0, 4)}.ipynb`, source, 'print 2');
        const [, id] = /^Run (\d+) .*still runs/.exec(await run(path, { wait: 1 })) ?? assert.fail();
        await until('the cell to begin', () => ran.includes(source) || undefined);
        assert.match(await agent.call('stop_run', { run: Number(id) }), told);
      }
    });

    it('without a chosen kernel are told so, whatever the user is in, and the list of kernels is closed', async () => {
      const noKernel = /cell 1 not run: no kernel is chosen/;
      const [one, two] = [kernel('one'), kernel('two')];
      const path = book('none.ipynb', 'print 1');
      await showsText();
      assert.match(await run(path), noKernel);
      const { notebook } = await openBook(path);
      assert.match(await run(path), noKernel);
      const other = book('other.ipynb', 'print 2');
      await openBook(other);
      assert.match(await run(path), noKernel);
      assert.deepEqual([...one.ran, ...two.ran], []);
      const editor = vscode.window.visibleNotebookEditors.find((shown) => shown.notebook === notebook);
      await vscode.commands.executeCommand('notebook.selectKernel', {
        notebookEditor: editor,
        id: 'two',
        extension: 'workspace-mcp.workspace-mcp',
      });
      assert.match(await run(path), /1 ok/);
      assert.deepEqual([one.ran, two.ran], [[], ['print 1']]);
    });
  });
