import * as vscode from 'vscode';
import type { Answer, Asked, Inquiry, Question, Reply } from '../../access/consent/types.ts';
import { type AnswerReader, inquiryPage, replyOf } from './asked.ts';
import { answerOf, type Choice, isOffered } from './choices.ts';
import { DiffTexts } from './diff.ts';
import { OutsideNotices, pointTo } from './notice.ts';
import { moreOf, type Note, type Page, pageOf } from './page.ts';
import { type PageReply, QuestionPanel } from './panel.ts';
import { isInquiry } from './questionText.ts';

interface ShownQuestion {
  question: Question | Asked;
  /** The notification, unless the user has seen the question. */
  pointer: vscode.Disposable;
  /** How long it was visible: it can be refused once it was `seen`, and answered once it was `read`. From any place. */
  state: 'new' | 'seen' | 'read';
  /** What the page and the commands do to answer it. */
  inputs: Inputs;
}

interface Inputs {
  choose(choice: Choice): unknown;
  /** For a question that has no such choices. */
  reply?(reply: PageReply): void;
  /** Whether a reply gives the asker nothing. */
  refuses?(reply: PageReply): boolean;
  closed?(): void;
}

/** They need no reading: otherwise a first change that is longer than the window would hold up all questions behind it. */
const REFUSALS: readonly Choice[] = ['deny', 'denyReason', 'denySession'];

const takes = ({ state }: ShownQuestion, choice: Choice): boolean =>
  state === 'read' || (state === 'seen' && REFUSALS.includes(choice));

/**
 * Asks the user to approve an action, in an editor of its own that closes when the question ends. It does not take the focus, and
 * closing it is not an answer, unless the question says so. A question accepts an answer only after it was visible long enough,
 * for all but a refusal with its first change, and an answer counts only for the question that it was given to.
 */
export class ApprovalPrompt implements vscode.Disposable {
  readonly #diffs = new DiffTexts();
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #panel: QuestionPanel;
  readonly #outside = new OutsideNotices();
  #shown: ShownQuestion | undefined;
  hasAnswered = false;

