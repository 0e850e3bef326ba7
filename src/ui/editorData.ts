import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { userDataOf } from '../core/userDataDirectory.ts';
import { stateDirectory } from '../ipc/windowRecord.ts';

/**
 * Directories in which VS Code and this extension keep settings, state and extensions of all windows. On a remote machine they are
 * often in the home directory, which may also be the workspace.
 */
export function editorData(
  context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionUri' | 'extensionMode'>,
): string[] {
  const storage = context.globalStorageUri;
  const isInstalled = context.extensionMode === vscode.ExtensionMode.Production;
  return [
    stateDirectory(), // its secrets give access to all windows
    ...(storage.scheme === 'file' ? [userDataOf(storage.fsPath)] : []),
    // An extension in development is in the user's own project folder.
    ...(isInstalled && context.extensionUri.scheme === 'file' ? [dirname(context.extensionUri.fsPath)] : []),
  ];
}

/** The folder with the user's own settings, snippets and profiles; undefined if VS Code keeps them elsewhere. */
export function userFolder({
  globalStorageUri: storage,
}: Pick<vscode.ExtensionContext, 'globalStorageUri'>): vscode.Uri | undefined {
  const [, path] = /^(.+\/User)\/(?:profiles\/[^/]+\/)?globalStorage\/[^/]+$/.exec(storage.path) ?? [];
  return path === undefined ? undefined : storage.with({ path });
}
