/** VS Code's API gives what is in configuration files under other names: settings, tasks, launch configurations. */
import type * as vscode from 'vscode';
import { policyPath } from '../access/policyInputs.ts';
import type { Context } from './context.ts';

/** Sections with a file of their own; a settings.json may have them too. */
const OWN_FILES = ['launch', 'tasks', 'mcp'];

/** A folder's own files, or the workspace's: its `.code-workspace` file, or the files of the only folder. */
export type SettingLevel = 'folder' | 'workspace';

/**
 * Whether a file in which a setting of this workspace may be set is closed to the agent.
 *
 * @param name such as `launch.configurations` or `editor.tabSize`
 * @param folder whose value it is; of the workspace if left out
 */
export function isClosedSetting(
  name: string,
  level: SettingLevel,
  folder: vscode.WorkspaceFolder | undefined,
  { vscode: { workspace, Uri }, files }: Context,
): boolean {
  const { workspaceFile: file, workspaceFolders } = workspace;
  // It may be outside of all folders, and of the roots.
  if (level === 'workspace' && file) return files.isClosed(file) || !files.policy.mayEnter(policyPath(file));
  const { uri } = (level === 'folder' ? folder : workspaceFolders?.[0]) ?? {};
  const own = OWN_FILES.filter((section) => section === name.split('.', 1)[0]);
  return [...own, 'settings'].some(
    (section) => uri && files.isClosed(Uri.joinPath(uri, '.vscode', `${section}.json`)),
  );
}

/**
 * The value of a setting, without what is set in files that are closed to the agent. That of the strongest level counts: objects of
 * several levels are not merged.
 *
 * @param name such as `launch.configurations`
 */
export function openValue(name: string, folder: vscode.WorkspaceFolder | undefined, ctx: Context): unknown {
  const { workspace } = ctx.vscode;
  const inspected = workspace.getConfiguration(undefined, folder?.uri ?? null).inspect<unknown>(name);
  const { workspaceFolderValue, workspaceValue, globalValue, defaultValue } = inspected ?? {};
  const open = (level: SettingLevel, value: unknown) =>
    isClosedSetting(name, level, folder, ctx) ? undefined : value;
  return (
    open('folder', workspaceFolderValue) ?? open('workspace', workspaceValue) ?? globalValue ?? defaultValue
  );
}
