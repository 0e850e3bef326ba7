import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import type { Asked, Opened, Question } from '../../access/consent/types.ts';
import { clock } from '../../util/clock.ts';
import { windowsPowerShell } from '../../util/windowsProgram.ts';
import type { Journal } from '../../workspace/edit/journal.ts';
import { notifies } from '../settings.ts';
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
 * Tells by notifications of the system that questions are open, while the user works elsewhere. A notification counts all of them, and
 * one that was counted gets none of its own.
 */
export class OutsideNotices {
  readonly #run: typeof execFile;
  /** When the last notification has counted all open questions, in milliseconds since the epoch. */
  #countedAt = 0;

  constructor(run = execFile) {
    this.#run = run;
  }

  /** Tells of the open questions once this one has been shown for {@link SYSTEM_NOTIFICATION_DELAY_MS}, unless it ends before. */
  watch(question: Question | Asked): vscode.Disposable {
    const show = () => {
      if (!isWanted('notifyOutside') || question.askedAt <= this.#countedAt) return;
      this.#countedAt = Date.now();
      const askers = question.askers();
      const names = [...new Set(askers.map(namedAgent))];
      const list = new Intl.ListFormat(vscode.env.language).format(names);
      const text =
        askers.length > 1
          ? vscode.l10n.t('{0} questions of {1} wait for your answer.', askers.length, list)
          : vscode.l10n.t('{0} waits for your answer.', list);
      notify(text, this.#run, leftText(question));
    };
    return new vscode.Disposable(clock.after(SYSTEM_NOTIFICATION_DELAY_MS, show));
  }
}

/** How long the user can still answer; empty if that is not known, as after the machine has slept. */
function leftText({ endsAt }: Opened): string {
  const seconds = Math.floor((endsAt - Date.now()) / 1000);
  if (seconds <= 0) return '';
  return seconds < 60
    ? vscode.l10n.t('{0} s left', seconds)
    : vscode.l10n.t('{0} min left', Math.floor(seconds / 60));
}

/**
 * Tells of turns that end while the user works elsewhere, {@link SYSTEM_NOTIFICATION_DELAY_MS} later: the user may come back, or give
 * the next prompt in a terminal outside. Not of shorter turns, for whose end the user waits.
 */
export const notifyOfTurnEnds = (journal: Journal, run = execFile): vscode.Disposable =>
  journal.onDidEndTurn(({ author, startedAt }) => {
    const isDue = () => isWanted('notifyTurnEnd') && journal.turnOf(author) === undefined;
    const show = () => {
      if (isDue()) notify(vscode.l10n.t('{0} has ended its turn.', namedAgent(author)), run);
    };
    const isLong = clock.now() - startedAt >= SYSTEM_NOTIFICATION_DELAY_MS;
    if (isLong && isDue()) clock.after(SYSTEM_NOTIFICATION_DELAY_MS, show, true);
  });

/**
 * Only in a window of this machine: a remote one has no screen. Another window of VS Code that has the focus does not count, since it
 * shows nothing of this one.
 */
function isWanted(setting: Parameters<typeof notifies>[0]): boolean {
  const { env, UIKind, window } = vscode;
  const isHere = env.uiKind === UIKind.Desktop && env.remoteName === undefined;
  return notifies(setting) && isHere && !window.state.focused;
}

/** @param text who, but not what: a locked screen may show it. @param left comes first, because a long title is cut */
function notify(text: string, run: typeof execFile, left = ''): void {
  const { env, workspace } = vscode;
  const where = `${env.appName}: ${workspace.name ?? 'Workspace MCP'}`;
  const title = left ? `${left} · ${where}` : where;
  const plain = text.replaceAll(/[<>&]/g, ' '); // markup
  const [program, args] = programOf(process.platform, title, plain);
  const variables = { ...process.env, TOAST_TITLE: title, TOAST_TEXT: plain };
  run(program, args, { timeout: LIMIT, env: variables, windowsHide: true }, () => {}); // without one nobody is told
}

/** The texts are arguments, never part of a script. */
function programOf(platform: NodeJS.Platform, title: string, text: string): [string, string[]] {
  if (platform === 'win32')
    return [windowsPowerShell(), ['-NoProfile', '-NonInteractive', '-Command', TOAST]];
  if (platform !== 'darwin') return ['notify-send', ['--', title, text]];
  const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
  return ['osascript', ['-e', 'on run argv', '-e', script, '-e', 'end run', title, text]];
}
