import type * as vscode from 'vscode';
import type { Guard } from '../../../access/accessRules.ts';
import type { Consent, PlannedAction } from '../../../access/consent/types.ts';
import { policyPath } from '../../../access/policyInputs.ts';
import { requireRedactedCells } from '../../../access/redaction/redactedEdit.ts';
import { throwIfCancelled, UserError } from '../../../core/messages.ts';
import { type CellEdit, type PlannedCell, planCells } from '../../../core/notebook/cellEdits.ts';
import { type NotebookCell, unnumberedText } from '../../../core/notebook/notebookText.ts';
import { withDeadline, within } from '../../../util/clock.ts';
import { isComparable, isSameChange } from '../../../util/lineDiff.ts';
import { locateUri } from '../../read/locateUri.ts';
import type { Location, Locator } from '../../read/location.ts';
import { cellsOf } from '../../read/notebooks.ts';
import { requireLoadable } from '../../read/readContent.ts';
import { record } from '../applyAll.ts';
import type { EditAccess, Edited, EditingCall, TextChange } from '../fileEdit.ts';
import { askUntilDone, fileDiff, requireSize } from '../plannedEdit.ts';
import {
  cellTurns,
  copiesOf,
  isInStep,
  languageOf,
  oldCellsOf,
  openEditableNotebook,
  restoringEdit,
  workspaceEditOf,
} from './notebookCells.ts';

/** Tries while the notebook keeps changing. */
const TRIES = 20;
/** How long saving may take, in milliseconds. */
const SAVE_TIME = 30_000;

interface Planned {
  location: Location;
  notebook: vscode.NotebookDocument;
  version: number;
  /** It has unsaved changes of the user, so they save it. */
  isTheirs: boolean;
  cells: readonly PlannedCell[];
  old: readonly NotebookCell[];
  after: readonly NotebookCell[];
  change: TextChange;
  guard: Guard | undefined;
}

/** Edits of one notebook, all or none, as one undo step. The outputs and metadata of other cells stay. */
export function notebookEdits(access: EditAccess, uri: vscode.Uri, edits: readonly CellEdit[]) {
  const { inputs, policy, redactor, turns, vscode } = access;

  async function plan(operation: 'read' | 'edit'): Promise<Planned> {
    policy.requireOperation(operation);
    policy.requireOperation('read');
    const location = await locateUri(access, uri.toString());
    await requireLoadable(access, location);
    const { path, realPath = location.uri.fsPath } = location;
    const notebook = await openEditableNotebook(access, location);
    const guard = await inputs.guardOf(policy, policyPath(location.uri), realPath);
    const [oldCells, old] = [oldCellsOf(notebook), cellsOf(notebook)];
    const cells = planCells(oldCells, edits, languageOf(notebook));
    const texts = oldCells.map(({ text }) => text);
    requireRedactedCells(redactor.redaction, path, texts, cells);
    const after = cells.map((cell) => shownCell(cell, old));
    const change = { before: unnumberedText(old), after: unnumberedText(after) };
    if (change.before === change.after) throw new UserError(`Nothing would change in ${path}.`);
    requireSize(location, cells.map(({ text }) => text).join('\n'));
    if (!isComparable(change.before, change.after))
      throw new UserError(`${path} is unchanged: the change has too many lines. Edit fewer cells at a time.`);
    const { version, isDirty, isUntitled } = notebook;
    return { location, notebook, version, isTheirs: isDirty || isUntitled, cells, old, after, change, guard };
  }

  /** The state after the edit, or a change that the user must approve first. */
  async function attempt(shown: Planned, consent: Consent, call: EditingCall) {
    let isAgain = false;
    for (let tries = 0; tries < TRIES; tries++) {
      throwIfCancelled(call.signal);
      const now = await plan('edit');
      if (now.location.realPath !== shown.location.realPath)
        throw new UserError(
          `${now.location.path} was replaced after the user was asked. Nothing was edited. Try again.`,
        );
      const isApproved = call.isApproved(actionOf(access, now));
      if (consent === 'shown' ? !isSameChange(shown.change, now.change) : !isApproved)
        return { changed: now };
      const copies = copiesOf(vscode, now.notebook);
      if (!(await cellTurns.take(now.notebook, () => apply(vscode, now, call.signal)))) continue;
      const done = await save(vscode, now, copies);
      if (!isAgain && (await isLost(access, now))) {
        isAgain = true; // once: a formatter takes it back each time
        continue;
      }
      record(access, [{ type: 'notebook', uri: now.notebook.uri, path: now.location.path }], call);
      return { done };
    }
    throw new UserError(
      `VS Code did not apply the edit to ${shown.location.path}: the notebook keeps changing, or is read-only. Try again later.`,
    );
  }

  return {
    /** The readable text before and after, as agents may see it. @throws UserError, NotFoundError */
    async preview(): Promise<TextChange> {
      const { old, after } = await plan('read');
      const shown = (cells: readonly NotebookCell[]) => redactor.text(unnumberedText(redactor.cells(cells)));
      return { before: shown(old), after: shown(after) };
    },

    /**
     * Makes them after the user has approved them, and again if the notebook changes meanwhile. A saved notebook is saved again.
     *
     * @throws UserError if the user denies it, or an edit does not fit; NotFoundError, CancelledError
     */
    async make(call: EditingCall): Promise<Edited> {
      const first = await plan('edit');
      const { realPath = first.notebook.uri.toString() } = first.location;
      return askUntilDone<Planned, Edited>(first, {
        ...{ vscode, call },
        plan: () => plan('edit'),
        actionOf: (planned) => actionOf(access, planned),
        urisOf: ({ notebook }) => [notebook.uri],
        attempt: (shown, consent) => turns.take(realPath, () => attempt(shown, consent, call)),
      });
    },
  };
}

