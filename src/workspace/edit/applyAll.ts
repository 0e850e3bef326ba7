import type * as vscode from 'vscode';
import { throwIfCancelled, UserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/deadline.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import { openDocument } from '../read/displayPath.ts';
import type { Location } from '../read/location.ts';
import { leaveUnsaved } from './openEditable.ts';
import type { PlannedEdit } from './plannedEdit.ts';

/** An edit that was applied in the editor. */
export interface Applied extends PlannedEdit {
  /** The document that has the new text. */
  edited: vscode.TextDocument;
  /** Where its file is since it was moved by the same call. */
  moved?: Location;
  /** The text right after VS Code saved it, perhaps formatted. With `\n` between the lines. */
  savedText?: string;
}

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

/** The document of a file. VS Code closes saved ones without a tab: after some minutes, and if more than 50 are loaded. */
export const loaded = async (code: typeof vscode, location: Location): Promise<vscode.TextDocument> =>
  openDocument(code, location) ??
  withDeadline(code.workspace.openTextDocument(location.uri), `opening ${location.path}`);

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
  const document = await loaded(code, location);
  if (!(await applyText(code, document, location, { before: savedText, after: change.before })))
    return 'its text changed since';
  if (isTheirs) return undefined;
  if (!saves) leaveUnsaved(document);
  else if (!(await document.save()) && document.isDirty) return 'VS Code could not save it again';
  return withLf(document.getText()) === change.before ? undefined : 'VS Code changed it while saving';
}

/** Adds to the error the files that could not be restored. */
export const withLeft = (error: Error, left: readonly string[]): Error =>
  left.length > 0 && error instanceof UserError
    ? new UserError(
        `${error.message}\nNot restored: ${left.map(visible).join(', ')}. The user can undo these edits.`,
        {
          lines: true,
        },
      )
    : error;
