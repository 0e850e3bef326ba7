import type * as vscode from 'vscode';
import { throwIfCancelled, UserError, visible } from '../../core/messages.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/clock.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { locateUri } from '../read/locateUri.ts';
import { type Location, type Locator, openDocument } from '../read/location.ts';
import type { EditAccess, Edited, EditingCall } from './fileEdit.ts';
import { type Deed, movedUri } from './journal.ts';
import { leaveUnsaved } from './openEditable.ts';
import { type Performed, perform } from './operations/operate.ts';
import type { PlannedOperation } from './operations/plannedOperation.ts';
import type { PlannedEdit } from './plannedEdit.ts';
import { loaded, type Savable, type Saving, saveAll } from './saveAll.ts';

type Applied = PlannedEdit & Savable;

/**
 * Applies all edits or none: if one fails, the earlier ones are reverted.
 *
 * @returns undefined if a text changed meanwhile; the caller can try again
 * @throws UserError if VS Code refuses for another reason, CancelledError
 */
export async function applyAll(
  code: typeof vscode,
  edits: readonly PlannedEdit[],
  signal: AbortSignal,
): Promise<Applied[] | undefined> {
  const applied: Applied[] = [];
  for (const one of edits) {
    const failure = await apply(code, one, signal).catch((error: Error) => error);
    if (failure === undefined) {
      applied.push({ ...one, edited: openDocument(code, one.location) ?? one.document });
      continue;
    }
    const left = await takeBack(code, applied);
    if (failure === 'changed' && left.length === 0) return undefined;
    throw withLeft(
      failure === 'changed' ? new UserError(`${one.location.path} changed meanwhile.`) : failure,
      left,
    );
  }
  return applied;
}

/** Undefined if it was applied; `changed` if the text changed meanwhile. @throws UserError, CancelledError */
async function apply(
  code: typeof vscode,
  { document: planned, version, change, location }: PlannedEdit,
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

/**
 * Reverts edits if the text has not changed since. Saved files are saved again, which may run formatters.
 *
 * @param unsavable the edit that VS Code could not save; its file is not saved again
 * @returns the paths of the files that could not be restored, each with the reason
 */
async function takeBack(code: typeof vscode, applied: readonly Applied[], unsavable?: Savable) {
  const left: string[] = [];
  for (const one of applied) {
    const problem = await takeOneBack(code, one, one !== unsavable).catch((error: Error) => error.message);
    if (problem) left.push(`${one.location.path} (${problem})`);
  }
  return left;
}

async function takeOneBack(
  code: typeof vscode,
  { location, change, isTheirs, savedText = change.after }: Applied,
  saves: boolean,
): Promise<string | undefined> {
  const document = await loaded(code, location);
  if (!(await applyText(code, document, location, { before: savedText, after: change.before })))
    return 'its text changed since';
  if (isTheirs) return undefined;
  if (!saves) leaveUnsaved(document);
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

export interface EditResult {
  /** Of each edit that changed something, in the order of the edits. */
  edited: Edited[];
  operated: Performed[];
}

/**
 * Does the operations, saves the edited texts, and deletes last: all or nothing.
 *
 * @throws what `verify` throws, or UserError; everything is taken back then, unless a path leads elsewhere after all was done
 */
export async function finish(
  access: EditAccess,
  applied: readonly Applied[],
  operations: readonly PlannedOperation[],
  call: EditingCall,
): Promise<EditResult> {
  const { vscode } = access;
  const operated: Performed[] = [];
  const failed: { save?: Savable } = {};
  let isRefused = false; // its error says all
  let savings: readonly Saving[] = [];
  const isDeletion = ({ operation }: PlannedOperation) => operation.type === 'delete';
  try {
    for (const one of operations.filter((one) => !isDeletion(one))) operated.push(await perform(vscode, one));
    await relocate(access, applied, operated);
    const verify = async (stage: 'unsaved' | 'saved') => {
      isRefused = true;
      await call.verify?.(stage);
      isRefused = false;
    };
    await verify('unsaved');
    savings = await saveAll(access, applied, failed);
    await verify('saved');
    for (const one of operations.filter(isDeletion)) operated.push(await perform(vscode, one));
    record(access, [...applied.map(deedOf), ...operated.map(({ deed }) => deed)], call);
  } catch (error) {
    const left = [...(await undone(operated)), ...(await takeBack(vscode, applied, failed.save))];
    if (left.length > 0 || isRefused || !(error instanceof UserError)) throw withLeft(error as Error, left);
    throw new UserError(`${error.message} The edit was reverted.`, { lines: true });
  } finally {
    if (operations.length > 0) access.inputs.filesChanged();
  }
  return { operated, edited: applied.map((one, index) => editedOf(one, savings[index])) };
}

/** @throws UserError if its path now leads elsewhere */
function editedOf(
  { edit, edited, change, isMixed, moved }: Applied,
  { saved = 'theirs', isGone = false, elsewhere }: Partial<Saving> = {},
): Edited {
  if (elsewhere) throw elsewhere;
  return {
    location: moved ?? edit.location,
    version: edited.version,
    saved,
    changedOnSave: saved === 'saved' && withLf(edited.getText()) !== change.after,
    madeEndsAlike: isMixed,
    isGone,
  };
}

/** Texts of moved files are saved where these are now. */
async function relocate(locator: Locator, applied: readonly Applied[], operated: readonly Performed[]) {
  const moves = operated.map(({ deed }) => deed).filter((deed) => deed.type === 'move');
  for (const one of applied) {
    const { uri } = one.location;
    const now = moves.reduce((at, move) => movedUri(at, move.uri, move.to), uri);
    if (now === uri) continue;
    one.moved = await locateUri(locator, now.toString());
    one.edited = await loaded(locator.vscode, one.moved);
  }
}

/** Remembers what a call changed, or took back. */
export function record(
  { journal, author }: EditAccess,
  deeds: readonly Deed[],
  { tool, undoes }: EditingCall,
): void {
  if (undoes === undefined) journal.add({ author: author(), tool, deeds });
  else journal.remove(undoes);
}

/** In the journal, edits come before moves, and so have the old places. */
const deedOf = ({ edit, edited, moved, location, change, savedText = change.after }: Applied): Deed => ({
  type: 'edit',
  uri: moved ? location.uri : edited.uri,
  path: edit.location.path,
  before: change.before,
  after: savedText,
});

/** Takes operations back, the last one first. @returns those that could not be, each with the reason */
async function undone(operated: readonly Performed[]): Promise<string[]> {
  const left: string[] = [];
  for (const { deed, undo } of operated.toReversed())
    await undo().catch((error: Error) => left.push(`${deed.path} (${error.message})`));
  return left;
}
