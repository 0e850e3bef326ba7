import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/deadline.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { openDocument } from '../read/displayPath.ts';
import type { Location } from '../read/location.ts';
import { leaveUnsaved } from './leftUnsaved.ts';
import type { PlannedEdit } from './plannedEdit.ts';

/** An edit that is in the editor. */
export interface Applied extends PlannedEdit {
  /** The document that has the new text: VS Code may have closed the planned one and loaded another. */
  edited: vscode.TextDocument;
  /** Its text right after VS Code has saved it, which may have formatted it. With `\n` between the lines. */
  savedText?: string;
}

/**
 * Applies all edits, or none: if one fails, those before it are taken back.
 *
 * @returns undefined if a text changed meanwhile, so that it is worth another try
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

/** Undefined once it is done; `changed` if the text changed under it. @throws UserError, CancelledError */
async function apply(
  code: typeof vscode,
  { document, version, change, location }: PlannedEdit,
  signal: AbortSignal,
): Promise<'changed' | undefined> {
  throwIfCancelled(signal);
  if (await applyText(code, document, location, change)) return undefined;
  if (document.version !== version || document.isClosed) return 'changed';
  throw new UserError(`VS Code did not apply the edit to ${location.path}. The user may know why.`);
}

/**
 * Replaces the text of a document as one step, line by line. In one turn of the event loop up to the request to the
 * workbench, which refuses it where the text has changed meanwhile. Resolves to whether it was done.
 *
 * @param change both texts with `\n` between the lines
 */
async function applyText(
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
 * Takes edits back, as far as nobody has changed the text since. What was saved is saved again, and formatters may have
 * their way with it.
 *
 * @param unsavable the one that VS Code could not save, which is not tried again
 * @returns the paths of the files that are not as they were, each with the reason
 */
export async function takeBack(
  code: typeof vscode,
  applied: readonly Applied[],
  unsavable?: Applied,
): Promise<string[]> {
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
  // VS Code lets go of a saved document that no tab shows.
  const document =
    openDocument(code, location) ??
    (await withDeadline(code.workspace.openTextDocument(location.uri), `opening ${location.path}`));
  if (!(await applyText(code, document, location, { before: savedText, after: change.before })))
    return 'its text has changed since';
  if (isTheirs) return undefined;
  if (!saves) leaveUnsaved(document);
  else if (!(await document.save())) return 'VS Code could not save it again';
  return withLf(document.getText()) === change.before ? undefined : 'VS Code has changed it on saving';
}

/** The error, and what has become of the edits that were made before it. */
export const withLeft = (error: Error, left: readonly string[]): Error =>
  left.length > 0 && error instanceof UserError
    ? new UserError(`${error.message} Not as before: ${left.join(', ')}. The user can undo that.`)
    : error;
