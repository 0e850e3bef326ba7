import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { UserError } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline, within } from '../../util/deadline.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import type { Location } from '../read/location.ts';

/** How long saving may take, in milliseconds: a formatter may have to start first. */
const SAVE_TIME = 30_000;

/** How long VS Code may take for a save of its own, during which it refuses others, and how often that is looked at. */
const OWN_SAVE_TIME = 5_000;
const PAUSE = 50;

/**
 * Replaces the text of a document as one step, line by line. In one turn of the event loop up to the request to the
 * workbench, which refuses it where the text has changed meanwhile. Resolves to whether it was done.
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
 * Saves what was edited; takes the edit back where VS Code cannot save it.
 *
 * @throws UserError then, which says whether the document has its text again
 */
export async function saveEdited(
  code: typeof vscode,
  document: vscode.TextDocument,
  location: Location,
  { before, after }: { before: string; after: string },
): Promise<'saved' | 'still saving'> {
  const saved = await within(document.save(), SAVE_TIME, 'still saving' as const);
  if (saved === 'still saving') return saved;
  if (saved || (await savesItself(document))) return 'saved';
  const isBack = await applyText(code, document, location, { before: after, after: before });
  throw new UserError(
    `VS Code could not save ${location.path}: it may be read-only, or have changed on the disk at that moment. ${
      isBack ? 'The edit was taken back.' : 'The edit is in the editor, not saved; the person can undo it.'
    }`,
  );
}

/** Whether it is no failure that VS Code has not saved it on request, but `files.autoSave` that was before us. */
async function savesItself(document: vscode.TextDocument): Promise<boolean> {
  // Not by the clock: where the extension host stands still for seconds, what it would hear comes after that.
  for (let waited = 0; waited < OWN_SAVE_TIME && document.isDirty; waited += PAUSE) await delay(PAUSE);
  return !document.isDirty;
}
