import * as vscode from 'vscode';
import type { Question } from '../../access/consent/types.ts';
import { oneLine, quoted } from '../untrustedText.ts';
import { deedOf } from './kinds.ts';

/** Characters of a command line, or of arguments. */
const MOST_DETAIL = 2_000;

export type Choice = 'once' | 'session' | 'workspace' | 'deny' | 'diff';

/** What a person may choose, in the order in which it is offered. */
export function choicesFor({ diffs, everyTime }: Question): { choice: Choice; label: string }[] {
  const { l10n } = vscode;
  return [
    { choice: 'once', label: l10n.t('Allow once') },
    ...(everyTime
      ? []
      : [
          { choice: 'session' as const, label: l10n.t('Allow for this session') },
          { choice: 'workspace' as const, label: l10n.t('Always in this workspace') },
        ]),
    { choice: 'deny', label: l10n.t('Deny…') },
    ...(diffs ? [{ choice: 'diff' as const, label: l10n.t('Show diff') }] : []),
  ];
}

/** The same in a list, for those who use the keyboard or have closed the notification. */
export async function pickChoice(
  question: Question,
  ended: vscode.CancellationToken,
): Promise<Choice | undefined> {
  const options = {
    title: titleOf(question),
    placeHolder: factsOf(question).join(' · ') || vscode.l10n.t('May it?'),
    ignoreFocusOut: true,
  };
  const picked = await vscode.window.showQuickPick(choicesFor(question), options, ended);
  return picked?.choice;
}

/** Undefined where the person turned back: the question stays. */
export async function reasonToDeny(
  question: Question,
  ended: vscode.CancellationToken,
): Promise<string | undefined> {
  const options = {
    title: vscode.l10n.t('Deny: {0}', deedOf(question)),
    prompt: vscode.l10n.t('Why? The agent reads this; leave it empty to give no reason.'),
    ignoreFocusOut: true,
  };
  const reason = await vscode.window.showInputBox(options, ended);
  return reason?.trim();
}

export const titleOf = (question: Question): string =>
  vscode.l10n.t(
    '{0} asks: {1} ({2})',
    quoted(question.agent, 40),
    deedOf(question),
    oneLine(question.tool, 60),
  );

/** What would run, and why more than once is not offered. */
export const factsOf = ({ commandLine, arguments: args, everyTime }: Question): string[] => [
  ...(commandLine === undefined ? [] : [oneLine(commandLine, MOST_DETAIL)]),
  ...(args === undefined ? [] : [oneLine(JSON.stringify(args), MOST_DETAIL)]),
  ...(everyTime ? [vscode.l10n.t('asked each time: it can change what the editor runs or allows')] : []),
];
