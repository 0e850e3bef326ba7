import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { userDataOf } from '../core/userDataDirectory.ts';
import { stateDirectory } from '../ipc/windowRecord.ts';

/**
 * Directories in which VS Code, and this extension, keeps settings, state and extensions of all its windows. On a remote machine they often lie in the
 * home, which may be the workspace as well.
 */
export function editorData(
  context: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionUri' | 'extensionMode'>,
): string[] {
  const storage = context.globalStorageUri;
  const isInstalled = context.extensionMode === vscode.ExtensionMode.Production;
  return [
    stateDirectory(), // who reads the secrets there may speak to all windows
    ...(storage.scheme === 'file' ? [userDataOf(storage.fsPath)] : []),
    // One in development lies among the person's own projects.
    ...(isInstalled && context.extensionUri.scheme === 'file' ? [dirname(context.extensionUri.fsPath)] : []),
  ];
}
