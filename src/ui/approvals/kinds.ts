import * as vscode from 'vscode';
import type { FileChange } from '../../access/consent/changes.ts';
import type { ApprovalRequest, Asker, FileDiff, Inquiry, Question } from '../../access/consent/types.ts';
import type { ApprovalKind, Grant } from '../../access/operation.ts';
import { serverOf } from '../../core/serverGrant.ts';
import { oneLine, quoted } from '../untrustedText.ts';

/** Names of the kinds that need approval, for the user. */
export function kindLabels(): Record<ApprovalKind, string> {
  const { l10n } = vscode;
  return {
    edit: l10n.t('Change text'),
    delete: l10n.t('Delete files'),
    run: l10n.t('Run tasks, tests, terminals and debugging'),
    command: l10n.t('Run VS Code commands'),
    server: l10n.t('Call tools of hosted servers'),
  };
}

/** What the user allowed or denied for longer than one call. */
export function grantLabel(grant: Grant): string {
  const server = serverOf(grant);
  if (!server) return kindLabels()[grant as ApprovalKind];
  const name = quoted(server.name, 40);
  return server.tool === undefined
    ? vscode.l10n.t('Call all tools of {0}', name)
    : vscode.l10n.t('Call {0} of {1}', quoted(server.tool, 60), name);
}

/**
 * The planned action in one line.
 *
 * @param most characters of each name
 */
export function deedOf({ kind, subject, diffs = [], server }: ApprovalRequest, most?: number): string {
  const { l10n } = vscode;
  const what = quoted(subject, most) + linkOf(diffs[0], most);
  if (diffs.some(({ operation }) => operation)) return changeOf(diffs, most);
  switch (kind) {
    case 'edit':
      if (diffs.length > 2) return l10n.t('Edit {0} and {1} more files', what, diffs.length - 1);
      return diffs.length === 2 ? l10n.t('Edit {0} and one more file', what) : l10n.t('Edit {0}', what);
    case 'delete':
      return l10n.t('Delete {0}', what);
    case 'run':
    case 'command':
      return l10n.t('Run {0}', what);
    case 'server':
      return l10n.t('Call {0} of {1}', what, quoted(server?.name ?? '', most));
  }
}

function changeOf([first, ...others]: readonly FileDiff[], most?: number): string {
  const { l10n } = vscode;
  const what = first ? fileName(first, most) : '';
  if (others.length === 0) return what;
  return others.length === 1
    ? l10n.t('{0}, and one more file', what)
    : l10n.t('{0}, and {1} more files', what, others.length);
}

/** One of the files that would change, and what happens to it as a whole. */
export function fileName(diff: FileDiff, most?: number): string {
  const { l10n } = vscode;
  const { operation } = diff;
  const name = quoted(diff.path, most) + linkOf(diff, most);
  const to = quoted(operation?.to ?? '', most);
  switch (operation?.type) {
    case 'create':
      return l10n.t('Create {0}', name);
    case 'create_folder':
      return l10n.t('Create folder {0}', name);
    case 'move':
      return l10n.t('Move {0} to {1}', name, to);
    case 'copy':
      return l10n.t('Copy {0} to {1}', name, to);
    case 'delete':
      return l10n.t('Delete {0}', name);
    default:
      return name;
  }
}

const linkOf = (diff: FileDiff | undefined, most?: number): string =>
  diff?.target === undefined ? '' : ` → ${quoted(diff.target, most)}`;

/** The name of the agent, with its number if several agents have that name. */
export const namedAgent = ({ agent, number }: Pick<Asker, 'agent' | 'number'>): string =>
  `${quoted(agent, 40)}${number === undefined ? '' : ` #${number}`}`;

/** A question in one line. */
export const titleOf = (question: Question | Inquiry): string =>
  isInquiry(question)
    ? vscode.l10n.t('{0} asks: {1}', namedAgent(question), quoted(inOneLine(question.message), 60))
    : vscode.l10n.t(
        '{0} asks: {1} ({2})',
        namedAgent(question),
        deedOf(question),
        oneLine(question.tool, 60),
      );

export const inOneLine = (message: string): string => message.replaceAll(/\s+/g, ' ');

/** Whether it is an agent's own question, whose answer allows nothing. */
export const isInquiry = (question: Question | Inquiry): question is Inquiry => 'message' in question;

/** The size of a change. */
export function changesText(changes: readonly FileChange[]): string {
  const { l10n } = vscode;
  const sum = (of: 'added' | 'removed' | 'onlyWhite') => changes.reduce((all, one) => all + one[of], 0);
  const white = sum('onlyWhite');
  return [
    ...(changes.length > 1 ? [l10n.t('{0} files', changes.length)] : []),
    l10n.t('lines: +{0} −{1}', sum('added'), sum('removed')),
    ...(white > 0 ? [l10n.t('{0} of them only white space', white)] : []),
  ].join(' · ');
}
