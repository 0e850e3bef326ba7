import * as vscode from 'vscode';
import type { Answer, HostedCall, Question } from '../../access/consent/types.ts';
import { debuggingOf, type Grant } from '../../core/grants.ts';
import { confirmed, quoted, showMessage } from '../messages.ts';
import { grantLabel } from './grantText.ts';
import { plannedText } from './questionText.ts';

export type Choice =
  | ('once' | 'session' | 'file' | 'folder' | 'workspace')
  | ('deny' | 'denyReason' | 'denySession')
  | 'diff';

export interface Button {
  choice: Choice;
  label: string;
  /** The key after Ctrl+K or ⌘K, as in package.json. */
  keys?: string;
  isMain?: boolean;
  /** Disabled for this question; it keeps its position. */
  isOff?: boolean;
  tip?: string;
}

/** The user's choices: the same main ones in the same positions for every question, the others in a menu. */
export function buttonsOf(question: Question): Button[] {
  const { l10n } = vscode;
  const { kind, diffs = [], grants, places: { file, folder } = {}, isOwn } = question;
  const tip =
    kind === 'run'
      ? l10n.t(
          'Only one simple command of a known program, such as npm test or git status, can be allowed for longer.',
        )
      : l10n.t('You are asked about this each time.');
  const lasting = grants.length === 0 ? { isOff: true, tip } : {};
  const always = grants.some(isOfSession) ? { isOff: true } : lasting;
  const ofFolder = folder ? l10n.t('Allow for {0}', quoted(folder, 40)) : l10n.t('Allow for This Folder');
  const ofPlaces: Button[] = [
    { choice: 'file', label: l10n.t('Allow for This File'), isOff: file === undefined },
    { choice: 'folder', label: ofFolder, isOff: folder === undefined },
  ];
  const isSame = diffs.every(({ before, after }) => before === after);
  const buttons: Button[] = [
    { choice: 'once', label: l10n.t('Allow Once'), keys: 'Y', isMain: true },
    { choice: 'deny', label: l10n.t('Deny'), keys: 'N', isMain: true },
    { choice: 'session', label: sessionText(grants), keys: 'Shift+Y', ...lasting },
    ...(diffs.length > 0 ? ofPlaces : []),
    { choice: 'workspace', label: l10n.t('Always Allow…'), ...always },
    { choice: 'denyReason', label: l10n.t('Deny with Reason…'), keys: 'Shift+N' },
    { choice: 'denySession', label: l10n.t('Deny for Session') },
    { choice: 'diff', label: l10n.t('Open Diff'), isOff: isSame },
  ];
  return isOwn ? buttons.filter(({ choice }) => OF_THIS.includes(choice)) : buttons;
}

/** The choices that are about one question alone. */
const OF_THIS: readonly Choice[] = ['once', 'deny', 'denyReason', 'diff'];

/** Whether a grant cannot be kept for the workspace: a debug session ends. */
export const isOfSession = (grant: Grant): boolean => debuggingOf(grant) !== undefined;

/** The choice that lasts as long as the agent's session, or as what it debugs. */
export const sessionText = (grants: readonly Grant[]): string =>
  grants.some(isOfSession)
    ? vscode.l10n.t('Allow for This Debug Session')
    : vscode.l10n.t('Allow for Session');

export const isOffered = (choice: Choice, question: Question): boolean =>
  buttonsOf(question).some((button) => button.choice === choice && !button.isOff);

/**
 * The answer of a choice. Some ask the user for more: undefined if they cancel that, and the question stays.
 *
 * @param ended closes an input box
 */
export async function answerOf(
  choice: Exclude<Choice, 'diff'>,
  question: Question,
  ended: vscode.CancellationToken,
): Promise<Answer | undefined> {
  if (choice === 'deny') return { deny: '' };
  if (choice === 'denySession') return { deny: '', session: true };
  if (choice === 'denyReason') return denied(question, ended);
  if (choice !== 'workspace') return { allow: choice };
  return question.server ? confirmServer(question.server) : confirmKind(question);
}

async function denied(question: Question, ended: vscode.CancellationToken): Promise<Answer | undefined> {
  const options = {
    title: vscode.l10n.t('Deny: {0}', plannedText(question)),
    prompt: vscode.l10n.t('Why? The agent reads your reason. Leave it empty to give none.'),
    ignoreFocusOut: true,
  };
  const reason = await vscode.window.showInputBox(options, ended);
  return reason === undefined ? undefined : { deny: reason.trim() };
}

async function confirmKind({ kind, grants }: Question): Promise<Answer | undefined> {
  const { l10n } = vscode;
  const label = grants.map(grantLabel).join('; ');
  const isSure = await confirmed(
    l10n.t('Never ask again in this workspace? Every agent may then do this: {0}', label),
    [
      ['run', 'test'].includes(kind) &&
        l10n.t('It runs what its files say then, also what agents have changed in them.'),
      l10n.t('To revoke this, use "Manage Approvals".'),
    ]
      .filter(Boolean)
      .join(' '),
    l10n.t('Always Allow'),
  );
  return isSure ? { allow: 'workspace' } : undefined;
}

async function confirmServer({ name, tool }: HostedCall): Promise<Answer | undefined> {
  const { l10n } = vscode;
  let answer: Answer | undefined;
  const give = (given: Answer) => () => {
    answer = given;
  };
  await showMessage(
    'Warning',
    l10n.t(
      'Never ask again in this workspace? Choose what agents may call: only {0}, or all tools of {1}.',
      quoted(tool, 60),
      quoted(name, 40),
    ),
    [
      [l10n.t('Always This Tool'), give({ allow: 'workspace' })],
      [l10n.t('All Tools, This Session'), give({ allow: 'session', whole: true })],
      [l10n.t('Always All Tools'), give({ allow: 'workspace', whole: true })],
    ],
    [
      l10n.t('"Always" is for every agent, "This Session" for the agent that asks.'),
      l10n.t('To revoke this, use "Manage Approvals".'),
    ].join(' '),
  );
  return answer;
}
