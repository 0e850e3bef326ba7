import type * as vscode from 'vscode';
import { delay } from '../../util/clock.ts';

/** How long another save of the document may take, and how often to look, in milliseconds. */
const LONGEST = 10_000;
const PAUSE = 50;

/**
 * Saves the document, also what was just typed and is still on its way from the window. Waits for a save that is in progress, beside
 * which VS Code refuses another. A tab that is closed before makes VS Code ask the user.
 *
 * @returns whether it is saved
 */
export async function saved(
  document: Pick<vscode.TextDocument, 'isClosed' | 'isDirty' | 'save'>,
): Promise<boolean> {
  for (let waited = 0; !document.isClosed && waited < LONGEST; waited += PAUSE) {
    if ((await document.save()) && !document.isDirty) return true;
    await delay(PAUSE);
  }
  return !document.isDirty;
}
