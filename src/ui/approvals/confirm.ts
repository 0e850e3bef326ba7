import * as vscode from 'vscode';
import type { Question } from '../../access/consent/types.ts';
import { deedOf, kindLabels } from './kinds.ts';

/** Undefined if the user cancels: the question stays. */
export async function reasonToDeny(
  question: Question,
  ended: vscode.CancellationToken,
): Promise<string | undefined> {
  const options = {
    title: vscode.l10n.t('Deny: {0}', deedOf(question)),
    prompt: vscode.l10n.t('Why? The agent reads your reason. Leave it empty to give none.'),
    ignoreFocusOut: true,
  };
  const reason = await vscode.window.showInputBox(options, ended);
  return reason?.trim();
}

/** Asks the user to confirm. */
export async function confirmAlways({ kind }: Question): Promise<boolean> {
  const { l10n } = vscode;
  const always = l10n.t('Always Allow');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Never ask again in this workspace? Every agent may then do this: {0}', kindLabels()[kind]),
    { modal: true, detail: l10n.t('To revoke this, use "Manage Approvals".') },
    always,
  );
  return answer === always;
}
