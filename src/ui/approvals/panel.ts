import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { allTabs, isQuestion, QUESTION_TYPE, quietPlace } from '../../util/tabs.ts';
import type { Choice } from './choices.ts';
import type { FormReply, Page } from './page.ts';

type Message =
  | { ready: true }
  | { seen: number }
  | { read: number }
  | { choice: Choice; id: number }
  | { reply: PageReply; id: number };

/** The answer to an agent's own question: the index of a choice, or the user's words; or what is in a form. */
export type PageReply = { choice: number } | { words: string } | { dismissed: true } | FormReply;

export type PageChanges = Pick<Page, 'id' | 'more' | 'notes'>;

export interface PanelEvents {
  /** The page was visible long enough to be refused. */
  onSeen(id: number): void;
  /** So was its first change. */
  onRead(id: number): void;
  onChoice(choice: Choice, id: number): void;
  onReply(reply: PageReply, id: number): void;
  onClosed(id: number): void;
}

/**
 * The editor that shows questions, one after the other in one place. It opens beside the user's editors and does not take the
 * focus.
 */
export class QuestionPanel implements vscode.Disposable {
  readonly #media: vscode.Uri;
  readonly #dist: vscode.Uri;
  readonly #events: PanelEvents;
  #panel: vscode.WebviewPanel | undefined;
  #page: Page | undefined;
  #isReady = false;
  /** Whether the panel has opened an editor group of its own. */
  #hasMadeGroup = false;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(extensionUri: vscode.Uri, events: PanelEvents) {
    this.#media = vscode.Uri.joinPath(extensionUri, 'media/question');
    this.#dist = vscode.Uri.joinPath(extensionUri, 'dist');
    this.#events = events;
  }

  get isVisible(): boolean {
    return this.#panel?.visible === true;
  }

  async show(page: Page): Promise<void> {
    this.#page = page;
    await this.#closing; // the next question must not open beside a group that is closing
    if (this.#page !== page) return;
    const panel = this.#panel;
    // A panel behind the focused editor cannot be revealed without taking the focus.
    if (panel && !panel.visible && panel.viewColumn === vscode.window.tabGroups.activeTabGroup.viewColumn)
      this.dispose();
    this.#panel ??= this.#open(page.title);
    this.#panel.title = page.title;
    if (!this.#panel.visible) this.#panel.reveal(undefined, true);
    this.#post(page);
  }

  /** Updates the parts of a question that can change: how many wait, what is said about fields, and the lines around its own. */
  update(changes: PageChanges): void {
    if (this.#page?.id !== changes.id) return;
    Object.assign(this.#page, changes);
    this.#post(changes);
  }

  /** Brings the question to the front, with focus, when the user asks for it. */
  reveal(): void {
    if (!this.#page) return;
    this.#panel ??= this.#open(this.#page.title, { viewColumn: vscode.ViewColumn.Active });
    this.#panel.reveal();
  }

  /**
   * Closes the tabs of a question, and the panel unless the next question comes in this turn of the event loop. The focus stays
   * where it is, for example at a password prompt in a terminal. It moves to the next editor only if the user answered in a diff.
   */
  end(id: number, diffs: readonly vscode.Tab[], isAnswered: boolean): void {
    if (this.#page?.id === id) this.#page = undefined;
    const staysThere = !isAnswered || !diffs.some((tab) => tab.isActive && tab.group.isActive);
    this.#closing = new Promise(setImmediate)
      .then(() =>
        this.#close(this.#page ? diffs : [...diffs, ...allTabs(vscode).filter(isQuestion)], staysThere),
      )
      .catch(() => {}); // the user has just closed it
  }

  dispose(): void {
    this.#forgotten()?.dispose();
  }

  /** The panel that we close ourselves. */
  #forgotten(): vscode.WebviewPanel | undefined {
    const panel = this.#panel;
    this.#panel = undefined;
    return panel;
  }

  #open(title: string, place = quietPlace(vscode)): vscode.WebviewPanel {
    const { window } = vscode;
    const { viewColumn, preserveFocus = true } = place;
    const groups = window.tabGroups.all.length;
    const panel = window.createWebviewPanel(
      QUESTION_TYPE,
      title,
      { viewColumn: viewColumn ?? vscode.ViewColumn.Beside, preserveFocus },
      { enableScripts: true, localResourceRoots: [this.#media, this.#dist] },
    );
    this.#hasMadeGroup ||= viewColumn === vscode.ViewColumn.Beside && groups === 1;
    this.#isReady = false;
    panel.iconPath = vscode.Uri.joinPath(this.#media, '../icon.png');
    panel.webview.onDidReceiveMessage((message: Message) => this.#take(message));
    panel.webview.html = this.#html(panel.webview);
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      if (this.#page) this.#events.onClosed(this.#page.id);
    });
    return panel;
  }

  #take(message: Message): void {
    if ('ready' in message) {
      this.#isReady = true;
      if (this.#page) this.#post(this.#page);
    } else if ('seen' in message) this.#events.onSeen(message.seen);
    else if ('read' in message) this.#events.onRead(message.read);
    else if ('reply' in message) this.#events.onReply(message.reply, message.id);
    else this.#events.onChoice(message.choice, message.id);
  }

  #post(message: Page | PageChanges): void {
    if (this.#isReady) void this.#panel?.webview.postMessage(message);
  }

  async #close(tabs: readonly vscode.Tab[], staysThere: boolean): Promise<void> {
    const { tabGroups } = vscode.window;
    const [group] = tabs.map((tab) => tab.group);
    if (tabs.some(isQuestion)) this.#forgotten();
    if (tabs.length > 0) await tabGroups.close(tabs, staysThere);
    if (this.#page || !this.#hasMadeGroup) return;
    this.#hasMadeGroup = false;
    // VS Code keeps empty groups if the user has set that.
    if (group?.tabs.length === 0 && tabGroups.all.includes(group)) await tabGroups.close(group, true);
  }

  #html(webview: vscode.Webview): string {
    const nonce = randomBytes(16).toString('base64');
    const at = (name: string, from = this.#media) => webview.asWebviewUri(vscode.Uri.joinPath(from, name));
    return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${at('question.css')}">
<link rel="stylesheet" href="${at('form.css')}">
</head>
<body><script type="module" nonce="${nonce}" src="${at('question.js')}"></script>
<script nonce="${nonce}" src="${at('colours.js', this.#dist)}"></script></body>
</html>`;
  }
}
