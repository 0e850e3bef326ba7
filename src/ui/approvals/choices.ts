import * as vscode from 'vscode';
import type { Question } from '../../access/consent/types.ts';

export type Choice = 'once' | 'session' | 'deny' | 'denyReason' | 'denySession' | 'workspace' | 'diff';

/** A button of a question. */
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

/** The user's choices: the same buttons in the same positions for every question. */
export function buttonsOf({ diffs, everyTime }: Question): Button[] {
  const { l10n } = vscode;
  const lasting = everyTime ? { isOff: true, tip: l10n.t('You are asked about this each time.') } : {};
  return [
    { choice: 'once', label: l10n.t('Allow Once'), keys: 'Y', isMain: true },
    { choice: 'session', label: l10n.t('Allow for Session'), keys: 'Shift+Y', isMain: true, ...lasting },
    { choice: 'deny', label: l10n.t('Deny'), keys: 'N', isMain: true },
    { choice: 'denyReason', label: l10n.t('Deny with Reason…'), keys: 'Shift+N' },
    { choice: 'denySession', label: l10n.t('Deny for Session') },
    { choice: 'workspace', label: l10n.t('Always Allow…'), ...lasting },
    {
      choice: 'diff',
      label: l10n.t('Open Diff'),
      ...(diffs?.some(({ before, after }) => before !== after) ? {} : { isOff: true }),
    },
  ];
}
