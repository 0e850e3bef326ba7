import * as vscode from 'vscode';
import type { Answer, Question } from '../../access/consent/types.ts';
import { DIFF_SCHEME } from '../../util/tabs.ts';
import { quoted } from '../untrustedText.ts';
import { type Choice, choicesFor, pickChoice, reasonToDeny } from './choices.ts';
import { DiffTexts } from './diff.ts';
import { deedOf } from './kinds.ts';
import { type Notice, showNotice } from './notice.ts';

/** Characters of a name in the title of a tab, which VS Code cuts off at the end: where the name of a file is. */
const MOST_IN_TAB = 45;

interface Shown {
  question: Question;
  notice: Notice;
  answer(answer: Answer): void;
  /** Cancelled with the question: takes away what was opened to answer it. */
  ended: vscode.CancellationTokenSource;
  diff?: vscode.Disposable;
}

/**
 * Asks the person whether an agent may do what it wants: a notification that stays until it is answered and goes when the
 * question ends, with the diff in a tab. Neither takes the focus, and closing the tab is no answer.
 */
export class ApprovalPrompt implements vscode.Disposable {
  readonly #diffs = new DiffTexts();
  readonly #provider = vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this.#diffs);
  readonly #changes = new vscode.EventEmitter<void>();
  #shown: Shown | undefined;

  /** Fires when another question is in front of the person, or none, or more or fewer wait behind it. */
  readonly onDidChange = this.#changes.event;

  /** The question in front of the person. */
  get question(): Question | undefined {
    return this.#shown?.question;
  }

  /** How many questions are open, those behind the shown one included. */
  get waiting(): number {
    return this.#shown ? this.#shown.question.waiting() + 1 : 0;
  }

  /** Shows a question until it is answered or its signal ends it. */
  readonly ask = async (question: Question, signal: AbortSignal): Promise<Answer> => {
    const answered = Promise.withResolvers<Answer>();
    const end = () => answered.reject(new Error('The question has ended.'));
    signal.addEventListener('abort', end, { once: true });
    const answer = answered.resolve;
    const notice = showNotice(question, () => answer({ deny: '' }));
    const shown: Shown = { question, answer, notice, ended: new vscode.CancellationTokenSource() };
    this.#show(shown);
    try {
      void this.#showDiff(shown).catch(() => {}); // the question says what would happen, without a diff as well
      return await answered.promise;
    } finally {
      signal.removeEventListener('abort', end);
      shown.notice.dispose();
      shown.ended.cancel();
      shown.ended.dispose();
      shown.diff?.dispose();
      if (this.#shown === shown) this.#show(undefined); // else the next question has come already
    }
  };

  /** Called when more or fewer questions wait. */
  readonly queueChanged = (): void => {
    this.#shown?.notice.show();
    this.#changes.fire();
  };

  /**
   * Takes a choice for the shown question; lets the person pick one where none is given.
   *
   * @param id of the question that was clicked: one that has ended meanwhile does not answer the next
   */
  async choose(given?: Choice, id?: number): Promise<void> {
    const shown = this.#shown;
    if (!shown || (id !== undefined && id !== shown.question.id)) return;
    const { question, ended } = shown;
    const choice = given ?? (await pickChoice(question, ended.token));
    if (!choicesFor(question).some((offered) => offered.choice === choice)) return;
    if (choice === 'diff') await this.#showDiff(shown, true);
    else if (choice === 'deny') {
      const deny = await reasonToDeny(question, ended.token);
      if (deny !== undefined) shown.answer({ deny });
    } else if (choice) shown.answer({ allow: choice });
  }

  dispose(): void {
    this.#shown?.notice.dispose();
    this.#provider.dispose();
    this.#changes.dispose();
  }

  #show(shown: Shown | undefined): void {
    this.#shown = shown;
    this.#changes.fire();
  }

  async #showDiff(shown: Shown, isAskedFor = false): Promise<void> {
    const { id, agent, diffs } = shown.question;
    if (!diffs) return;
    const title = vscode.l10n.t('{0} asks: {1}', quoted(agent, 25), deedOf(shown.question, MOST_IN_TAB));
    const tabs = await this.#diffs.show({ id, diffs }, title, isAskedFor);
    if (this.#shown === shown) shown.diff ??= tabs;
    else tabs.dispose(); // answered while it was opening
  }
}
