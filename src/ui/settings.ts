import * as vscode from 'vscode';

/** The settings that the extension reads for itself; those of access are read where they are judged. */
export interface Settings {
  autoStart: boolean;
}

/** The value that holds in this window. package.json gives the default of each. */
export const setting = <Key extends keyof Settings>(key: Key): Settings[Key] =>
  vscode.workspace.getConfiguration('workspaceMcp').get(key) as Settings[Key];
