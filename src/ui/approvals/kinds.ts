import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../access/consent/types.ts';
import type { ApprovalKind } from '../../access/operation.ts';
import { quoted } from '../untrustedText.ts';

/** What needs consent, for the person to read. */
export function kindLabels(): Record<ApprovalKind, string> {
  const { l10n } = vscode;
  return {
    edit: l10n.t('Change text'),
    delete: l10n.t('Remove files'),
    run: l10n.t('Run tasks, tests, terminals and debugging'),
    command: l10n.t('Run commands of VS Code'),
  };
}

/**
 * What would be done, in a line.
 *
 * @param most characters of each name
 */
export function deedOf({ kind, subject, target, diffs = [] }: ApprovalRequest, most?: number): string {
  const { l10n } = vscode;
  const link = target === undefined ? '' : ` → ${quoted(target, most)}`;
  const what = `${quoted(subject, most)}${link}`;
  switch (kind) {
    case 'edit':
      return diffs.length > 1
        ? l10n.t('Edit {0} and {1} more files', what, diffs.length - 1)
        : l10n.t('Edit {0}', what);
    case 'delete':
      return l10n.t('Delete {0}', what);
    case 'run':
    case 'command':
      return l10n.t('Run {0}', what);
  }
}
