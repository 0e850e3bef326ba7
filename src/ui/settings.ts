import * as vscode from 'vscode';

/** The settings that the extension reads for itself; those of access are read where they are judged. */
export interface Settings {
  autoStart: boolean;
}

/**
 * The value that holds in this window: the person's own, which a repository's settings may switch off and never on.
 * package.json gives the default of each.
 */
export function setting<Key extends keyof Settings>(key: Key): Settings[Key] {
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration('workspaceMcp').inspect<boolean>(key) ?? {};
  const own = globalValue ?? defaultValue ?? false;
  return own && workspaceValue !== false && workspaceFolderValue !== false;
}
