import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { allTabs, isQuestion, QUESTION_TYPE, quietPlace } from '../../util/tabs.ts';
import type { Choice } from './choices.ts';
import type { Page } from './page.ts';

/** What the page sends. */
type Message = { ready: true } | { read: number } | { choice: Choice; id: number };

export interface PanelEvents {
  /** The question has been in sight long enough to be read. */
  onRead(id: number): void;
  onChoice(choice: Choice, id: number): void;
}

/**
 * The editor in which questions are put, one after the other in one place. It opens beside what the person has open, and does
 * not take the keyboard.
 */
export class QuestionPanel implements vscode.Disposable {
  readonly #media: vscode.Uri;
  readonly #events: PanelEvents;
  #panel: vscode.WebviewPanel | undefined;
  #page: Page | undefined;
  #isReady = false;
  /** Whether there is a group of editors for our sake only. */
  #hasMadeGroup = false;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(extensionUri: vscode.Uri, events: PanelEvents) {
    this.#media = vscode.Uri.joinPath(extensionUri, 'media/question');
    this.#events = events;
  }

  get isVisible(): boolean {
    return this.#panel?.visible === true;
  }

  /** Puts a question. */
  async show(page: Page): Promise<void> {
    this.#page = page;
    await this.#closing; // a closing group is not one to open the next question beside
    if (this.#page !== page) return;
    const panel = this.#panel;
    // Behind the editor that has the keyboard it cannot come to the front and leave that where it is.
    if (panel && !panel.visible && panel.viewColumn === vscode.window.tabGroups.activeTabGroup.viewColumn)
      panel.dispose();
    this.#panel ??= this.#open(page.title);
    this.#panel.title = page.title;
    if (!this.#panel.visible) this.#panel.reveal(undefined, true);
    this.#post(page);
  }

  /** Brings what may change in a question up to date. */
  update(changes: Pick<Page, 'id' | 'more'>): void {
    if (this.#page?.id !== changes.id) return;
    Object.assign(this.#page, changes);
    this.#post(changes);
  }

  /** For the person, who asks for it. */
  reveal(): void {
    if (!this.#page) return;
    this.#panel ??= this.#open(this.#page.title);
    this.#panel.reveal();
  }

  /**
   * Closes the tabs of a question; the panel as well, unless the next question comes in this turn of the event loop. The
   * keyboard stays where it is: it may be in a terminal, at a password. Only who answers from a diff has it in the next editor.
   */
  end(id: number, diffs: readonly vscode.Tab[], isAnswered: boolean): void {
    if (this.#page?.id === id) this.#page = undefined;
    const staysThere = !isAnswered || !diffs.some((tab) => tab.isActive && tab.group.isActive);
    this.#closing = new Promise(setImmediate)
      .then(() => this.#close(this.#page ? diffs : [...diffs, ...ownTabs()], staysThere))
      .catch(() => {}); // the person has closed it in this moment
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(title: string): vscode.WebviewPanel {
    const { window } = vscode;
    const { viewColumn, preserveFocus = true } = quietPlace(vscode);
    const groups = window.tabGroups.all.length;
    const panel = window.createWebviewPanel(
      QUESTION_TYPE,
      title,
      { viewColumn: viewColumn ?? vscode.ViewColumn.Beside, preserveFocus },
      { enableScripts: true, localResourceRoots: [this.#media] },
    );
    this.#hasMadeGroup ||= viewColumn === vscode.ViewColumn.Beside && groups === 1;
    this.#isReady = false;
    panel.iconPath = vscode.Uri.joinPath(this.#media, '../icon.png');
    panel.webview.onDidReceiveMessage((message: Message) => this.#take(message));
    panel.webview.html = this.#html(panel.webview);
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = undefined;
    });
    return panel;
  }

  #take(message: Message): void {
    if ('ready' in message) {
      this.#isReady = true;
      if (this.#page) this.#post(this.#page);
    } else if ('read' in message) this.#events.onRead(message.read);
    else this.#events.onChoice(message.choice, message.id);
  }

  #post(message: Page | Pick<Page, 'id' | 'more'>): void {
    if (this.#isReady) void this.#panel?.webview.postMessage(message);
  }

  async #close(tabs: readonly vscode.Tab[], staysThere: boolean): Promise<void> {
    const { tabGroups } = vscode.window;
    const [group] = tabs.map((tab) => tab.group);
    if (tabs.length > 0) await tabGroups.close(tabs, staysThere);
    if (this.#page || !this.#hasMadeGroup) return;
    this.#hasMadeGroup = false;
    // VS Code keeps groups that are empty, if the person wants that.
    if (group?.tabs.length === 0 && tabGroups.all.includes(group)) await tabGroups.close(group, true);
  }

  #html(webview: vscode.Webview): string {
    const nonce = randomBytes(16).toString('base64');
    const at = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(this.#media, name));
    return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${at('question.css')}">
</head>
<body><script nonce="${nonce}" src="${at('question.js')}"></script></body>
</html>`;
  }
}

const ownTabs = (): vscode.Tab[] => allTabs(vscode).filter(isQuestion);
