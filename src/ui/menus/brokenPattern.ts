import * as vscode from 'vscode';
import type { BrokenPattern } from '../../access/redaction/patterns.ts';
import { openSetting } from '../settings.ts';
import { oneLine, quoted } from '../untrustedText.ts';

const SETTING = 'workspaceMcp.access.redact';

/** Agents read nothing until it is corrected, and the person would not know why. */
export async function warnOfPattern({ pattern, reason }: BrokenPattern): Promise<void> {
  const { l10n, window } = vscode;
  const message = l10n.t(
    'Agents read nothing: a pattern of {0} cannot be used, {1} ({2})',
    SETTING,
    quoted(pattern),
    oneLine(reason),
  );
  const open = l10n.t('Open Settings');
  if ((await window.showWarningMessage(message, open)) === open) await openSetting(SETTING);
}
