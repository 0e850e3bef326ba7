import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Plan } from '../../agents/planFor.ts';
import { onTextClosed, placeOf, type ReadOnlyTexts } from '../readOnlyTexts.ts';

interface OpenDiff {
  left: vscode.Uri | undefined;
  right: vscode.Uri;
  title: string;
  answer(isYes: boolean): void;
}

/** What the user reads before they answer: a text, or a change as a diff. The names are those of the tabs. */
interface Read {
  before?: { name: string; text: string };
  after: { name: string; text: string };
}

interface LastingQuestion {
  title: string;
  text: string;
  yes: string;
  /** Instead of VS Code's button Cancel. */
  no?: string;
}

/**
 * Asks about what the user reads in an editor, in a notification that stays until it is answered; about the change of an agent's
 * configuration by buttons in the title bar of its diff too. Closing the editor is a no. One at a time.
 */
export class PlannedChanges implements vscode.Disposable {
  readonly #texts: ReadOnlyTexts;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #listening = onTextClosed((uri) => {
    if (uri === this.#open?.right.toString()) this.cancel();
  });
  #open: OpenDiff | undefined;
  /** The URI of the right side of the open diff: package.json shows the buttons by it. */
  open: readonly string[] | undefined;

  constructor(texts: ReadOnlyTexts) {
    this.#texts = texts;
  }

  /** Whether the user has let an agent's configuration be written. */
  hasWritten = false;

  /** Fires when a change is opened or answered. */
  readonly onDidChange = this.#changes.event;

  /**
   * Shows exactly what plans would change, all in one diff, until the user has answered. If the diff of another one is open, that is shown instead.
   *
   * @returns whether it is to be written
   */
  async ask(plans: readonly Plan[], question: { title: string; text: string }): Promise<boolean> {
    const { l10n } = vscode;
    // Several are of no one language: VS Code would report problems.
    const bases = new Set(plans.map(({ file }) => basename(file)));
    const names = [...bases].join(', ') + (plans.length > 1 ? '.txt' : '');
    const read = {
      before: { name: `${l10n.t('Now')} ${names}`, text: joined(plans, ({ before }) => before) },
      after: { name: `${l10n.t('Planned')} ${names}`, text: joined(plans, ({ after }) => after) },
    };
    const isYes = await this.askAbout(read, { ...question, yes: l10n.t('Write') }, true);
    this.hasWritten ||= isYes;
    this.#changes.fire();
    return isYes;
  }

  /** Shows any text or change until the user has answered. @param hasButtons whether the title bar has buttons to write and to cancel */
  async askAbout({ before, after }: Read, question: LastingQuestion, hasButtons = false): Promise<boolean> {
    if (await this.reveal()) return false;
    const { promise, resolve: answer } = Promise.withResolvers<boolean>();
    const left = before && this.#texts.set(before.name, before.text);
    const right = this.#texts.set(after.name, after.text);
    this.#show({ left, right, title: question.title, answer }, hasButtons);
    void showQuestion(question, promise, this.cancel);
    try {
      await Promise.race([this.reveal(), promise]);
      return await promise;
    } finally {
      this.#show(undefined);
      for (const one of [before, after]) if (one) await this.#texts.close(one.name);
    }
  }

  /** Shows the diff that is open. @returns whether there is one */
  async reveal(): Promise<boolean> {
    if (!this.#open) return false;
    const { left, right, title } = this.#open;
    const place = placeOf(right);
    if (left) await vscode.commands.executeCommand('vscode.diff', left, right, title, place);
    else await vscode.window.showTextDocument(right, place);
    return true;
  }

  readonly write = (): void => this.#open?.answer(true);
  readonly cancel = (): void => this.#open?.answer(false);

  dispose(): void {
    this.cancel();
    this.#listening.dispose();
    this.#changes.dispose();
  }

  #show(open: OpenDiff | undefined, hasButtons = false): void {
    this.#open = open;
    this.open = open && hasButtons ? [open.right.toString()] : undefined;
    this.#changes.fire();
  }
}

/** The texts of files, each below its path if there are several. */
const joined = (plans: readonly Plan[], textOf: (plan: Plan) => string | undefined): string =>
  plans
    .map((plan) => (plans.length > 1 ? `// ${plan.file}\n` : '') + (textOf(plan) ?? ''))
    .map((text) => (plans.length > 1 && !text.endsWith('\n') ? `${text}\n` : text))
    .join('\n');

/**
 * A message with buttons would go after some seconds, while the user reads the diff. VS Code shows a progress whole if it has a button,
 * which is Cancel.
 */
function showQuestion(
  { text, yes, no }: LastingQuestion,
  answered: Promise<unknown>,
  cancel: () => void,
): Thenable<unknown> {
  const { window, ProgressLocation } = vscode;
  const links = [
    `[${yes}](command:workspaceMcp.writePlannedChange)`,
    ...(no === undefined ? [] : [`[${no}](command:workspaceMcp.cancelPlannedChange)`]),
  ];
  const options = { location: ProgressLocation.Notification, cancellable: true };
  return window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(cancel);
    progress.report({ message: [...links, text].join(' · ') });
    return answered;
  });
}
