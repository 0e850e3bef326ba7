import * as vscode from 'vscode';
import { allTabs, isQuestion, quietPlace, uriOf } from '../util/tabs.ts';

const SCHEME = 'workspace-mcp-text';

/** Texts in read-only editors that close without a question, such as the doctor's report. */
export class ReadOnlyTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly #texts = new Map<string, string>();

  readonly onDidChange = this.#changes.event;

  constructor() {
    closeLeftTabs(SCHEME);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Sets a text. @param name its tab's title, and its identity */
  set(name: string, text: string): vscode.Uri {
    const uri = uriNamed(name);
    this.#texts.set(uri.toString(), text);
    this.#changes.fire(uri);
    return uri;
  }

  /** Shows a text in the tab that it had before, or in front, where it has the most room; never in front of a question. */
  async show(name: string, text: string): Promise<void> {
    const uri = this.set(name, text);
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const isAside = activeTab && isQuestion(activeTab) && tabsShowing(uri).length === 0;
    const place = isAside ? quietPlace(vscode) : placeOf(uri);
    await vscode.window.showTextDocument(uri, { ...place, preserveFocus: false });
  }

  async close(name: string): Promise<void> {
    const uri = uriNamed(name);
    await vscode.window.tabGroups.close(tabsShowing(uri));
    this.#texts.delete(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changes.dispose();
  }
}

const uriNamed = (name: string): vscode.Uri =>
  vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll('/', '∕')}` });

/** The tabs that show a text; of a diff, its right side. */
export const tabsShowing = (uri: vscode.Uri): vscode.Tab[] =>
  allTabs(vscode).filter((tab) => uriOf(tab)?.toString() === uri.toString());

/** Where to show a text that may be open already: in its own column. */
export function placeOf(uri: vscode.Uri): vscode.TextDocumentShowOptions {
  const [tab] = tabsShowing(uri);
  return { preview: false, ...(tab && { viewColumn: tab.group.viewColumn }) };
}

/** Calls back when no tab shows a text any more: a tab that is moved is closed and opened. */
export const onTextClosed = (closed: (uri: string) => void): vscode.Disposable =>
  vscode.window.tabGroups.onDidChangeTabs((change) => {
    for (const uri of change.closed.map(uriOf))
      setImmediate(() => {
        if (uri && tabsShowing(uri).length === 0) closed(uri.toString());
      });
  });

/** Closes tabs from before a reload of the window: what they showed has gone. */
export function closeLeftTabs(scheme: string): void {
  const left = allTabs(vscode).filter((tab) => uriOf(tab)?.scheme === scheme);
  if (left.length > 0) void vscode.window.tabGroups.close(left, true);
}
