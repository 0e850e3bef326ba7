import * as vscode from 'vscode';

/**
 * Whether the server starts with the window: the person's own setting, which a repository's settings may switch off and
 * never on. package.json gives the default.
 */
export function startsAutomatically(): boolean {
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration('workspaceMcp').inspect<boolean>('autoStart') ?? {};
  const own = globalValue ?? defaultValue ?? false;
  return own && workspaceValue !== false && workspaceFolderValue !== false;
}

/** Opens the settings of a level at one of them. @param level as VS Code's commands name it; empty for the user's */
export const openSetting = (name: string, level: '' | 'Workspace' | 'Folder' = ''): unknown =>
  vscode.commands.executeCommand(`workbench.action.open${level}Settings`, { query: `@id:${name}` });
