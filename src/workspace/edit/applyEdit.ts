import type * as vscode from 'vscode';
import { withLf } from '../../core/text/replacements.ts';
import { withDeadline } from '../../util/deadline.ts';
import { lineChanges } from '../../util/lineDiff.ts';
import type { Location } from '../read/location.ts';

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
