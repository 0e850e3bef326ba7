import type * as vscode from 'vscode';
import type { FileDiff } from '../access/consent/types.ts';
import { planRedacted } from '../access/redaction/redactedEdit.ts';
import { UserError } from '../core/errors.ts';
import type { CellEdit } from '../core/notebook/cellEdits.ts';
import { visible } from '../core/text/escapeInvisible.ts';
import { withLf } from '../core/text/replacements.ts';
import type { EditResult } from './edit/applyAll.ts';
import { editFiles } from './edit/editFiles.ts';
import type { EditAccess, EditingCall, EditPlan, FileEdit } from './edit/fileEdit.ts';
import { openEditableNotebook } from './edit/notebook/notebookCells.ts';
import { NotebookEdits } from './edit/notebook/notebookEdits.ts';
import type { Operation } from './edit/operations/operation.ts';
import { planOperations } from './edit/operations/plannedOperation.ts';
import { entriesIn, type TreeEntry } from './edit/operations/tree.ts';
import { OwnEdits } from './edit/ownEdits.ts';
import { requireVersion } from './edit/plannedEdit.ts';
import { requireUnsaved, type SaveOutcome, saveUnsaved, unsavedFiles } from './edit/saveUnsaved.ts';
import { fileStat, type MakeRoom } from './read/diskFile.ts';
import { requireLoadable } from './read/loadDocument.ts';
import { locateUri } from './read/locateUri.ts';
import { type Location, openDocument } from './read/location.ts';
import { requireText } from './read/readContent.ts';

/** What a call has that reads or edits large files. */
interface Room {
  makeRoom?: MakeRoom;
}

/** Changes of files by one agent. Features reach them as `ctx.files.edits`; the policy checks every file again. */
export class FileEdits {
  readonly own: OwnEdits;
  readonly #access: EditAccess;

  constructor(access: EditAccess) {
    this.#access = access;
    this.own = new OwnEdits(access);
  }

  /**
   * Changes texts in the editor, and creates, moves, copies and deletes files: all or nothing, after the user has approved it.
   *
   * @throws UserError if it is denied or does not fit, NotFoundError, CancelledError
   */
  async make(
    edits: readonly FileEdit[],
    operations: readonly Operation[],
    { makeRoom, ...call }: EditingCall & Room,
  ): Promise<EditResult> {
    await this.#makeRoomToEdit(edits, makeRoom);
    const redacted = edits.map((edit) => ({
      ...edit,
      plan: async (text: string) => (await this.#plan(edit, text)).after,
      changes: (text: string) => this.#changes(edit.location, text),
    }));
    const result = await editFiles(this.#access, redacted, operations, call);
    for (const { location } of result.edited) this.own.edited(location);
    return result;
  }

  /** @throws UserError, with what other agents changed meanwhile */
  #plan({ location, plan, isWhole }: FileEdit, text: string) {
    return planRedacted(this.#access.redactor.redaction, location.path, text, async (shown) => {
      const others = this.own.othersChanges(location, shown);
      if (isWhole && others)
        throw new UserError(`${visible(location.path)} is unchanged. Read it again. ${others}`, {
          lines: true,
        });
      try {
        return await plan(shown);
      } catch (error) {
        if (!others || !(error instanceof UserError)) throw error;
        throw new UserError(`${error.message}\n${others}`, { lines: true });
      }
    });
  }

  #changes(location: Location, text: string): string | undefined {
    return this.own.changes(location, this.#access.redactor.text(text, location.path));
  }

  /** What saving would change on the disk, as agents may see it. @throws UserError if there is nothing to save */
  async previewSave(locations: readonly Location[]): Promise<FileDiff[]> {
    const unsaved = await requireUnsaved(this.#access, locations);
    const shown = async ({ diff, document }: (typeof unsaved)[number]) => {
      const [before, after] = await Promise.all(
        [diff.before, diff.after].map((one) => this.#access.redactor.inDocument(one, diff.path, document)),
      );
      return { ...diff, before: before ?? '', after: after ?? '' };
    };
    return Promise.all(unsaved.map(shown));
  }

  unsaved(): Promise<Location[]> {
    return unsavedFiles(this.#access);
  }

  /**
   * Saves unsaved text, after the user has approved it.
   *
   * @throws UserError if it is denied, or none can be saved; CancelledError
   */
  save(locations: readonly Location[], call: EditingCall): Promise<SaveOutcome[]> {
    return saveUnsaved(this.#access, locations, call);
  }

  /** The text before and after an edit, as agents may see it, without asking or editing. @throws UserError, NotFoundError */
  async preview(
    location: Location,
    edit: EditPlan,
    { makeRoom }: Room = {},
  ): Promise<{ before: string; after: string }> {
    this.#access.policy.requireOperation('read');
    await this.#makeRoomToEdit([{ location }], makeRoom);
    const { text } = await requireText(this.#access, location);
    const document = openDocument(this.#access.vscode, location);
    const changes = () => this.#changes(location, withLf(text));
    requireVersion(location, document?.version ?? 1, edit.expectedVersion ?? edit.plannedOn, changes); // the version it would have once loaded
    return (await this.#plan({ ...edit, location }, withLf(text))).shown;
  }

  /** The notebook as the user has it, loaded without a tab if it is not open. @throws UserError, NotFoundError */
  async notebook({ uri }: Location): Promise<vscode.NotebookDocument> {
    const { policy, redactor } = this.#access;
    policy.requireOperation('read');
    redactor.redaction.require();
    const location = await locateUri(this.#access, uri.toString());
    await requireLoadable(this.#access, location);
    return openEditableNotebook(this.#access, location);
  }

  /** Edits of a notebook's cells, applied in order. They check the policy again. */
  ofNotebook({ uri }: Location, edits: readonly CellEdit[]): NotebookEdits {
    return new NotebookEdits(this.#access, uri, edits);
  }

  /** All that is in a folder, ignored files too; empty for a file. @throws UserError if there is too much, or some of it is closed to the agent */
  async entries(location: Location): Promise<readonly TreeEntry[]> {
    const isFolder = (await fileStat(this.#access.vscode, location.uri))?.isFolder;
    return isFolder ? entriesIn(this.#access, location) : [];
  }

  /** What operations would do, without asking or doing it. @throws UserError, NotFoundError */
  async previewOperations(operations: readonly Operation[]): Promise<FileDiff[]> {
    const planned = await planOperations(this.#access, operations);
    return planned.map(({ diff }) => {
      const shown = (text: string) => this.#access.redactor.text(text, diff.path);
      return { ...diff, before: shown(diff.before), after: shown(diff.after) };
    });
  }

  /** For the texts before and after: an agent may ask for a thousand edits at once, each of which waits for an answer. */
  async #makeRoomToEdit(edits: readonly Pick<FileEdit, 'location'>[], makeRoom?: MakeRoom): Promise<void> {
    const sizeOf = async ({ location }: Pick<FileEdit, 'location'>) =>
      openDocument(this.#access.vscode, location)?.getText().length ??
      (await fileStat(this.#access.vscode, location.uri))?.size ??
      0;
    const sizes = await Promise.all(edits.map(sizeOf));
    await makeRoom?.(2 * sizes.reduce((sum, size) => sum + size, 0));
  }
}
