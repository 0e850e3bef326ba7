import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import type { Asked, Question } from '../../access/consent/types.ts';
import { clock } from '../../util/clock.ts';
import { windowsPowerShell } from '../../util/windowsProgram.ts';
import { notifiesOutside } from '../settings.ts';
import { namedAgent, questionTitle } from './questionText.ts';

/** Milliseconds until the notification of VS Code: a visible question has been read by then. */
const NOTIFICATION_DELAY_MS = 4_000;
/** Milliseconds until that of the system, and that a program for it may take. */
const SYSTEM_NOTIFICATION_DELAY_MS = 10_000;
const LIMIT = 10_000;

/**
 * Shows a notification with a link to a question that is not visible: in Zen Mode, behind a maximized panel, or in a closed tab.
 * It appears after {@link NOTIFICATION_DELAY_MS} and stays until it is disposed.
 */
export function pointTo(question: Question | Asked): vscode.Disposable {
  const ended = Promise.withResolvers<void>();
  const point = () => {
    const link = `[${vscode.l10n.t('Show Question')}](command:workspaceMcp.answerApproval)`;
    const options = { location: vscode.ProgressLocation.Notification };
    void vscode.window.withProgress(options, (progress) => {
      progress.report({ message: `${link} · ${questionTitle(question)}` });
      return ended.promise;
    });
  };
  const cancel = clock.after(NOTIFICATION_DELAY_MS, point);
  return new vscode.Disposable(() => {
    cancel();
    ended.resolve();
  });
}

/** Shows a toast of Windows with the texts of two variables, under the name of PowerShell, which is always registered. */
const TOAST = `$n = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$x = $n::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType, Windows.UI.Notifications, ContentType = WindowsRuntime]::ToastText02)
$t = $x.GetElementsByTagName('text')
$t.Item(0).AppendChild($x.CreateTextNode($env:TOAST_TITLE)) > $null
$t.Item(1).AppendChild($x.CreateTextNode($env:TOAST_TEXT)) > $null
$n::CreateToastNotifier('{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe').Show([Windows.UI.Notifications.ToastNotification]::new($x))`;

/**
 * Tells of a question by a notification of the system, if it has waited for {@link SYSTEM_NOTIFICATION_DELAY_MS} and the user works elsewhere. Only in a
 * window of this machine: a remote one has no screen. It says who asks, not for what: a locked screen may show it.
 */
export function notifyOutside(question: Question | Asked, run = execFile): vscode.Disposable {
  const { env, UIKind, window, workspace } = vscode;
  const show = () => {
    const isHere = env.uiKind === UIKind.Desktop && env.remoteName === undefined;
    if (!notifiesOutside() || !isHere || window.state.focused) return;
    const text = vscode.l10n.t('{0} waits for your answer.', namedAgent(question)).replaceAll(/[<>&]/g, ' '); // markup
    const title = `${env.appName}: ${workspace.name ?? 'Workspace MCP'}`;
    const [program, args] = programOf(process.platform, title, text);
    const variables = { ...process.env, TOAST_TITLE: title, TOAST_TEXT: text };
    run(program, args, { timeout: LIMIT, env: variables, windowsHide: true }, () => {}); // without one nobody is told
  };
  return new vscode.Disposable(clock.after(SYSTEM_NOTIFICATION_DELAY_MS, show));
}

/** The texts are arguments, never part of a script. */
function programOf(platform: NodeJS.Platform, title: string, text: string): [string, string[]] {
  if (platform === 'win32')
    return [windowsPowerShell(), ['-NoProfile', '-NonInteractive', '-Command', TOAST]];
  if (platform !== 'darwin') return ['notify-send', ['--', title, text]];
  const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
  return ['osascript', ['-e', 'on run argv', '-e', script, '-e', 'end run', title, text]];
}
