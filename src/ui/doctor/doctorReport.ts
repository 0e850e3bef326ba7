import * as vscode from 'vscode';
import { allTabs, quietPlace, uriOf } from '../../util/tabs.ts';

const SCHEME = 'workspace-mcp-doctor';
const REPORT = vscode.Uri.from({ scheme: SCHEME, path: '/Workspace MCP Doctor.txt' });

/** The last report of the doctor, in a read-only editor that closes without a question. */
export class DoctorReport implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #text = '';

  readonly onDidChange = this.#changes.event;

  provideTextDocumentContent(): string {
    return this.#text;
  }

  /** Shows the report in the tab of the last one, or beside the user's editors. */
  async show(text: string): Promise<void> {
    this.#text = text;
    this.#changes.fire(REPORT);
    const tab = allTabs(vscode).find((one) => uriOf(one)?.toString() === REPORT.toString());
    const place = tab ? { viewColumn: tab.group.viewColumn } : quietPlace(vscode);
    await vscode.window.showTextDocument(REPORT, { ...place, preserveFocus: false });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changes.dispose();
  }
}
