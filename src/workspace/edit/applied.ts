import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { visible } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { locateUri } from '../read/locateUri.ts';
import { type Location, openDocument } from '../read/location.ts';
import type { EditAccess } from './edit.ts';
import { movedUri } from './journal.ts';
import { leaveUnsaved } from './openEditable.ts';
import { type Performed, perform } from './operations/operate.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';
import type { EditCall, EditWatcher, Request, Saved } from './request.ts';
import { type Applied, loaded, save } from './save.ts';
import { savedDifference } from './savedDifference.ts';
import type { TextPlan } from './textPlan.ts';

/** What was done. */
export interface Done {
  /** One for each edit that changed something, in the order of the edits. */
  saved: Saved[];
  operated: Performed[];
}

/** Says that an edit must not stay, and that it was rolled back. */
export class RolledBackError extends UserError {}

type AppliedText = TextPlan & Applied;

/** An edit that is being made: all of it, or nothing. */
export class AppliedEdit {
  readonly #access: EditAccess;
  readonly #request: Request;
  readonly #call: EditCall;
  readonly #watcher: EditWatcher | undefined;
  readonly #texts: AppliedText[] = [];
  readonly #operated: Performed[] = [];

  constructor(access: EditAccess, request: Request, call: EditCall, watcher?: EditWatcher) {
    this.#access = access;
    this.#request = request;
    this.#call = call;
    this.#watcher = watcher;
  }

