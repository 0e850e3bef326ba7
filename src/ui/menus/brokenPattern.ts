import * as vscode from 'vscode';
import type { BrokenPattern } from '../../access/redaction/patterns.ts';
import { oneLine, quoted } from '../untrustedText.ts';

const SETTING = 'workspaceMcp.access.redact';

/** Agents read nothing until it is corrected, and the person would not know why. */
export async function warnOfPattern({ pattern, reason }: BrokenPattern): Promise<void> {
  const { l10n, window, commands } = vscode;
  const message = l10n.t(
    'Agents read nothing: a pattern of {0} cannot be used, {1} ({2})',
    SETTING,
    quoted(pattern),
    oneLine(reason),
  );
  const open = l10n.t('Open Settings');
  if ((await window.showWarningMessage(message, open)) !== open) return;
  await commands.executeCommand(`workbench.action.open${levelOf(pattern)}Settings`, {
    query: `@id:${SETTING}`,
  });
}

/** Where the pattern stands: as in the names of the commands, where the person's own settings have none. */
function levelOf(pattern: string): '' | 'Workspace' | 'Folder' {
  const { workspace } = vscode;
  const has = (value: unknown) =>
    [value].flat().some((one) => (typeof one === 'string' ? one : JSON.stringify(one)) === pattern);
  const inspect = (folder?: vscode.Uri) =>
    workspace.getConfiguration('workspaceMcp.access', folder ?? null).inspect('redact');
  if (has(inspect()?.globalValue)) return '';
  if (has(inspect()?.workspaceValue)) return 'Workspace';
  return workspace.workspaceFolders?.some(({ uri }) => has(inspect(uri)?.workspaceFolderValue))
    ? 'Folder'
    : '';
}