  constructor(extensionUri: vscode.Uri) {
    this.#panel = new QuestionPanel(extensionUri, {
      onSeen: (id) => this.#seen(id, 'seen'),
      onRead: (id) => this.#seen(id, 'read'),
      onChoice: (choice, id) => void this.choose(choice, id),
      onReply: (reply, id) => {
        const inputs = this.#inputsOf(id);
        if (inputs?.refuses?.(reply) || this.#shown?.state === 'read') inputs?.reply?.(reply);
      },
      onClosed: (id) => this.#inputsOf(id)?.closed?.(),
    });
  }

  /** Fires when the shown question or the number of waiting ones changes. */
  readonly onDidChange = this.#changes.event;

  get question(): Question | Asked | undefined {
    return this.#shown?.question;
  }

  /** How many questions are open, the shown one included. */
  get waiting(): number {
    return this.#shown?.question.askers().length ?? 0;
  }

  /** Shows a question until it is answered or its signal ends it. */
  readonly ask = (question: Question, signal: AbortSignal): Promise<Answer> =>
    this.#put<Answer>(question, pageOf(question), signal, (answer, ended, shown) => ({
      choose: async (choice) => {
        const now = shown() as Question;
        if (!isOffered(choice, now)) return;
        if (choice === 'diff') return this.#showDiff(now);
        const given = await answerOf(choice, now, ended);
        // Another change may have come under the dialog: it has to be read first.
        if (given && ('deny' in given || shown().id === now.id)) answer(given);
      },
      ...(question.isOwn && { closed: () => answer({ dismissed: true }) }),
    }));

  /** Shows an agent's own question in the same way. */
  readonly inquire = (question: Inquiry, signal: AbortSignal): Promise<Reply> =>
    this.pose(question, inquiryPage(question), { take: (reply) => replyOf(question, reply) }, signal);

  /** Shows any question whose answer gives agents no permission. */
  readonly pose = <A>(question: Asked, page: Page, { take, closed }: AnswerReader<A>, signal: AbortSignal) =>
    this.#put<A>(question, page, signal, (answer) => {
      const give = (given: A | undefined) => given !== undefined && answer(given);
      const annotate = (notes: readonly Note[]) =>
        this.#panel.update({ id: question.id, more: moreOf(question), notes });
      return {
        choose: () => this.#panel.reveal(), // it has no such choices
        reply: (reply) => give(take(reply, annotate)),
        refuses: (reply) =>
          'dismissed' in reply ||
          ('entries' in reply && page.form?.buttons[reply.button ?? -1]?.refuses === true),
        closed: () => give(closed),
      };
    });

  async #put<A>(
    question: Question | Asked,
    page: Page,
    signal: AbortSignal,
    inputsOf: (
      answer: (answer: A) => void,
      ended: vscode.CancellationToken,
      shown: () => Question | Asked,
    ) => Inputs,
  ): Promise<A> {
    const { promise, resolve: answer, reject } = Promise.withResolvers<A>();
    const end = () => reject(new Error('The question has ended.'));
    signal.addEventListener('abort', end, { once: true });
    const ended = new vscode.CancellationTokenSource();
    const inputs = inputsOf(answer, ended.token, () => shown.question);
    const shown: ShownQuestion = { question, pointer: pointTo(question), state: 'new', inputs };
    this.#show(shown);
    const outside = this.#outside.watch(question);
    const following = isInquiry(question)
      ? undefined
      : question.follow?.((changed) => this.#follow(shown, changed));
    let isAnswered = false;
    try {
      await Promise.race([this.#panel.show(page), promise]);
      const answered = await promise;
      isAnswered = true;
      this.hasAnswered = true;
      return answered;
    } finally {
      signal.removeEventListener('abort', end);
      following?.dispose();
      outside.dispose();
      shown.pointer.dispose();
      ended.cancel(); // closes input boxes that were opened to answer it
      ended.dispose();
      if (this.#shown === shown) this.#show(undefined); // otherwise the next question is already shown
      this.#panel.end(shown.question.id, this.#diffs.end(), isAnswered);
    }
  }

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
    if (!choice || !takes(shown, choice) || (id === undefined && !this.#panel.isVisible)) {
      this.#panel.reveal();
      if (choice)
        vscode.window.setStatusBarMessage(vscode.l10n.t('Read the question first, then answer it.'), 5_000);
    } else await shown.inputs.choose(choice);
  }

  dispose(): void {
    this.#shown?.pointer.dispose();
    this.#panel.dispose();
    this.#diffs.dispose();
    this.#changes.dispose();
  }

  /** Shows the question as it is now. One that asks for another change has to be read again. */
  #follow(shown: ShownQuestion, now: Question): void {
    if (this.#shown !== shown) return;
    const isSame = now.id === shown.question.id;
    shown.question = now;
    if (isSame) this.#panel.update(pageOf(now));
    else {
      shown.state = 'new';
      void this.#panel.show(pageOf(now));
      void vscode.window.tabGroups.close(this.#diffs.end(), true); // of the change that it was
      this.#changes.fire();
    }
  }

  /** Inputs of the shown question, if it has this id and was seen. */
  #inputsOf(id: number): Inputs | undefined {
    const shown = this.#shown;
    return shown?.question.id === id && shown.state !== 'new' ? shown.inputs : undefined;
  }

  #seen(id: number, state: 'seen' | 'read'): void {
    const shown = this.#shown;
    if (shown?.question.id !== id) return;
    if (shown.state !== 'read') shown.state = state;
    shown.pointer.dispose();
  }

  #show(shown: ShownQuestion | undefined): void {
    this.#shown = shown;
    this.#changes.fire();
  }

  async #showDiff(question: Question): Promise<void> {
    const { id, diffs = [] } = question;
    await this.#diffs.show(id, diffs, pageOf(question).title);
    if (this.#shown?.question !== question) this.#panel.end(id, this.#diffs.end(), true); // answered while it was opening
  }
}
