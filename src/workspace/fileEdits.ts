import type * as vscode from 'vscode';
import type { FileDiff } from '../access/consent/types.ts';
import type { Policy } from '../access/policy.ts';
import { planRedacted } from '../access/redaction/redactedEdit.ts';
import { UserError } from '../core/errors.ts';
import type { CellEdit } from '../core/notebook/cellEdits.ts';
import { visible } from '../core/text/escapeInvisible.ts';
import { withLf } from '../core/text/replacements.ts';
import { type EditingCall, type EditResult, editFiles } from './edit/editFiles.ts';
import type { EditPlan, FileEdit } from './edit/fileEdit.ts';
import type { Author, Deed } from './edit/journal.ts';
import { NotebookEdits } from './edit/notebookEdits.ts';
import { type Editable, openEditable } from './edit/openEditable.ts';
import type { Operation } from './edit/operations/operation.ts';
import { planOperations } from './edit/operations/plannedOperation.ts';
import { OwnEdits } from './edit/ownEdits.ts';
import { requireVersion } from './edit/plannedEdit.ts';
import { requireUnsaved, type SaveOutcome, saveUnsaved, unsavedFiles } from './edit/saveUnsaved.ts';
import { openDocument } from './read/displayPath.ts';
import { fileStat } from './read/fileStat.ts';
import { locateUri } from './read/locateUri.ts';
import type { Location, Locator } from './read/location.ts';
import { type MakeRoom, requireText } from './read/readContent.ts';
import type { Redactor } from './read/redactor.ts';
import type { WindowFiles } from './windowFiles.ts';

/** What a call has that reads or edits large files. */
interface Room {
  makeRoom?: MakeRoom;
}

/** Of the files of one agent. */
interface Parts {
  locator: Locator;
  redactor: Redactor;
  author(): Author;
  /** @throws UserError, NotFoundError */
  load(location: Location): Promise<vscode.TextDocument>;
  /** @throws UserError, NotFoundError */
  requireFile(location: Location): Promise<void>;
}

/** Changes of files by one agent. Features reach them as `ctx.files.edits`; the policy checks every file again. */
export class FileEdits {
  /** What this agent changed. */
  readonly own: OwnEdits;
  readonly #window: WindowFiles;
  readonly #parts: Parts;
  readonly #policy: Policy;

