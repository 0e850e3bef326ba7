import * as vscode from 'vscode';
import { allTabs, quietPlace, uriOf } from '../../util/tabs.ts';

const SCHEME = 'workspace-mcp-doctor';
const REPORT = vscode.Uri.from({ scheme: SCHEME, path: '/Workspace MCP Doctor.txt' });

/** The last report of the doctor, in an editor that cannot be changed and asks nothing when it is closed. */
export class DoctorReport implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  #text = '';

  readonly onDidChange = this.#changes.event;

  provideTextDocumentContent(): string {
    return this.#text;
  }

  /** Shows it where the last one is, or else beside what the person has open. */
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
