import * as vscode from 'vscode';
import type { Answer, HostedCall, Question } from '../../access/consent/types.ts';
import { quoted } from '../untrustedText.ts';
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

/** Asks the user to confirm, and for a tool of a hosted server how much is allowed. Undefined if the user cancels. */
export async function confirmAlways(question: Question): Promise<Answer | undefined> {
  const { kind, server } = question;
  if (server) return confirmServer(server);
  const { l10n } = vscode;
  const always = l10n.t('Always Allow');
  const answer = await vscode.window.showWarningMessage(
    l10n.t('Never ask again in this workspace? Every agent may then do this: {0}', kindLabels()[kind]),
    { modal: true, detail: l10n.t('To revoke this, use "Manage Approvals".') },
    always,
  );
  return answer === always ? { allow: 'workspace' } : undefined;
}

async function confirmServer({ name, tool }: HostedCall): Promise<Answer | undefined> {
  const { l10n } = vscode;
  const choices: [label: string, answer: Answer][] = [
    [l10n.t('Always This Tool'), { allow: 'workspace' }],
    [l10n.t('All Tools, This Session'), { allow: 'session', whole: true }],
    [l10n.t('Always All Tools'), { allow: 'workspace', whole: true }],
  ];
  const chosen = await vscode.window.showWarningMessage(
    l10n.t(
      'Never ask again in this workspace? Choose what agents may call: only {0}, or all tools of {1}.',
      quoted(tool, 60),
      quoted(name, 40),
    ),
    {
      modal: true,
      detail: [
        l10n.t('"Always" is for every agent, "This Session" for the agent that asks.'),
        l10n.t('To revoke this, use "Manage Approvals".'),
      ].join(' '),
    },
    ...choices.map(([label]) => label),
  );
  return choices.find(([label]) => label === chosen)?.[1];
}
