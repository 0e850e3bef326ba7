import type * as vscode from 'vscode';
import type { FileDiff } from '../access/consent/types.ts';
import type { CellEdit } from '../core/notebook/cellEdits.ts';
import { withLf } from '../core/text/replacements.ts';
import type { Done } from './edit/applied.ts';
import type { EditAccess } from './edit/edit.ts';
import { FilesEdit } from './edit/filesEdit.ts';
import { openEditableNotebook } from './edit/notebook/notebookCells.ts';
import { NotebookEdit } from './edit/notebook/notebookEdit.ts';
import type { Operation } from './edit/operations/operation.ts';
import { planOperations } from './edit/operations/plannedOperation.ts';
import { entriesIn, type TreeEntry } from './edit/operations/tree.ts';
import { OwnEdits } from './edit/ownEdits.ts';
import type { EditCall, EditWatcher, Request, Saved, TextChange, TextRequest } from './edit/request.ts';
import { type SaveOutcome, SavingEdit, unsavedAmong, unsavedFiles } from './edit/savingEdit.ts';
import { changesSince, plannedText, planText, requireVersion } from './edit/textPlan.ts';
import { fileStat, type MakeRoom } from './read/diskFile.ts';
import { locateUri } from './read/locateUri.ts';
import { type Location, openDocument } from './read/location.ts';
import { requireLoadable, requireText } from './read/readContent.ts';

/** Changes of files by one agent. Features reach them as `ctx.files.edits`; the policy checks every file again. */
export class AgentEdits {
  readonly own: OwnEdits;
  readonly #access: EditAccess;

  constructor(access: Omit<EditAccess, 'own'>) {
    this.own = new OwnEdits(access);
    this.#access = { ...access, own: this.own };
  }

  /**
   * Changes texts in the editor, and creates, moves, copies and deletes files: all or nothing, after the user has approved it.
   *
   * @throws UserError if it is denied or does not fit, NotFoundError, CancelledError
   */
  async make(request: Request, call: EditCall, watcher?: EditWatcher): Promise<Done> {
    const done = await new FilesEdit(this.#access, request, call, watcher).make();
    for (const { location } of done.saved) this.own.edited(location);
    return done;
  }

  /** The text before and after an edit, as agents may see it, without asking or editing. @throws UserError, NotFoundError */
  async preview(
    edit: Omit<TextRequest, 'did'>,
    { makeRoom }: { makeRoom?: MakeRoom } = {},
  ): Promise<TextChange> {
    const { policy, vscode } = this.#access;
    const { location } = edit;
    policy.requireOperation('read');
    const document = openDocument(vscode, location);
    await makeRoom?.(2 * (document?.getText().length ?? (await fileStat(vscode, location.uri))?.size ?? 0));
    const text = withLf((await requireText(this.#access, location)).text);
    const version = openDocument(vscode, location)?.version ?? 1; // which it would have once loaded
    const expected = edit.expectedVersion ?? edit.plannedOn;
    requireVersion(location, version, expected, () => changesSince(this.#access, location, text));
    return (await plannedText(this.#access, edit, text)).shown;
  }

  /** Takes back an edit of this agent: the request, and the tool that made it. @throws UserError, NotFoundError */
  requestToUndo(id?: number): Promise<{ tool: string; request: Required<Request> }> {
    const requireFit = (undo: TextRequest | Operation) =>
      'plan' in undo ? planText(this.#access, undo) : planOperations(this.#access, [undo]);
    return this.own.requestToUndo(requireFit, id);
  }

  /** What operations would do, without asking or doing it. @throws UserError, NotFoundError */
  async previewOperations(operations: readonly Operation[]): Promise<FileDiff[]> {
    const planned = await planOperations(this.#access, operations);
    return planned.map(({ diff }) => {
      const shown = (text: string) => this.#access.redactor.text(text, diff.path);
      return { ...diff, before: shown(diff.before), after: shown(diff.after) };
    });
  }

  /** All that is in a folder, ignored files too; empty for a file. @throws UserError if there is too much, or some of it is closed to the agent */
  async entries(location: Location): Promise<readonly TreeEntry[]> {
    const isFolder = (await fileStat(this.#access.vscode, location.uri))?.isFolder;
    return isFolder ? entriesIn(this.#access, location) : [];
  }

  /** All that is unsaved, as far as this agent may know it; texts without a file and notebooks too. */
  unsaved(): Promise<Location[]> {
    return unsavedFiles(this.#access);
  }

  /**
   * Saves unsaved text, after the user has approved it.
   *
   * @throws UserError if it is denied, or none can be saved; CancelledError
   */
  save(locations: readonly Location[], call: EditCall): Promise<SaveOutcome[]> {
    return new SavingEdit(this.#access, locations, call).make();
  }

  /** What saving would change on the disk, as agents may see it. @throws UserError if there is nothing to save */
  async previewSave(locations: readonly Location[]): Promise<FileDiff[]> {
    const unsaved = await unsavedAmong(this.#access, locations);
    return Promise.all(
      unsaved.map(async ({ diff, document }) => {
        const shown = (text: string) => this.#access.redactor.inDocument(text, diff.path, document);
        const [before, after] = await Promise.all([shown(diff.before), shown(diff.after)]);
        return { ...diff, before, after };
      }),
    );
  }

  /** The notebook as the user has it, loaded without a tab if it is not open. @throws UserError, NotFoundError */
  async notebook({ uri }: Location): Promise<vscode.NotebookDocument> {
    this.#access.policy.requireOperation('read');
    this.#access.redactor.redaction.require();
    const location = await locateUri(this.#access, uri.toString());
    await requireLoadable(this.#access, location);
    return openEditableNotebook(this.#access, location);
  }

  /** The readable text of a notebook before and after edits of its cells, as agents may see it. @throws UserError, NotFoundError */
  previewCells(location: Location, edits: readonly CellEdit[], call: EditCall): Promise<TextChange> {
    return new NotebookEdit(this.#access, location, edits, call).preview();
  }

  /**
   * Edits cells of a notebook, applied in order, after the user has approved it.
   *
   * @throws UserError if it is denied or does not fit, NotFoundError, CancelledError
   */
  makeCells(
    location: Location,
    edits: readonly CellEdit[],
    call: EditCall,
    watcher: EditWatcher,
  ): Promise<Saved> {
    return new NotebookEdit(this.#access, location, edits, call, watcher).make();
  }
}
