/**
 * Cells of a notebook, by the user's kernel. VS Code has no API for it: its command needs an editor of the notebook, takes the
 * active one if there is none, and tells the end by the cell's summary only.
 */
import type * as vscode from 'vscode';
import { clock, withDeadline, within } from '../../util/clock.ts';
import { quietPlace } from '../../util/tabs.ts';
import { codeOf } from '../../workspace/read/notebooks.ts';
import type { AgentRun } from './agentRun.ts';

/** Milliseconds after which a command that is still going on, and has no kernel, shows the list of kernels. */
const PICKING = 1_500;
/** In which the end of a cell still comes after its command has ended. */
const LATE = 1_000;
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
  by?: 'agent' | 'user';
  /** Resolves if it takes too long. */
  late: Promise<CellEnd>;
}

const notRun = (why: string): CellEnd => ({ state: 'not run', why });

const NO_KERNEL =
  "no kernel is chosen for this notebook, or its kernel does not know the cell's language. Ask the user to choose one with Select Kernel in the notebook, then call again";

const RUNS = 'it runs already, started by the user';

/**
 * Runs cells one after the other, so that none runs after one that fails, or with other code than was allowed.
 *
 * @param told called at the end of each that was tried
 */
export async function runCellsOf(
  code: typeof vscode,
  notebook: vscode.NotebookDocument,
  cells: readonly AllowedCell[],
  run: AgentRun,
  told: (one: AllowedCell, end: CellEnd) => void,
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
    told(one, end);
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
  { cell, text, language }: AllowedCell,
  stopping: Stopping,
): Promise<CellEnd> {
  const { commands, workspace } = code;
  const editor = await shown(code, notebook);
  if (await asksInAnother(code, editor)) return notRun(NO_KERNEL);
  if (stopping.by) return notRun('the run was stopped');
  if (notebook.isClosed || cell.index < 0) return notRun('it is gone');
  if (codeOf(cell) !== text || cell.document.languageId !== language)
    return notRun('its code or its language has changed since the user was asked. Call again');
  const { promise, resolve } = Promise.withResolvers<CellEnd>();
  /** VS Code clears the summary first; before that it may still tell the end of an earlier run. */
  let isCleared = false;
  let hasBegun = false;
  let isOver = false;
  const listening = code.Disposable.from(
    workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
      for (const { cell: changed, executionSummary: summary, outputs } of cellChanges) {
        if (changed !== cell) continue;
        const end = summary && endOf(summary);
        isCleared ||= summary !== undefined && !end;
        hasBegun ||= isCleared && (outputs !== undefined || typeof summary?.executionOrder === 'number');
        if (end && isCleared) resolve(end);
      }
    }),
    workspace.onDidCloseNotebookDocument((closed) => {
      if (closed === notebook) resolve({ state: 'interrupted', why: 'the notebook was closed' });
    }),
  );
  commands.executeCommand('notebook.cell.execute', rangeOf(notebook, cell)).then(
    () =>
      clock.after(LATE, () => {
        if (!hasBegun) resolve(notRun(isCleared ? NO_KERNEL : RUNS));
      }),
    (error: Error) => resolve(notRun(error.message)),
  );
  const cancelLook = clock.after(PICKING, async () => {
    if (!hasBegun && !(await hasKernel(code, notebook)) && !isOver) await closePicker(code);
  });
  try {
    return await Promise.race([promise, stopping.late]);
  } finally {
    isOver = true;
    cancelLook();
    listening.dispose();
  }
}

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

/**
 * Whether the notebook has no kernel while the user is in another one: VS Code would then ask for the kernel of that one. With this
 * command it asks for the right one, and the list is closed again.
 */
async function asksInAnother(code: typeof vscode, notebookEditor: vscode.NotebookEditor): Promise<boolean> {
  const active = code.window.activeNotebookEditor?.notebook;
  if (!active || active === notebookEditor.notebook) return false;
  const options = { notebookEditor, skipIfAlreadySelected: true };
  const selecting = code.commands.executeCommand('notebook.selectKernel', options);
  const selected = await within(selecting, PICKING, 'asks');
  if (selected === 'asks') await closePicker(code);
  return selected === 'asks' || selected === false;
}

/** False if the active notebook is this one, and has no kernel: asking for one that nobody has shows no list. */
async function hasKernel({ window, commands }: typeof vscode, notebook: vscode.NotebookDocument) {
  if (window.activeNotebookEditor?.notebook !== notebook) return true;
  const none = { id: 'none', extension: 'none.none', skipIfAlreadySelected: true };
  return (await commands.executeCommand('_notebook.selectKernel', none)) !== false;
}

/** The list of kernels took the place of any other list. */
const closePicker = ({ commands }: typeof vscode) =>
  commands.executeCommand('workbench.action.closeQuickOpen');
