import * as vscode from 'vscode';
import type { Question } from '../../access/consent/types.ts';
import { titleOf } from './kinds.ts';

/** Milliseconds in which a question that is in sight has been read. */
const PATIENCE = 4_000;

/**
 * A notification with a link to a question that is not in sight: in Zen Mode, behind a maximized panel, or in a tab that was
 * closed. Shown after a while, until it is disposed.
 */
export function pointTo(question: Question): vscode.Disposable {
  const ended = Promise.withResolvers<void>();
  const point = () => {
    const link = `[${vscode.l10n.t('Show Question')}](command:workspaceMcp.answerApproval)`;
    const options = { location: vscode.ProgressLocation.Notification };
    void vscode.window.withProgress(options, (progress) => {
      progress.report({ message: `${link} · ${titleOf(question)}` });
      return ended.promise;
    });
  };
  const timer = setTimeout(point, PATIENCE);
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    ended.resolve();
  });
}
