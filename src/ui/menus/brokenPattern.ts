import * as vscode from 'vscode';
import type { BadPattern } from '../../access/redaction/patterns.ts';
import { openSetting } from '../settings.ts';
import { oneLine, quoted } from '../untrustedText.ts';

const SETTING = 'workspaceMcp.access.redact';

/** Tells the user why agents cannot read: nothing while a pattern is broken, not all texts if it is slow. */
export async function warnOfPattern({ pattern, reason }: BadPattern): Promise<void> {
  const { l10n, window } = vscode;
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
  const open = l10n.t('Open Settings');
  if ((await window.showWarningMessage(message, open)) === open) await openSetting(SETTING, levelOf(pattern));
}

/** The level with the pattern: the user settings, unless only the workspace or a folder has it. */
function levelOf(pattern: string): '' | 'Workspace' | 'Folder' {
  const { workspace } = vscode;
  const has = (value: unknown) =>
    [value].flat().some((one) => (typeof one === 'string' ? one : JSON.stringify(one)) === pattern);
  const inspect = (folder?: vscode.Uri) =>
    workspace.getConfiguration('workspaceMcp.access', folder ?? null).inspect('redact');
  if (has(inspect()?.globalValue)) return '';
  if (has(inspect()?.workspaceValue)) return 'Workspace';
  const isInFolder = workspace.workspaceFolders?.some(({ uri }) => has(inspect(uri)?.workspaceFolderValue));
  return isInFolder ? 'Folder' : '';
}
