import * as vscode from 'vscode';
import type { Answer, Question } from '../access/approvals.ts';
import { oneLine } from './agentText.ts';
import { DIFF_SCHEME, DiffTexts } from './shownDiff.ts';

/** What the links of the question, and the buttons of the diff, say. */
type Choice = 'once' | 'session' | 'workspace' | 'deny' | 'diff';

/**
 * Asks the person whether an agent may do what it wants: a notification that stays until it is answered and goes when the
 * question ends, with the diff in a tab. Neither takes the focus, and closing the tab is no answer.
 */
export class ApprovalPrompt implements vscode.Disposable {
  readonly #diffs = new DiffTexts();
  readonly #subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this.#diffs),
    vscode.commands.registerCommand('workspaceMcp.answerApproval', (choice: Choice) => this.#choose(choice)),
    vscode.commands.registerCommand('workspaceMcp.allowOnce', () => this.#choose('once')),
    vscode.commands.registerCommand('workspaceMcp.deny', () => this.#choose('deny')),
  ];
  #shown: { question: Question; answer(answer: Answer): void; diff?: vscode.Disposable } | undefined;

  /** The question in front of the person. */
  get question(): Question | undefined {
    return this.#shown?.question;
  }

  /** Shows a question until it is answered or its signal ends it. */
  readonly ask = async (question: Question, signal: AbortSignal): Promise<Answer> => {
    const answered = Promise.withResolvers<Answer>();
    const end = () => answered.reject(new Error('The question has ended.'));
    signal.addEventListener('abort', end, { once: true });
    this.#shown = { question, answer: answered.resolve };
    void vscode.commands.executeCommand('setContext', 'workspaceMcp.isAsking', true);
    notify(question, answered.promise);
    try {
      await this.#showDiff();
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', end);
      this.#shown?.diff?.dispose();
      this.#shown = undefined;
      void vscode.commands.executeCommand('setContext', 'workspaceMcp.isAsking', false);
    }
  };

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #choose(choice: Choice): Promise<void> {
    const shown = this.#shown;
    if (!shown) return;
    if (choice === 'diff') await this.#showDiff();
    else if (choice !== 'deny') shown.answer({ allow: choice });
    else {
      const deny = await reasonToDeny(shown.question);
      if (deny !== undefined) shown.answer({ deny });
    }
  }

  async #showDiff(): Promise<void> {
    const shown = this.#shown;
    if (!shown?.question.diff) return;
    shown.diff?.dispose();
    const title = vscode.l10n.t(
      '{0} wants to change {1}',
      oneLine(shown.question.agent, 40),
      oneLine(shown.question.summary),
    );
    shown.diff = await this.#diffs.show(shown.question.diff, title);
  }
}

/** Undefined where the person turned back: the question stays. */
const reasonToDeny = (question: Question): Thenable<string | undefined> =>
  vscode.window.showInputBox({
    title: vscode.l10n.t('Deny: {0}', oneLine(question.summary)),
    prompt: vscode.l10n.t('Why? The agent reads this; leave it empty to give no reason.'),
    ignoreFocusOut: true,
  });

/** A notification with progress is the only one that stays until it is answered and that can be taken away. */
function notify(question: Question, answered: Promise<unknown>): void {
  const { ProgressLocation, window } = vscode;
  void window.withProgress(
    { location: ProgressLocation.Notification, title: messageOf(question) },
    async () => {
      await answered.catch(() => {});
    },
  );
}

function messageOf({ agent, tool, summary, diff, waiting }: Question): string {
  const { l10n } = vscode;
  const link = (label: string, choice: Choice) =>
    `[${label}](command:workspaceMcp.answerApproval?${encodeURIComponent(JSON.stringify([choice]))})`;
  const links = [
    link(l10n.t('Allow once'), 'once'),
    link(l10n.t('Allow for this session'), 'session'),
    link(l10n.t('Always in this workspace'), 'workspace'),
    link(l10n.t('Deny…'), 'deny'),
    ...(diff ? [link(l10n.t('Show diff'), 'diff')] : []),
  ];
  const others = waiting() > 0 ? ` ${l10n.t('{0} more waiting.', waiting())}` : '';
  const what = l10n.t('{0} asks: {1} ({2}).', oneLine(agent, 60), oneLine(summary), oneLine(tool, 60));
  return `${what}${others} ${links.join(' | ')}`;
}
