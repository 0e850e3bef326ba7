import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { UserError } from '../../../core/errors.ts';
import { fieldsOf } from '../../../core/json.ts';
import type { OldCell, PlannedCell } from '../../../core/notebook/cellEdits.ts';
import { cellsOfIpynb } from '../../../core/notebook/notebookText.ts';
import { withLf } from '../../../core/text/replacements.ts';
import { delay } from '../../../util/clock.ts';
import { lineChanges } from '../../../util/lineDiff.ts';
import { KeyedQueue } from '../../../util/queues.ts';
import { readDisk } from '../../read/diskFile.ts';
import { type Location, type Locator, openDocument } from '../../read/location.ts';
import { loadNotebook, MARKUP } from '../../read/notebooks.ts';
import { decodeUtf8 } from '../../read/readContent.ts';
import { IN_STEP_TIME, notReloaded, PAUSE } from '../openEditable.ts';

const JUPYTER = 'jupyter-notebook';

/**
 * By notebook, its edits and the cells that go to its kernel: VS Code is told a cell by its number, and the kernel reads the code when
 * it comes to it. An edit in between would run what the user has not seen.
 */
export const cellTurns: KeyedQueue = new KeyedQueue();

export const oldCellsOf = (notebook: vscode.NotebookDocument): OldCell[] =>
  notebook.getCells().map(({ kind, document, metadata }) => {
    const { id } = fieldsOf(metadata);
    return {
      kind: kind === MARKUP ? 'markdown' : 'code',
      language: document.languageId,
      text: withLf(document.getText()),
      ...(typeof id === 'string' && { id }),
    };
  });

/** The language of new code cells. */
export const languageOf = (notebook: vscode.NotebookDocument): string =>
  oldCellsOf(notebook).find(({ kind, language }) => kind === 'code' && language !== 'raw')?.language ??
  (notebook.notebookType === JUPYTER ? 'python' : 'plaintext');

/**
 * The change as one undo step. The text of a single cell is edited in place: the cursor, and code that runs, stay. Everything else is
 * one edit of the notebook, because VS Code keeps an undo stack for the text of each cell.
 */
export function workspaceEditOf(
  code: typeof vscode,
  notebook: vscode.NotebookDocument,
  planned: readonly PlannedCell[],
): vscode.WorkspaceEdit {
  const edit = new code.WorkspaceEdit();
  const old = oldCellsOf(notebook);
  const isKept = ({ from = -1, stays, text }: PlannedCell) => stays && old[from]?.text === text;
  const [changed, ...others] = planned.filter((cell) => !isKept(cell));
  if (planned.length === old.length && changed?.stays && others.length === 0) {
    const { from = -1, text } = changed;
    const { uri } = notebook.cellAt(from).document;
    for (const { start, end, text: line } of lineChanges(old[from]?.text ?? '', text))
      edit.replace(uri, new code.Range(start.line, start.character, end.line, end.character), line);
    return edit;
  }
  const replaced = replacementsOf(planned, old.length, isKept).map(({ start, end, cells }) =>
    code.NotebookEdit.replaceCells(
      new code.NotebookRange(start, end),
      cells.map((one) => dataOf(code, notebook, one)),
    ),
  );
  edit.set(notebook.uri, replaced);
  return edit;
}

/** Replaces all cells by copies of these. */
export function restoringEdit(
  code: typeof vscode,
  notebook: vscode.NotebookDocument,
  cells: readonly vscode.NotebookCellData[],
): vscode.WorkspaceEdit {
  const edit = new code.WorkspaceEdit();
  const all = new code.NotebookRange(0, notebook.cellCount);
  edit.set(notebook.uri, [code.NotebookEdit.replaceCells(all, [...cells])]);
  return edit;
}

/** Copies of the cells, with outputs and metadata. */
export const copiesOf = (code: typeof vscode, notebook: vscode.NotebookDocument): vscode.NotebookCellData[] =>
  oldCellsOf(notebook).map((cell, from) => dataOf(code, notebook, { ...cell, from, stays: true }));

interface Replacement {
  /** A range of the old cells; the end is exclusive. */
  start: number;
  end: number;
  cells: PlannedCell[];
}

/** The runs of cells between those that are kept. Their numbers all mean the cells before the edit. */
function replacementsOf(
  planned: readonly PlannedCell[],
  count: number,
  isKept: (cell: PlannedCell) => boolean,
): Replacement[] {
  const found: Replacement[] = [];
  let run: Replacement = { start: 0, end: 0, cells: [] };
  const close = (end: number) => {
    run.end = end;
    if (run.end > run.start || run.cells.length > 0) found.push(run);
    run = { start: end + 1, end: end + 1, cells: [] };
  };
  for (const cell of planned) {
    if (isKept(cell)) close(cell.from as number);
    else run.cells.push(cell);
  }
  close(count);
  return found;
}

function dataOf(
  { NotebookCellData }: typeof vscode,
  notebook: vscode.NotebookDocument,
  { kind, language, text, from }: PlannedCell,
): vscode.NotebookCellData {
  const isCode = kind !== 'markdown';
  const data = new NotebookCellData(isCode ? MARKUP + 1 : MARKUP, text, language);
  const old = from === undefined ? undefined : notebook.cellAt(from);
  data.metadata = old ? old.metadata : newMetadata(notebook);
  if (old && isCode) {
    data.outputs = [...old.outputs];
    if (old.executionSummary) data.executionSummary = old.executionSummary;
  }
  return data;
}

/** VS Code would otherwise add the id in a second edit, after the notebook was saved. Since nbformat 4.5 cells need one. */
function newMetadata({ notebookType, metadata }: vscode.NotebookDocument): Record<string, unknown> {
  if (notebookType !== JUPYTER) return {};
  const { nbformat = 4, nbformat_minor: minor = 5 } = metadata as Record<string, number>;
  const needsId = nbformat > 4 || (nbformat === 4 && minor >= 5);
  return { ...(needsId && { id: randomUUID().slice(0, 8) }), metadata: {} };
}

/**
 * Opens a notebook for an edit, without a tab for it. A saved one equals its file then.
 *
 * @throws UserError if VS Code has no notebook editor for it, has it open as text with unsaved changes, or has not reloaded it
 */
export async function openEditableNotebook(
  locator: Locator,
  location: Location,
): Promise<vscode.NotebookDocument> {
  if (openDocument(locator.vscode, location)?.isDirty)
    throw new UserError(
      `${location.path} has unsaved changes in a text editor. Ask the user to save it in VS Code first.`,
    );
  const notebook = await loadNotebook(locator.vscode, location);
  for (let waited = 0; !notebook.isDirty && !(await isInStep(locator, location, notebook)); waited += PAUSE) {
    if (waited >= IN_STEP_TIME) throw notReloaded(location);
    await delay(PAUSE);
  }
  return notebook;
}

/** Whether the sources equal those of the file. True for other formats than Jupyter's. */
export async function isInStep(
  locator: Locator,
  location: Location,
  notebook: vscode.NotebookDocument,
): Promise<boolean> {
  if (location.uri.scheme !== 'file') return true;
  const text = decodeUtf8((await readDisk(locator, location))?.bytes ?? new Uint8Array());
  const cells = text === undefined ? undefined : cellsOfIpynb(text);
  if (!cells) return true;
  const [inFile, inEditor] = [
    cells.map((cell) => withLf(cell.text)),
    notebook.getCells().map(({ document }) => withLf(document.getText())),
  ];
  // Joined: VS Code shows an empty cell in a notebook without cells.
  return inFile.join('\0') === inEditor.join('\0');
}
