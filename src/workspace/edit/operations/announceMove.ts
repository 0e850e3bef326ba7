import type * as vscode from 'vscode';
import { isScript, type MoveArguments, OWN_MOVE, TSSERVER_REQUEST } from '../../../tsserver/commands.ts';
import { within } from '../../../util/deadline.ts';
import type { TreeEntry } from './tree.ts';

/** How long VS Code may take to load a script of a moved folder, in milliseconds. */
const PATIENCE = 5_000;

/**
 * Keeps VS Code's TypeScript extension from updating imports after a move, or asking about them: the edit that moves has the
 * updates. The server handles requests in order, so its answer is not waited for. Never rejects.
 *
 * @param entries what is in the folder
 */
export async function announceMove(
  { commands, extensions, workspace, Uri }: typeof vscode,
  from: vscode.Uri,
  to: vscode.Uri,
  entries: readonly TreeEntry[],
): Promise<void> {
  // Otherwise nothing there listens for moves.
  if (!extensions.getExtension('vscode.typescript-language-features')?.isActive) return;
  const script = scriptIn(Uri, from, entries);
  if (!script || from.scheme !== 'file') return;
  const paths: MoveArguments = { oldFilePath: from.fsPath, newFilePath: to.fsPath };
  try {
    // With the document, the server loads its project, and the plugin with it.
    await within(workspace.openTextDocument(script), PATIENCE, undefined);
    const told = commands.executeCommand(TSSERVER_REQUEST, OWN_MOVE, { file: script, ...paths });
    Promise.resolve(told).catch(() => {});
  } catch {
    // the script is no text
  }
}

/** The JavaScript or TypeScript file that is moved, or the first one in the folder. */
export function scriptIn(
  { joinPath }: typeof vscode.Uri,
  uri: vscode.Uri,
  entries: readonly TreeEntry[],
): vscode.Uri | undefined {
  const inside = entries.filter(({ path, isFolder }) => !isFolder && !/(^|\/)node_modules\//.test(path));
  return [uri, ...inside.map(({ path }) => joinPath(uri, path))].find(isScript);
}
