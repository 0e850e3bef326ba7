import * as vscode from 'vscode';
import type { BrokenPattern } from '../access/redaction.ts';
import { oneLine, quoted } from './agentText.ts';

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
  const command = `workbench.action.open${isTheirs(pattern) ? '' : 'Workspace'}Settings`;
  await commands.executeCommand(command, { query: `@id:${SETTING}` });
}

/** Whether the pattern stands in the person's own settings; a folder's are beside those of the workspace. */
function isTheirs(pattern: string): boolean {
  const value = vscode.workspace.getConfiguration('workspaceMcp.access', null).inspect('redact')?.globalValue;
  return JSON.stringify(value ?? null).includes(JSON.stringify(pattern).slice(1, -1));
}
