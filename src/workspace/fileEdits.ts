import type * as vscode from 'vscode';
import type { FileDiff } from '../access/consent/types.ts';
import { planRedacted } from '../access/redaction/redactedEdit.ts';
import { UserError, visible } from '../core/messages.ts';
import type { CellEdit } from '../core/notebook/cellEdits.ts';
import { withLf } from '../core/text/replacements.ts';
import type { EditResult } from './edit/applyAll.ts';
import { editFiles } from './edit/editFiles.ts';
import type { EditAccess, EditingCall, EditPlan, FileEdit, TextChange } from './edit/fileEdit.ts';
import { openEditableNotebook } from './edit/notebook/notebookCells.ts';
import { notebookEdits } from './edit/notebook/notebookEdits.ts';
import type { Operation } from './edit/operations/operation.ts';
import { planOperations } from './edit/operations/plannedOperation.ts';
import { entriesIn, type TreeEntry } from './edit/operations/tree.ts';
import { ownEdits } from './edit/ownEdits.ts';
import { requireVersion } from './edit/plannedEdit.ts';
import { requireUnsaved, saveUnsaved, unsavedFiles } from './edit/saveUnsaved.ts';
import { fileStat, type MakeRoom } from './read/diskFile.ts';
import { locateUri } from './read/locateUri.ts';
import { type Location, openDocument } from './read/location.ts';
import { requireLoadable, requireText } from './read/readContent.ts';

/** What a call has that reads or edits large files. */
interface Room {
  makeRoom?: MakeRoom;
}

/** Changes of files by one agent. Features reach them as `ctx.files.edits`; the policy checks every file again. */
export function fileEdits(access: EditAccess) {
  const { vscode, policy, redactor } = access;
  const own = ownEdits(access);

  /** @throws UserError, with what other agents changed meanwhile */
  const planned = ({ location, plan, isWhole }: FileEdit, text: string) =>
    planRedacted(redactor.redaction, location.path, text, async (shown) => {
      const others = own.othersChanges(location, shown);
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

  const changes = (location: Location, text: string): string | undefined =>
    own.changes(location, redactor.text(text, location.path));

  /** For the texts before and after: an agent may ask for a thousand edits at once, each of which waits for an answer. */
  async function makeRoomToEdit(locations: readonly Location[], makeRoom?: MakeRoom): Promise<void> {
    const sizeOf = async (location: Location) =>
      openDocument(vscode, location)?.getText().length ?? (await fileStat(vscode, location.uri))?.size ?? 0;
    const sizes = await Promise.all(locations.map(sizeOf));
    await makeRoom?.(2 * sizes.reduce((sum, size) => sum + size, 0));
  }

  return {
    own,

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
      const locations = edits.map(({ location }) => location);
      await makeRoomToEdit(locations, makeRoom);
      const redacted = edits.map((edit) => ({
        ...edit,
        plan: async (text: string) => (await planned(edit, text)).after,
        changes: (text: string) => changes(edit.location, text),
      }));
      const result = await editFiles(access, redacted, operations, call);
      for (const { location } of result.edited) own.edited(location);
      return result;
    },

    /** What saving would change on the disk, as agents may see it. @throws UserError if there is nothing to save */
    async previewSave(locations: readonly Location[]): Promise<FileDiff[]> {
      const unsaved = await requireUnsaved(access, locations);
      const shown = async ({ diff, document }: (typeof unsaved)[number]) => {
        const inDocument = (text: string) => redactor.inDocument(text, diff.path, document);
        const [before, after] = await Promise.all([inDocument(diff.before), inDocument(diff.after)]);
        return { ...diff, before, after };
      };
      return Promise.all(unsaved.map(shown));
    },

    unsaved: () => unsavedFiles(access),

    /**
     * Saves unsaved text, after the user has approved it.
     *
     * @throws UserError if it is denied, or none can be saved; CancelledError
     */
    save: (locations: readonly Location[], call: EditingCall) => saveUnsaved(access, locations, call),

    /** The text before and after an edit, as agents may see it, without asking or editing. @throws UserError, NotFoundError */
    async preview(location: Location, edit: EditPlan, { makeRoom }: Room = {}): Promise<TextChange> {
      policy.requireOperation('read');
      await makeRoomToEdit([location], makeRoom);
      const text = withLf((await requireText(access, location)).text);
      const version = openDocument(vscode, location)?.version ?? 1; // which it would have once loaded
      const expected = edit.expectedVersion ?? edit.plannedOn;
      requireVersion(location, version, expected, () => changes(location, text));
      return (await planned({ ...edit, location }, text)).shown;
    },

    /** The notebook as the user has it, loaded without a tab if it is not open. @throws UserError, NotFoundError */
    async notebook({ uri }: Location): Promise<vscode.NotebookDocument> {
      policy.requireOperation('read');
      redactor.redaction.require();
      const location = await locateUri(access, uri.toString());
      await requireLoadable(access, location);
      return openEditableNotebook(access, location);
    },

    /** Edits of a notebook's cells, applied in order. They check the policy again. */
    ofNotebook: ({ uri }: Location, edits: readonly CellEdit[]) => notebookEdits(access, uri, edits),

    /** All that is in a folder, ignored files too; empty for a file. @throws UserError if there is too much, or some of it is closed to the agent */
    async entries(location: Location): Promise<readonly TreeEntry[]> {
      const isFolder = (await fileStat(vscode, location.uri))?.isFolder;
      return isFolder ? entriesIn(access, location) : [];
    },

    /** What operations would do, without asking or doing it. @throws UserError, NotFoundError */
    async previewOperations(operations: readonly Operation[]): Promise<FileDiff[]> {
      const planned = await planOperations(access, operations);
      return planned.map(({ diff }) => {
        const shown = (text: string) => redactor.text(text, diff.path);
        return { ...diff, before: shown(diff.before), after: shown(diff.after) };
      });
    },
  };
}
