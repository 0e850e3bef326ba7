import * as vscode from 'vscode';
import type { ApprovalKind } from '../../access/approvals.ts';

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
