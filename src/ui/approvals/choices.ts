import * as vscode from 'vscode';
import type { Question } from '../../access/approvals.ts';
import { oneLine } from '../agentText.ts';

export type Choice = 'once' | 'session' | 'workspace' | 'deny' | 'diff';

/** What a person may choose, in the order in which it is offered. */
export function choicesFor({ diff }: Question): { choice: Choice; label: string }[] {
  const { l10n } = vscode;
  return [
    { choice: 'once', label: l10n.t('Allow once') },
    { choice: 'session', label: l10n.t('Allow for this session') },
    { choice: 'workspace', label: l10n.t('Always in this workspace') },
    { choice: 'deny', label: l10n.t('Deny…') },
    ...(diff ? [{ choice: 'diff' as const, label: l10n.t('Show diff') }] : []),
  ];
}

/** The same in a list, for those who use the keyboard or have closed the notification. */
export async function pickChoice(question: Question): Promise<Choice | undefined> {
  const picked = await vscode.window.showQuickPick(choicesFor(question), {
    title: titleOf(question),
    placeHolder: vscode.l10n.t('May it?'),
    ignoreFocusOut: true,
  });
  return picked?.choice;
}

/** Undefined where the person turned back: the question stays. */
export const reasonToDeny = (question: Question): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    title: vscode.l10n.t('Deny: {0}', oneLine(question.summary)),
    prompt: vscode.l10n.t('Why? The agent reads this; leave it empty to give no reason.'),
    ignoreFocusOut: true,
  });

export const titleOf = ({ agent, tool, summary }: Question): string =>
  vscode.l10n.t('{0} asks: {1} ({2})', oneLine(agent, 40), oneLine(summary), oneLine(tool, 60));