  /**
   * Applies all texts or none.
   *
   * @returns false if a text changed meanwhile; the caller can try again
   * @throws UserError if VS Code refuses for another reason, CancelledError
   */
  async apply(plans: readonly TextPlan[]): Promise<boolean> {
    const { vscode } = this.#access;
    for (const one of plans) {
      const failure = await apply(vscode, one, this.#call.signal).catch((error: Error) => error);
      if (failure === undefined) {
        this.#texts.push({ ...one, edited: openDocument(vscode, one.location) ?? one.document });
        continue;
      }
      const left = await this.#revertTexts();
      if (failure === 'changed' && left.length === 0) return false;
      throw withLeft(
        failure === 'changed' ? new UserError(`${one.location.path} changed meanwhile.`) : failure,
        left,
      );
    }
    return true;
  }

  /**
   * Does the operations, saves the edited texts, deletes last, and updates the journal.
   *
   * @throws what the watcher throws, or UserError; everything is rolled back then, unless a path leads elsewhere after all was done
   */
  async finish(operations: readonly PlannedOperation[]): Promise<Done> {
    try {
      await this.#save(operations);
    } catch (error) {
      throw await this.#rollBack(error as Error);
    } finally {
      if (operations.length > 0) this.#access.inputs.filesChanged();
    }
    return { operated: this.#operated, saved: this.#texts.map((one) => this.#savedOf(one)) };
  }

  async #save(operations: readonly PlannedOperation[]): Promise<void> {
    const isDeletion = ({ operation }: PlannedOperation) => operation.type === 'delete';
    await this.#operate(operations.filter((one) => !isDeletion(one)));
    await this.#followMoves();
    await this.#watcher?.judge?.('unsaved');
    for (const one of this.#texts) await save(this.#access, one);
    await this.#watcher?.judge?.('saved');
    await this.#operate(operations.filter(isDeletion));
    this.#updateJournal();
  }

  async #operate(operations: readonly PlannedOperation[]): Promise<void> {
    for (const one of operations) this.#operated.push(await perform(this.#access.vscode, one));
  }

  /** Texts of moved files are saved where these are now. */
  async #followMoves(): Promise<void> {
    const moves = this.#operated.map(({ deed }) => deed).filter((deed) => deed.type === 'move');
    for (const one of this.#texts) {
      const { uri } = one.location;
      const now = moves.reduce((at, move) => movedUri(at, move.uri, move.to), uri);
      if (now === uri) continue;
      one.moved = await locateUri(this.#access, now.toString());
      one.edited = await loaded(this.#access.vscode, one.moved);
    }
  }

  /** Remembers what the call changed; an undo removes the entry that it takes back. */
  #updateJournal(): void {
    const { journal, author } = this.#access;
    const { undoes, left } = this.#request;
    const edits = this.#texts.map(deedOf).filter(({ before, after }) => before !== after); // saving may take one back
    const deeds = [...edits, ...this.#operated.map(({ deed }) => deed)];
    if (undoes !== undefined) journal.remove(undoes, left);
    else if (deeds.length > 0) journal.add({ author: author(), tool: this.#call.tool, deeds });
  }

  /** @throws UserError if its path now leads elsewhere */
  #savedOf({ edit, edited, change, isMixed, moved, savedText = change.after, saving }: AppliedText): Saved {
    const { saved = 'theirs', isGone = false, elsewhere } = saving ?? {};
    if (elsewhere) throw elsewhere;
    return {
      location: moved ?? edit.location,
      version: edited.version,
      saved,
      did: edit.did(),
      changedOnSave: savedDifference(this.#access, edit.location, change, savedText),
      madeEndsAlike: isMixed,
      isGone,
    };
  }

  /** Takes back what was made of it so far. @returns the error to throw */
  async #rollBack(error: Error): Promise<Error> {
    const left: string[] = [];
    for (const { deed, undo } of this.#operated.toReversed())
      await undo().catch((failure: Error) => left.push(`${deed.path} (${failure.message})`));
    left.push(...(await this.#revertTexts()));
    if (left.length > 0 || error instanceof RolledBackError || !(error instanceof UserError))
      return withLeft(error, left);
    return new UserError(`${error.message} The edit was reverted.`, { lines: true });
  }

  /**
   * Reverts texts that have not changed since. Saved files are saved again, which may run formatters.
   *
   * @returns the paths of the files that could not be restored, each with the reason
   */
  async #revertTexts(): Promise<string[]> {
    const left: string[] = [];
    for (const one of this.#texts) {
      const problem = await revert(this.#access.vscode, one).catch((error: Error) => error.message);
      if (problem) left.push(`${one.location.path} (${problem})`);
    }
    return left;
  }
}

/** Undefined if it was applied; `changed` if the text changed meanwhile. @throws UserError, CancelledError */
async function apply(
  code: typeof vscode,
  { document: planned, version, change, location }: TextPlan,
  signal: AbortSignal,
): Promise<'changed' | undefined> {
  throwIfCancelled(signal);
  const document = await loaded(code, location);
  if (await applyText(code, document, location, change)) return undefined;
  if (document !== planned || document.version !== version || document.isClosed) return 'changed';
  throw new UserError(`VS Code did not apply the edit to ${location.path}. Ask the user why.`);
}

/**
 * Replaces the changed lines of a document as one undo step. It sends the request in the same turn of the event loop as the
 * check; the workbench rejects it if the text changed meanwhile. Resolves to whether it was applied.
 *
 * @param change both texts with `\n` between the lines
 */
export async function applyText(
  code: typeof vscode,
  document: vscode.TextDocument,
  { path }: Pick<Location, 'path'>,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  if (withLf(document.getText()) !== before) return false;
  const edit = new code.WorkspaceEdit();
  for (const { start, end, text } of lineChanges(before, after)) {
    const range = new code.Range(start.line, start.character, end.line, end.character);
    edit.replace(document.uri, range, text);
  }
  return withDeadline(code.workspace.applyEdit(edit), `editing ${path}`);
}

/** @returns why it cannot be restored */
async function revert(
  code: typeof vscode,
  { location, change, isTheirs, isBeingSaved, savedText = change.after }: Applied,
): Promise<string | undefined> {
  const document = await loaded(code, location);
  if (!(await applyText(code, document, location, { before: savedText, after: change.before })))
    return 'its text changed since';
  if (isTheirs) return undefined;
  if (isBeingSaved) leaveUnsaved(document);
  else if (!(await document.save()) && document.isDirty) return 'VS Code could not save it again';
  return withLf(document.getText()) === change.before ? undefined : 'VS Code changed it while saving';
}

/** Adds to the error the files that could not be restored. */
const withLeft = (error: Error, left: readonly string[]): Error =>
  left.length > 0 && error instanceof UserError
    ? new UserError(
        `${error.message}\nNot restored: ${left.map(visible).join(', ')}. The user can undo these edits.`,
        { lines: true },
      )
    : error;

/** In the journal, edits come before moves, and so have the old places. */
const deedOf = ({ edit, edited, moved, location, change, savedText = change.after }: AppliedText) => ({
  type: 'edit' as const,
  uri: moved ? location.uri : edited.uri,
  path: edit.location.path,
  before: change.before,
  after: savedText,
});
