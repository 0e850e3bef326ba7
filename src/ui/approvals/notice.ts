import * as vscode from 'vscode';
import type { Inquiry, Question } from '../../access/consent/types.ts';
import { clock } from '../../util/clock.ts';
import { titleOf } from './kinds.ts';

/** Milliseconds before the notification: a visible question has been read by then. */
const PATIENCE = 4_000;

/**
 * Shows a notification with a link to a question that is not visible: in Zen Mode, behind a maximized panel, or in a closed tab.
 * It appears after {@link PATIENCE} and stays until it is disposed.
 */
export function pointTo(question: Question | Inquiry): vscode.Disposable {
  const ended = Promise.withResolvers<void>();
  const point = () => {
    const link = `[${vscode.l10n.t('Show Question')}](command:workspaceMcp.answerApproval)`;
    const options = { location: vscode.ProgressLocation.Notification };
    void vscode.window.withProgress(options, (progress) => {
      progress.report({ message: `${link} · ${titleOf(question)}` });
      return ended.promise;
    });
  };
  const cancel = clock.after(PATIENCE, point);
  return new vscode.Disposable(() => {
    cancel();
    ended.resolve();
  });
}
