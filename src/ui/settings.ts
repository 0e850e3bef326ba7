import * as vscode from 'vscode';

/**
 * Whether the server starts with the window. A repository's settings can switch off the user's own setting, never on. package.json
 * has the default.
 */
export function startsAutomatically(): boolean {
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration('workspaceMcp').inspect<boolean>('autoStart') ?? {};
  const own = globalValue ?? defaultValue ?? false;
  return own && workspaceValue !== false && workspaceFolderValue !== false;
}

/** Whether agents' changes are marked in editors. */
export const showsMarks = (): boolean =>
  vscode.workspace.getConfiguration('workspaceMcp').get<boolean>('review.marks', true);

/** Opens a setting in the settings of a level. @param level as in VS Code's command ids; empty for user settings */
export const openSetting = (name: string, level: '' | 'Workspace' | 'Folder' = ''): unknown =>
  vscode.commands.executeCommand(`workbench.action.open${level}Settings`, { query: `@id:${name}` });
