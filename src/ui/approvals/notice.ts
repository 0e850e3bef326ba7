import * as vscode from 'vscode';
import type { Question } from '../../access/consent/types.ts';
import { type Choice, choicesFor, factsOf, titleOf } from './choices.ts';

export interface Notice extends vscode.Disposable {
  /** Brings the text up to date. */
  show(): void;
}

/**
 * The notification of a question. One with progress is the only kind that stays until it is answered and that can be taken
 * away. Its button, which denies without a reason, also keeps VS Code from folding it into a line that hides the choices.
 */
export function showNotice(question: Question, onDeny: () => void): Notice {
  const ended = Promise.withResolvers<void>();
  let progress: vscode.Progress<{ message: string }> | undefined;
  const show = () => progress?.report({ message: messageOf(question) });
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
  void vscode.window.withProgress(options, (given, cancelled) => {
    cancelled.onCancellationRequested(onDeny);
    progress = given;
    show();
    return ended.promise;
  });
  return { show, dispose: ended.resolve };
}

function messageOf(question: Question): string {
  const { l10n, env } = vscode;
  const others = question.waiting();
  const time = new Date(question.endsAt).toLocaleTimeString(env.language, {
    hour: '2-digit',
    minute: '2-digit',
  });
  const facts = [
    titleOf(question),
    ...(question.again ? [l10n.t('the text has changed since you were asked')] : []),
    ...factsOf(question),
    ...(others > 0 ? [l10n.t('{0} more waiting', others)] : []),
    l10n.t('Cancel, or no answer until {0}, denies it.', time),
  ];
  return `${facts.join(' · ')} ${choicesFor(question).map(linkOf(question)).join(' | ')}`;
}

const linkOf =
  ({ id }: Question) =>
  ({ choice, label }: { choice: Choice; label: string }): string =>
    `[${label}](command:workspaceMcp.answerApproval?${encodeURIComponent(JSON.stringify([choice, id]))})`;
