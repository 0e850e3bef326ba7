import * as vscode from 'vscode';
import type { Answer, Inquiry, Question, Reply } from '../../access/consent/types.ts';
import { DIFF_SCHEME } from '../../util/tabs.ts';
import { buttonsOf, type Choice } from './choices.ts';
import { confirmAlways, reasonToDeny } from './confirm.ts';
import { DiffTexts } from './diff.ts';
import { inquiryPage, replyOf } from './inquiry.ts';
import { pointTo } from './notice.ts';
import { moreOf, type Page, pageOf } from './page.ts';
import { type PageReply, QuestionPanel } from './panel.ts';

interface Shown {
  question: Question | Inquiry;
  take(choice: Choice): Promise<void>;
  /** For an agent's own question. */
  reply?(reply: PageReply): void;
  /** Cancelled with the question: closes input boxes that were opened to answer it. */
  ended: vscode.CancellationTokenSource;
  /** The notification, unless the user has seen the question. */
  pointer: vscode.Disposable;
  /** It was visible long enough. Only then does it accept an answer, from any place. */
  isRead: boolean;
}

/**
 * Asks the user to approve an action, in an editor of its own that closes when the question ends. It does not take the focus, and
 * closing it is not an answer. A question accepts an answer only after it was visible long enough to read, and an answer counts
 * only for the question that it was given to.
 */
export class ApprovalPrompt implements vscode.Disposable {
  readonly #diffs = new DiffTexts();
  readonly #provider = vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this.#diffs);
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #panel: QuestionPanel;
  #shown: Shown | undefined;
  #hasAnswered = false;

  constructor(extensionUri: vscode.Uri) {
    this.#panel = new QuestionPanel(extensionUri, {
      onRead: (id) => this.#read(id),
      onChoice: (choice, id) => void this.choose(choice, id),
      onReply: (reply, id) => this.#reply(reply, id),
    });
  }

  /** Fires when the shown question or the number of waiting ones changes. */
  readonly onDidChange = this.#changes.event;

  /** The question that the user sees. */
  get question(): Question | Inquiry | undefined {
    return this.#shown?.question;
  }

  /** Whether the user has answered a question of this window. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** How many questions are open, the shown one included. */
  get waiting(): number {
    return this.#shown ? this.#shown.question.waiting() + 1 : 0;
  }

  /** Shows a question until it is answered or its signal ends it. */
  readonly ask = (question: Question, signal: AbortSignal): Promise<Answer> =>
    this.#put<Answer>(question, pageOf(question), signal, (answer, { token }) => ({
      take: (choice) => this.#take(choice, question, answer, token),
    }));

  /** The same for an agent's own question. */
  readonly inquire = (question: Inquiry, signal: AbortSignal): Promise<Reply> =>
    this.#put<Reply>(question, inquiryPage(question), signal, (answer) => ({
      take: async () => this.#panel.reveal(), // it has no such choices
      reply: (reply) => {
        const given = replyOf(question, reply);
        if (given) answer(given);
      },
    }));

  /** @param takes what the page and the commands do to answer it */
  async #put<A>(
    question: Shown['question'],
    page: Page,
    signal: AbortSignal,
    takes: (
      answer: (answer: A) => void,
      ended: vscode.CancellationTokenSource,
    ) => Pick<Shown, 'take' | 'reply'>,
  ): Promise<A> {
    const { promise, resolve: answer, reject } = Promise.withResolvers<A>();
    const end = () => reject(new Error('The question has ended.'));
    signal.addEventListener('abort', end, { once: true });
    const ended = new vscode.CancellationTokenSource();
    const shown = { question, ended, pointer: pointTo(question), isRead: false, ...takes(answer, ended) };
    this.#show(shown);
    let isAnswered = false;
    try {
      await Promise.race([this.#panel.show(page), promise]);
      const answered = await promise;
      isAnswered = true;
      this.#hasAnswered = true;
      return answered;
    } finally {
      signal.removeEventListener('abort', end);
      shown.pointer.dispose();
      ended.cancel();
      ended.dispose();
      if (this.#shown === shown) this.#show(undefined); // otherwise the next question is already shown
      this.#panel.end(question.id, this.#diffs.end(), isAnswered);
    }
  }

  /** Called when the number of waiting questions changes. */
  readonly queueChanged = (): void => {
    const { question } = this;
    if (question) this.#panel.update({ id: question.id, more: moreOf(question) });
    this.#changes.fire();
  };

  /**
   * Applies a choice to the shown question. Without a choice, or if the question cannot have been read yet, it shows the question.
   *
   * @param id of the clicked question, so that a click on an ended question does not answer the next one
   */
  async choose(choice?: Choice, id?: number): Promise<void> {
    const shown = this.#shown;
    if (!shown || (id !== undefined && id !== shown.question.id)) return;
    // If the question is not visible, a key may be meant for something else.
    if (!choice || !shown.isRead || (id === undefined && !this.#panel.isVisible)) {
      this.#panel.reveal();
      if (choice)
        vscode.window.setStatusBarMessage(vscode.l10n.t('Read the question first, then answer it.'), 5_000);
    } else await shown.take(choice);
  }

  dispose(): void {
    this.#shown?.pointer.dispose();
    this.#panel.dispose();
    this.#provider.dispose();
    this.#changes.dispose();
  }

  async #take(
    choice: Choice,
    question: Question,
    answer: (answer: Answer) => void,
    ended: vscode.CancellationToken,
  ): Promise<void> {
    if (!buttonsOf(question).some((one) => one.choice === choice && !one.isOff)) return;
    if (choice === 'deny') answer({ deny: '' });
    else if (choice === 'denySession') answer({ deny: '', session: true });
    else if (choice === 'denyReason') {
      const deny = await reasonToDeny(question, ended);
      if (deny !== undefined) answer({ deny });
    } else if (choice === 'diff') await this.#showDiff(question);
    else if (choice === 'workspace') {
      const confirmed = await confirmAlways(question);
      if (confirmed) answer(confirmed);
    } else answer({ allow: choice });
  }

  #reply(reply: PageReply, id: number): void {
    const shown = this.#shown;
    if (shown?.question.id === id && shown.isRead) shown.reply?.(reply);
  }

  #read(id: number): void {
    const shown = this.#shown;
    if (shown?.question.id !== id) return;
    shown.isRead = true;
    shown.pointer.dispose();
  }

  #show(shown: Shown | undefined): void {
    this.#shown = shown;
    this.#changes.fire();
  }

  async #showDiff(question: Question): Promise<void> {
    const { id, diffs } = question;
    if (!diffs) return;
    await this.#diffs.show({ id, diffs }, pageOf(question).title);
    if (this.#shown?.question !== question) this.#panel.end(id, this.#diffs.end(), true); // answered while it was opening
  }
}
