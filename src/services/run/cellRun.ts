/**
 * Cells of a notebook, by the user's kernel. VS Code has no API for it: its command needs an editor of the notebook, takes the
 * active one if there is none, and tells the end by the cell's summary only.
 */
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { clock, delay, withDeadline, within } from '../../util/clock.ts';
import { quietPlace } from '../../util/tabs.ts';
import { cellTurns } from '../../workspace/edit/notebook/notebookCells.ts';
import { codeOf } from '../../workspace/read/notebooks.ts';
import type { AgentRun, StoppedBy } from './agentRun.ts';

/** Milliseconds after which a command that is still going on shows the list of kernels; and for it to end once that is closed. */
const PICKING = 300;
const PICKED = 1_500;
/** In which VS Code tells that it has taken a cell. */
const LATE = 1_000;
/** In which extensions tell which kernels they have, and between two looks. */
const COMING = 3_000;
const BETWEEN = 300;
/** For a cell to begin that VS Code has taken: its kernel may have to start first. */
const STARTING = 60_000;
/** For a cell to end once it was told to: VS Code may never tell it. */
const STOPPING = 3_000;

/** A cell with the code that the user has allowed, and its language: a kernel may have several. */
export interface AllowedCell {
  /** As the agent names it, from 1. */
  number: number;
  cell: vscode.NotebookCell;
  text: string;
  /** VS Code's id. */
  language: string;
}

export interface CellEnd {
  state: 'ok' | 'failed' | 'interrupted' | 'not run';
  /** By the kernel's clock, in milliseconds. */
  duration?: number;
  why?: string;
}

interface Stopping {
  by?: StoppedBy;
  /** Resolves if it takes too long. */
  late: Promise<CellEnd>;
}

const notRun = (why: string): CellEnd => ({ state: 'not run', why });

const NO_KERNEL =
  'no kernel is chosen for this notebook. Ask the user to choose one with Select Kernel in the notebook, then call again';

/**
 * Runs cells one after the other, so that none runs after one that fails, or with other code than was allowed.
 *
 * @param report called at the end of each that was tried
 */
export async function runCellsOf(
  code: typeof vscode,
  notebook: vscode.NotebookDocument,
  cells: readonly AllowedCell[],
  run: AgentRun,
  report: (one: AllowedCell, end: CellEnd) => void,
): Promise<void> {
  const late = Promise.withResolvers<CellEnd>();
  const stopping: Stopping = { late: late.promise };
  let current: vscode.NotebookCell | undefined;
  run.running = {
    stop(by) {
      stopping.by ??= by;
      if (current) cancel(code, notebook, current).catch(() => {}); // the time below ends it
      const why = 'VS Code does not tell that it has ended: it may go on';
      clock.after(STOPPING, () => late.resolve({ state: 'interrupted', why }));
    },
    reveal: () => void code.window.showNotebookDocument(notebook),
  };
  const ends: CellEnd[] = [];
  for (const one of cells) {
    if (stopping.by || (ends.at(-1)?.state ?? 'ok') !== 'ok') break;
    current = one.cell;
    const end = await runCell(code, notebook, one, stopping);
    ends.push(end);
    report(one, end);
  }
  run.end({ outcome: outcomeOf(cells, ends), ...(stopping.by && { stoppedBy: stopping.by }) });
}

/** As in "1 ok, cell 2 failed, cells 3, 4 not run". */
function outcomeOf(cells: readonly AllowedCell[], ends: readonly CellEnd[]): string {
  const [ok, bad] = [ends.filter(({ state }) => state === 'ok').length, ends.at(-1)];
  const rest = cells.slice(ends.length).map(({ number }) => number);
  return [
    ok > 0 && `${ok} ok`,
    bad && bad.state !== 'ok' && `cell ${cells[ends.length - 1]?.number} ${bad.state}`,
    rest.length > 0 && `${rest.length > 1 ? 'cells' : 'cell'} ${rest.join(', ')} not run`,
  ]
    .filter(Boolean)
    .join(', ');
}

async function runCell(
  code: typeof vscode,
  notebook: vscode.NotebookDocument,
  one: AllowedCell,
  stopping: Stopping,
): Promise<CellEnd> {
  const editor = await shown(code, notebook);
  if (!(await hasKernel(code, editor))) return notRun(NO_KERNEL);
  const release = await turnOf(notebook);
  try {
    return unfit(notebook, one, stopping) ?? (await execute(code, notebook, one.cell, stopping, release));
  } finally {
    release();
  }
}

/** Resolves to a function that ends it. */
const turnOf = (notebook: vscode.NotebookDocument): Promise<() => void> =>
  new Promise((begin) => {
    void cellTurns.take(notebook, () => new Promise<void>((end) => begin(end)));
  });

/** What comes of a cell that is not given to the kernel. */
function unfit(
  notebook: vscode.NotebookDocument,
  { cell, text, language }: AllowedCell,
  stopping: Stopping,
): CellEnd | undefined {
  if (stopping.by) return notRun('the run was stopped');
  if (notebook.isClosed || cell.index < 0) return notRun('it is gone');
  if (codeOf(cell) !== text || cell.document.languageId !== language)
    return notRun('its code or its language has changed since the user was asked. Call again');
  return text.trim() === '' ? { state: 'ok' } : undefined; // kernels tell nothing of it
}