  constructor(window: WindowFiles, parts: Parts) {
    const { locator, author, redactor } = parts;
    this.#window = window;
    this.#parts = parts;
    this.#policy = locator.policy;
    const redacted = (text: string, path: string) => redactor.text(text, path);
    this.own = new OwnEdits({ locator, journal: window.journal, author, redacted });
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
    const access = {
      locator: this.#parts.locator,
      open: (one: Location) => this.#open(one),
      turns: this.#window.edits,
      record: (deeds: readonly Deed[]) => this.#record(deeds, call),
      changes: (one: Location, text: string) =>
        this.own.changes(one, this.#parts.redactor.text(text, one.path)),
    };
    const redacted = edits.map((edit) => ({ ...edit, plan: (text: string) => this.#plan(edit, text).after }));
    const result = await editFiles(access, redacted, operations, call);
    for (const { location } of result.edited) this.own.edited(location);
    return result;
  }

  /** @throws UserError, with what other agents changed meanwhile */
  #plan({ location, plan, isWhole }: FileEdit, text: string) {
    return planRedacted(this.#parts.redactor.redaction, location.path, text, (shown) => {
      const others = this.own.othersChanges(location, shown);
      if (isWhole && others)
        throw new UserError(`${visible(location.path)} is unchanged. Read it again. ${others}`, {
          lines: true,
        });
      try {
        return plan(shown);
      } catch (error) {
        if (!others || !(error instanceof UserError)) throw error;
        throw new UserError(`${error.message}\n${others}`, { lines: true });
      }
    });
  }

  #record(deeds: readonly Deed[], { tool, undoes }: EditingCall): void {
    const { journal } = this.#window;
    if (undoes === undefined) journal.add({ author: this.#parts.author(), tool, deeds });
    else journal.remove(undoes);
  }

  /** What saving would change on the disk, as agents may see it. @throws UserError if there is nothing to save */
  async previewSave(locations: readonly Location[]): Promise<FileDiff[]> {
    const unsaved = await requireUnsaved(this.#parts.locator, locations);
    const shown = async ({ diff, document }: (typeof unsaved)[number]) => {
      const [before, after] = await Promise.all(
        [diff.before, diff.after].map((one) => this.#parts.redactor.inDocument(one, diff.path, document)),
      );
      return { ...diff, before: before ?? '', after: after ?? '' };
    };
    return Promise.all(unsaved.map(shown));
  }

  /** Files and other texts that are unsaved. */
  unsaved(): Promise<Location[]> {
    return unsavedFiles(this.#parts.locator);
  }

  /**
   * Saves unsaved text, after the user has approved it.
   *
   * @throws UserError if it is denied, or none can be saved; CancelledError
   */
  save(locations: readonly Location[], call: EditingCall): Promise<SaveOutcome[]> {
    return saveUnsaved({ locator: this.#parts.locator, turns: this.#window.edits }, locations, call);
  }

  /** The text before and after an edit, as agents may see it, without asking or editing. @throws UserError, NotFoundError */
  async preview(
    location: Location,
    edit: EditPlan,
    { makeRoom }: Room = {},
  ): Promise<{ before: string; after: string }> {
    this.#policy.requireOperation('read');
    await this.#makeRoomToEdit([{ location }], makeRoom);
    const text = await requireText(this.#parts.locator, location);
    const document = openDocument(this.#window.vscode, location);
    const changes = () => this.own.changes(location, this.#parts.redactor.text(withLf(text), location.path));
    requireVersion(location, document?.version ?? 1, edit.expectedVersion, changes); // the version it would have once loaded
    return this.#plan({ ...edit, location }, withLf(text)).shown;
  }

  /** Edits of a notebook's cells, applied in order. They check the policy again. */
  ofNotebook({ uri }: Location, edits: readonly CellEdit[]): NotebookEdits {
    const open = async (operation: 'read' | 'edit') => {
      this.#policy.requireOperation(operation);
      this.#policy.requireOperation('read');
      const location = await locateUri(this.#parts.locator, uri.toString());
      await this.#parts.requireFile(location);
      return location;
    };
    const access = {
      locator: this.#parts.locator,
      redactor: this.#parts.redactor,
      open,
      turns: this.#window.edits,
    };
    return new NotebookEdits({ ...access, record: (deeds, call) => this.#record(deeds, call) }, edits);
  }

  /** What operations would do, without asking or doing it. @throws UserError, NotFoundError */
  async previewOperations(operations: readonly Operation[]): Promise<FileDiff[]> {
    const planned = await planOperations(this.#parts.locator, operations);
    return planned.map(({ diff }) => {
      const shown = (text: string) => this.#parts.redactor.text(text, diff.path);
      return { ...diff, before: shown(diff.before), after: shown(diff.after) };
    });
  }

  /** For the texts before and after: an agent may ask for a thousand edits at once, each of which waits for an answer. */
  async #makeRoomToEdit(edits: readonly Pick<FileEdit, 'location'>[], makeRoom?: MakeRoom): Promise<void> {
    const sizeOf = async ({ location }: Pick<FileEdit, 'location'>) =>
      openDocument(this.#window.vscode, location)?.getText().length ??
      (await fileStat(this.#window.vscode, location.uri))?.size ??
      0;
    const sizes = await Promise.all(edits.map(sizeOf));
    await makeRoom?.(2 * sizes.reduce((sum, size) => sum + size, 0));
  }

  async #open({ uri }: Location): Promise<Editable> {
    this.#policy.requireOperation('edit');
    this.#policy.requireOperation('read'); // errors and problems quote the text
    const location = await locateUri(this.#parts.locator, uri.toString());
    return openEditable(this.#parts.locator, location, (one) => this.#parts.load(one));
  }
}
