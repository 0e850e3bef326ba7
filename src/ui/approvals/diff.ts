import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../access/approvals.ts';

/** The scheme of the two texts of a diff; package.json shows the buttons by it. */
export const DIFF_SCHEME = 'workspace-mcp-diff';

/** Serves the texts of the diffs that are shown; they are kept no longer than that. */
export class DiffTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /** Shows what would change beside nothing else: the keyboard stays where it is. */
  async show(
    { uri, before, after }: NonNullable<ApprovalRequest['diff']>,
    title: string,
    questionId: number,
  ): Promise<vscode.Disposable> {
    const id = `${questionId}.${++this.#count}`;
    const left = uri.with({ scheme: DIFF_SCHEME, authority: '', query: `${id}-before` });
    const right = uri.with({ scheme: DIFF_SCHEME, authority: '', query: `${id}-after` });
    this.#texts.set(left.toString(), before);
    this.#texts.set(right.toString(), after);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preserveFocus: true,
      preview: true,
    });
    return new vscode.Disposable(() => {
      this.#texts.delete(left.toString());
      this.#texts.delete(right.toString());
      void closeTab(right);
    });
  }
}

/** The question that a text of a diff belongs to; undefined for any other text. */
export const questionIdOf = ({ scheme, query }: vscode.Uri): number | undefined =>
  scheme === DIFF_SCHEME ? Number.parseInt(query, 10) : undefined;

async function closeTab(right: vscode.Uri): Promise<void> {
  const wanted = right.toString();
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === wanted);
  await vscode.window.tabGroups.close(tabs, true);
}