/** @param onRead the kernel has read the code */
async function execute(
  { Disposable, workspace, commands }: typeof vscode,
  notebook: vscode.NotebookDocument,
  cell: vscode.NotebookCell,
  stopping: Stopping,
  onRead: () => void,
): Promise<CellEnd> {
  const { promise, resolve } = Promise.withResolvers<CellEnd>();
  /** VS Code clears the summary first; before that it may still tell the end of an earlier run. */
  let cleared = 0;
  let hasBegun = false;
  const listening = Disposable.from(
    workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
      if (cell.index < 0) resolve({ state: 'interrupted', why: 'it was replaced or deleted, and may go on' });
      for (const { executionSummary: summary, outputs } of cellChanges.filter((one) => one.cell === cell)) {
        const end = summary && endOf(summary);
        if (summary && !end) cleared++;
        if (cleared === 0) continue;
        hasBegun ||= outputs !== undefined || summary?.executionOrder !== undefined;
        if (outputs?.length || summary?.executionOrder !== undefined) onRead(); // empty ones only clear what was there
        if (end) resolve(end);
      }
    }),
    workspace.onDidCloseNotebookDocument((closed) => {
      if (closed === notebook) resolve({ state: 'interrupted', why: 'the notebook was closed' });
    }),
  );
  commands.executeCommand('notebook.cell.execute', rangeOf(notebook, cell)).then(
    () => {
      clock.after(LATE, () => cleared === 0 && resolve(notRun('it runs already, started by the user')));
      // The second time it is started, or was given back; if that never comes, the kernel has other cells to run first.
      clock.after(STARTING, () => cleared > 1 && !hasBegun && resolve(unknownEnd(cell)));
    },
    (error: Error) => resolve(notRun(error.message)),
  );
  try {
    return await Promise.race([promise, stopping.late]);
  } finally {
    listening.dispose();
  }
}

const unknownEnd = ({ document }: vscode.NotebookCell): CellEnd => ({
  state: 'interrupted',
  why: `VS Code tells nothing of it: the kernel does not know the language ${document.languageId}, or is still starting, and may run it later`,
});

/** Undefined while it waits or runs: then only some of the fields are known. */
function endOf({ success, timing }: vscode.NotebookCellExecutionSummary): CellEnd | undefined {
  if (typeof success !== 'boolean' && !timing) return undefined;
  const duration = timing && { duration: timing.endTime - timing.startTime };
  return { state: success ? 'ok' : success === false ? 'failed' : 'interrupted', ...duration };
}

const rangeOf = ({ uri }: vscode.NotebookDocument, { index }: vscode.NotebookCell) => ({
  ranges: [{ start: index, end: index + 1 }],
  document: uri,
});

async function shown(code: typeof vscode, notebook: vscode.NotebookDocument): Promise<vscode.NotebookEditor> {
  const { visibleNotebookEditors, showNotebookDocument } = code.window;
  return (
    visibleNotebookEditors.find((editor) => editor.notebook === notebook) ??
    (await withDeadline(showNotebookDocument(notebook, quietPlace(code)), 'showing the notebook'))
  );
}

async function cancel(code: typeof vscode, notebook: vscode.NotebookDocument, cell: vscode.NotebookCell) {
  await shown(code, notebook);
  await code.commands.executeCommand('notebook.cell.cancelExecution', rangeOf(notebook, cell));
}

/** Kernels that fit a notebook, chosen or not. Undefined if this version of VS Code does not tell. */
function kernelCount({ commands }: typeof vscode, notebook: vscode.NotebookDocument) {
  const { uri, notebookType: viewType } = notebook;
  return commands.executeCommand('_resolveNotebookKernels', { uri, viewType }).then(
    (all) => (Array.isArray(all) ? all.length : undefined),
    () => undefined, // an internal command
  );
}

/** @throws UserError if no extension has a kernel for a notebook, also not one that is starting */
export async function requireKernel(code: typeof vscode, notebook: vscode.NotebookDocument): Promise<void> {
  for (let waited = 0; (await kernelCount(code, notebook)) === 0; waited += BETWEEN) {
    if (waited >= COMING)
      throw new UserError(
        'No extension of VS Code has a kernel for this notebook. Ask the user to install one (such as Jupyter for Python) or to choose a kernel with Select Kernel in the notebook. Nothing ran.',
      );
    await delay(BETWEEN);
  }
}

/**
 * Whether VS Code would run a cell without asking for a kernel: with a single one, or one that was chosen. In another notebook than
 * the user's it would ask for the kernel of theirs. A list that VS Code shows here is closed again.
 */
async function hasKernel(code: typeof vscode, notebookEditor: vscode.NotebookEditor): Promise<boolean> {
  const { commands, window } = code;
  const count = await kernelCount(code, notebookEditor.notebook);
  if (count !== undefined && count < 2) return count === 1;
  if (window.activeNotebookEditor?.notebook === notebookEditor.notebook) {
    // Asking for one that nobody has shows no list.
    const none = { id: 'none', extension: 'none.none', skipIfAlreadySelected: true };
    return (await commands.executeCommand('_notebook.selectKernel', none)) !== false;
  }
  const selecting = commands.executeCommand('notebook.selectKernel', {
    notebookEditor,
    skipIfAlreadySelected: true,
  });
  if ((await within(selecting, PICKING, 'asks')) === 'asks')
    await commands.executeCommand('workbench.action.closeQuickOpen');
  return (await within(selecting, PICKED, false)) !== false;
}
