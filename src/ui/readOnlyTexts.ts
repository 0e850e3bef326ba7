import * as vscode from 'vscode';
import { allTabs, quietPlace, uriOf } from '../util/tabs.ts';

const SCHEME = 'workspace-mcp-text';

/** Texts in read-only editors that close without a question, such as the doctor's report. */
export class ReadOnlyTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly #texts = new Map<string, string>();

  readonly onDidChange = this.#changes.event;

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

  /** Shows a text in the tab that it had before, or beside the user's editors. */
  async show(name: string, text: string): Promise<void> {
    const uri = this.set(name, text);
    const tab = tabsOf(uri)[0];
    const place = tab ? { viewColumn: tab.group.viewColumn } : quietPlace(vscode);
    await vscode.window.showTextDocument(uri, { ...place, preserveFocus: false });
  }

  /** Closes the tabs of a text, diffs included, and discards it. */
  async close(name: string): Promise<void> {
    const uri = uriNamed(name);
    await vscode.window.tabGroups.close(tabsOf(uri));
    this.#texts.delete(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changes.dispose();
  }
}

const uriNamed = (name: string): vscode.Uri =>
  vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll('/', '∕')}` });

const tabsOf = (uri: vscode.Uri): vscode.Tab[] =>
  allTabs(vscode).filter((tab) => uriOf(tab)?.toString() === uri.toString());
