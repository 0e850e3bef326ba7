import type * as vscode from 'vscode';
import type { Guard } from '../../../access/accessRules.ts';
import type { Consent, PlannedAction } from '../../../access/consent/types.ts';
import { policyPath } from '../../../access/policyInputs.ts';
import { requireRedactedCells } from '../../../access/redaction/redactedEdit.ts';
import { throwIfCancelled, UserError } from '../../../core/errors.ts';
import { type CellEdit, type PlannedCell, planCells } from '../../../core/notebook/cellEdits.ts';
import { type NotebookCell, unnumberedText } from '../../../core/notebook/notebookText.ts';
import { counted } from '../../../core/text/cut.ts';
import { withDeadline, within } from '../../../util/clock.ts';
import { isComparable, isSameChange } from '../../../util/lineDiff.ts';
import { locateUri } from '../../read/locateUri.ts';
import type { Location, Locator } from '../../read/location.ts';
import { cellsOf } from '../../read/notebooks.ts';
import { requireLoadable } from '../../read/readContent.ts';
import { Edit, type EditAccess } from '../edit.ts';
import type { EditCall, EditWatcher, Saved, TextChange } from '../request.ts';
import { fileDiff, requireSize } from '../textPlan.ts';
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

/** What the edits change in the cells of one moment. */
interface Plan {
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
export class NotebookEdit extends Edit<Plan, Saved> {
  readonly #uri: vscode.Uri;
  readonly #edits: readonly CellEdit[];

  constructor(
    access: EditAccess,
    { uri }: Location,
    edits: readonly CellEdit[],
    call: EditCall,
    watcher?: EditWatcher,
  ) {
    super(access, call, watcher);
    this.#uri = uri;
    this.#edits = edits;
  }

  /** The readable text before and after, as agents may see it. @throws UserError, NotFoundError */
  async preview(): Promise<TextChange> {
    const { old, after } = await this.#planFor('read');
    const { redactor } = this.access;
    const shown = (cells: readonly NotebookCell[]) => redactor.text(unnumberedText(redactor.cells(cells)));
    return { before: shown(old), after: shown(after) };
  }

  /**
   * Makes them after the user has approved them, and again if the notebook changes meanwhile. A saved notebook is saved again.
   *
   * @throws UserError if the user denies it, or an edit does not fit; NotFoundError, CancelledError
   */
  async make(): Promise<Saved> {
    return this.askThenMake(await this.plan());
  }

  protected override plan(): Promise<Plan> {
    return this.#planFor('edit');
  }

  async #planFor(operation: 'read' | 'edit'): Promise<Plan> {
    const { inputs, policy, redactor } = this.access;
    policy.requireOperation(operation);
    policy.requireOperation('read');
    const location = await locateUri(this.access, this.#uri.toString());
    await requireLoadable(this.access, location);
    const { path, realPath = location.uri.fsPath } = location;
    const notebook = await openEditableNotebook(this.access, location);
    const guard = await inputs.guardOf(policy, policyPath(location.uri), realPath);
    const [oldCells, old] = [oldCellsOf(notebook), cellsOf(notebook)];
    const cells = planCells(oldCells, this.#edits, languageOf(notebook));
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

  /** As text: VS Code would open a notebook's diff in another editor. */
  protected override actionOf({ location, notebook, guard, change }: Plan): PlannedAction {
    const uri = notebook.uri.with({ path: `${notebook.uri.path}.txt` });
    const diffs = [fileDiff(this.access, location, { uri, change, guard })];
    return { kind: 'edit', subject: location.path, diffs };
  }

  protected override urisOf({ notebook }: Plan): vscode.Uri[] {
    return [notebook.uri];
  }

  protected override attempt(approved: Plan, consent: Consent) {
    const { realPath = `${approved.notebook.uri}` } = approved.location;
    return this.access.editTurns.take(realPath, () => this.#attempt(approved, consent));
  }

  async #attempt(approved: Plan, consent: Consent): Promise<{ done: Saved } | { changed: Plan }> {
    const { vscode } = this.access;
    let isAgain = false;
    for (let tries = 0; tries < TRIES; tries++) {
      throwIfCancelled(this.call.signal);
      const now = await this.plan();
      if (now.location.realPath !== approved.location.realPath)
        throw new UserError(
          `${now.location.path} was replaced after the user was asked. Nothing was edited. Try again.`,
        );
      if (!this.isAgreed(now, isSameChange(approved.change, now.change), consent)) return { changed: now };
      const copies = copiesOf(vscode, now.notebook);
      if (!(await cellTurns.take(now.notebook, () => apply(vscode, now, this.call.signal)))) continue;
      const done = await this.#save(now, copies);
      if (!isAgain && (await isLost(this.access, now))) {
        isAgain = true; // once: a formatter takes it back each time
        continue;
      }
      const { journal, author } = this.access;
      const deeds = [{ type: 'notebook' as const, uri: now.notebook.uri, path: now.location.path }];
      journal.add({ author: author(), tool: this.call.tool, deeds });
      return { done };
    }
    throw new UserError(
      `VS Code did not apply the edit to ${approved.location.path}: the notebook keeps changing, or is read-only. Try again later.`,
    );
  }

  /** @param copies the cells before the edit. @throws UserError if it cannot be saved; it is reverted then */
  async #save(
    { location, notebook, isTheirs, change }: Plan,
    copies: readonly vscode.NotebookCellData[],
  ): Promise<Saved> {
    const { vscode } = this.access;
    const did = counted(this.#edits.length, 'cell edit');
    const state = { location, did, madeEndsAlike: false, isGone: false };
    const asEdited = () => unnumberedText(cellsOf(notebook)) === change.after;
    // If the user changed more meanwhile, they decide when to save.
    if (isTheirs || !asEdited()) return { ...state, version: notebook.version, saved: 'theirs' };
    const saved = await within(notebook.save(), SAVE_TIME, 'still saving' as const);
    if (saved === false && notebook.isDirty) {
      const restored = vscode.workspace.applyEdit(restoringEdit(vscode, notebook, copies));
      await withDeadline(restored, `reverting the edit of ${location.path}`);
      throw new UserError(
        `VS Code could not save ${location.path}: it may be read-only, or have just changed on the disk. The edit was reverted.`,
      );
    }
    const { version } = notebook;
    const isChanged = saved === true && !asEdited();
    const changedOnSave = isChanged
      ? 'VS Code changed more of the notebook while saving it. Read it again.'
      : undefined;
    return { ...state, version, changedOnSave, saved: saved === 'still saving' ? saved : 'saved' };
  }
}

/** Resolves to whether it was applied. The workbench rejects it if the notebook changed meanwhile. @throws CancelledError */
async function apply(
  code: typeof vscode,
  { notebook, version, cells, location }: Plan,
  signal: AbortSignal,
): Promise<boolean> {
  throwIfCancelled(signal);
  if (notebook.version !== version || notebook.isClosed) return false;
  const edit = workspaceEditOf(code, notebook, cells);
  return withDeadline(code.workspace.applyEdit(edit), `editing ${location.path}`);
}

/** Whether all is as before the edit: VS Code was just reading the file, and has put its cells over the edit. */
const isLost = async (locator: Locator, { location, notebook, change }: Plan): Promise<boolean> =>
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
