/** Reads tabs; shared by the tools and by the questions to the user, which open tabs. */
import type * as vscode from 'vscode';

/** The URI scheme of both sides of a question's diff; package.json shows the buttons by it. */
export const DIFF_SCHEME = 'workspace-mcp-diff';

/** The URI scheme of both sides of a proposal; package.json shows its buttons by it. */
export const PROPOSAL_SCHEME = 'workspace-mcp-proposal';

/** The URI of a tab; of a diff or merge, the editable side; undefined if the tab has none. */
export function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const { uri, modified, result } = (input ?? {}) as { [side in 'uri' | 'modified' | 'result']?: vscode.Uri };
  return modified ?? result ?? uri;
}

export const allTabs = ({ window }: typeof vscode): vscode.Tab[] =>
  window.tabGroups.all.flatMap((group) => group.tabs);

/** View type of the webview of a question. */
export const QUESTION_TYPE = 'workspaceMcp.question';

/** Whether a tab is the webview of a question; VS Code adds a prefix to the view type. */
export const isQuestion = ({ input }: vscode.Tab): boolean =>
  ((input ?? {}) as { viewType?: string }).viewType?.endsWith(QUESTION_TYPE) === true;

/** Whether a tab belongs to a question or proposal, so the user did not open it. */
export const isOurs = (tab: vscode.Tab): boolean =>
  isQuestion(tab) || [DIFF_SCHEME, PROPOSAL_SCHEME].includes(uriOf(tab)?.scheme ?? '');

/**
 * Where to show editors that the user did not ask for: beside the active one. So the editor in which they may be typing keeps
 * the focus and stays visible, and no preview tab is replaced.
 */
export function quietPlace({ window, ViewColumn }: typeof vscode): vscode.TextDocumentShowOptions {
  const isEmpty = window.tabGroups.activeTabGroup.activeTab === undefined;
  const viewColumn = isEmpty ? ViewColumn.Active : ViewColumn.Beside;
  return { viewColumn, preserveFocus: true, preview: false };
}