/** Resolves to whether it was applied. The workbench rejects it if the notebook changed meanwhile. @throws CancelledError */
async function apply(
  code: typeof vscode,
  { notebook, version, cells, location }: Planned,
  signal: AbortSignal,
): Promise<boolean> {
  throwIfCancelled(signal);
  if (notebook.version !== version || notebook.isClosed) return false;
  const edit = workspaceEditOf(code, notebook, cells);
  return withDeadline(code.workspace.applyEdit(edit), `editing ${location.path}`);
}

/** @param copies the cells before the edit. @throws UserError if it cannot be saved; it is reverted then */
async function save(
  code: typeof vscode,
  planned: Planned,
  copies: readonly vscode.NotebookCellData[],
): Promise<Edited> {
  const { location, notebook, isTheirs, change } = planned;
  const state = { location, changedOnSave: false, madeEndsAlike: false, isGone: false };
  const asEdited = () => unnumberedText(cellsOf(notebook)) === change.after;
  // If the user changed more meanwhile, they decide when to save.
  if (isTheirs || !asEdited()) return { ...state, version: notebook.version, saved: 'theirs' };
  const saved = await within(notebook.save(), SAVE_TIME, 'still saving' as const);
  if (saved === false && notebook.isDirty) {
    const restored = code.workspace.applyEdit(restoringEdit(code, notebook, copies));
    await withDeadline(restored, `reverting the edit of ${location.path}`);
    throw new UserError(
      `VS Code could not save ${location.path}: it may be read-only, or have just changed on the disk. The edit was reverted.`,
    );
  }
  const { version } = notebook;
  const changedOnSave = saved === true && !asEdited();
  return { ...state, version, changedOnSave, saved: saved === 'still saving' ? saved : 'saved' };
}

/** Whether all is as before the edit: VS Code was just reading the file, and has put its cells over the edit. */
const isLost = async (locator: Locator, { location, notebook, change }: Planned): Promise<boolean> =>
  !notebook.isDirty &&
  unnumberedText(cellsOf(notebook)) === change.before &&
  (await isInStep(locator, location, notebook));

/** A cell after the edit with its outputs. */
function shownCell(
  { kind, language, text, from = -1 }: PlannedCell,
  old: readonly NotebookCell[],
): NotebookCell {
  if (kind === 'markdown') return { kind, text, outputs: [] };
  const { run, outputs = [] } = old[from] ?? {};
  return { kind, language, text, outputs, ...(run !== undefined && { run }) };
}

/** The action that the user is asked to approve. As text: VS Code would open a notebook's diff in another editor. */
function actionOf(locator: Locator, { location, notebook, guard, change }: Planned): PlannedAction {
  const uri = notebook.uri.with({ path: `${notebook.uri.path}.txt` });
  const diffs = [fileDiff(locator, location, { uri, change, guard })];
  return { kind: 'edit', subject: location.path, diffs };
}
