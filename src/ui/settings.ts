import * as vscode from 'vscode';
import type { BadPattern } from '../access/redaction/patterns.ts';
import { settingLevels, settingValue } from '../core/settings.ts';
import { oneLine, quoted, showMessage } from './messages.ts';

/**
 * Whether the server starts with the window. A repository's settings can switch off the user's own setting, never on. package.json
 * has the default.
 */
export function startsAutomatically(): boolean {
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = settingLevels<boolean>(
    vscode.workspace,
    'autoStart',
  );
  const own = globalValue ?? defaultValue ?? false;
  return own && workspaceValue !== false && workspaceFolderValue !== false;
}

const STOPPED = 'server.stopped';

/** Whether the user has stopped the server of this workspace: it stays so, in later windows too, until they start it. */
export const isStopped = (workspaceState: Pick<vscode.Memento, 'get'>): boolean =>
  workspaceState.get(STOPPED) === true;

export const rememberStopped = (state: Pick<vscode.Memento, 'update'>, value: boolean): Thenable<void> =>
  state.update(STOPPED, value || undefined);

export const showsMarks = (): boolean => settingValue(vscode.workspace, 'review.marks') !== false;

/** Whether the system tells of questions, or of ends of turns, while the user works elsewhere. */
export const notifies = (setting: 'notifyOutside' | 'notifyTurnEnd'): boolean =>
  settingValue(vscode.workspace, setting) === true;

/** Opens a setting in the settings of a level. @param level as in VS Code's command ids; empty for user settings */
export const openSetting = (name: string, level: '' | 'Workspace' | 'Folder' = ''): unknown =>
  vscode.commands.executeCommand(`workbench.action.open${level}Settings`, { query: `@id:${name}` });

const SETTING = 'workspaceMcp.access.redact';

/** Tells the user why agents cannot read: nothing while a pattern is broken, not all texts if it is slow. */
export async function warnOfPattern({ pattern, reason }: BadPattern): Promise<void> {
  const { l10n } = vscode;
  const message =
    reason === undefined
      ? l10n.t(
          'Agents cannot read some texts: pattern {1} of {0} takes too long. Make it simpler.',
          SETTING,
          quoted(pattern),
        )
      : l10n.t(
          'Agents cannot read anything: pattern {1} of {0} cannot be used ({2}). Correct it.',
          SETTING,
          quoted(pattern),
          oneLine(reason),
        );
  const open = () => openSetting(SETTING, levelOf(pattern));
  await showMessage('Warning', message, [[l10n.t('Open Settings'), open]]);
}

/** The level with the pattern: the user settings, unless only the workspace or a folder has it. */
function levelOf(pattern: string): '' | 'Workspace' | 'Folder' {
  const { workspace } = vscode;
  const has = (value: unknown) =>
    [value].flat().some((one) => (typeof one === 'string' ? one : JSON.stringify(one)) === pattern);
  const inspect = (folder?: vscode.Uri) => settingLevels(workspace, 'access.redact', folder ?? null);
  if (has(inspect().globalValue)) return '';
  if (has(inspect().workspaceValue)) return 'Workspace';
  const isInFolder = workspace.workspaceFolders?.some(({ uri }) => has(inspect(uri).workspaceFolderValue));
  return isInFolder ? 'Folder' : '';
}
