import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { within } from '../../../util/deadline.ts';

/** Milliseconds to wait for VS Code's answer. */
const PATIENCE = 5_000;

/**
 * Whether VS Code moves a deleted file to the trash. No API tells whether a file system has one, but VS Code refuses to move
 * anything there without, even what does not exist.
 */
export async function hasTrash({ workspace, Uri }: typeof vscode, uri: vscode.Uri): Promise<boolean> {
  if (!workspace.getConfiguration('files', uri).get('enableTrash', true)) return false;
  const nothing = Uri.joinPath(uri, '..', `.${randomUUID()}`);
  const answer = Promise.resolve(workspace.fs.delete(nothing, { useTrash: true })).then(
    () => '',
    (error: Error) => error.message,
  );
  return !/trash/i.test(await within(answer, PATIENCE, ''));
}
