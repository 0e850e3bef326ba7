/** What tabs show, as all see it who look at them: the tools, and the questions that open one. */
import type * as vscode from 'vscode';

/** The scheme of the two texts of the diff of a question; package.json shows the buttons by it. */
export const DIFF_SCHEME = 'workspace-mcp-diff';

/** What a tab shows: of a diff or a merge, the side that can be edited; undefined where that is no file. */
export function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const { uri, modified, result } = (input ?? {}) as { [side in 'uri' | 'modified' | 'result']?: vscode.Uri };
  return modified ?? result ?? uri;
}

export const allTabs = ({ window }: typeof vscode): vscode.Tab[] =>
  window.tabGroups.all.flatMap((group) => group.tabs);

/** The type of the page of a question. */
export const QUESTION_TYPE = 'workspaceMcp.question';

/** Whether it is the page of a question; VS Code puts something before its type. */
export const isQuestion = ({ input }: vscode.Tab): boolean =>
  ((input ?? {}) as { viewType?: string }).viewType?.endsWith(QUESTION_TYPE) === true;

/** Whether it is of a question: nothing that the person has opened. */
export const isOurs = (tab: vscode.Tab): boolean => isQuestion(tab) || uriOf(tab)?.scheme === DIFF_SCHEME;

/**
 * Where to show what the person has not asked for: beside what they have open, so that the editor they may be typing in
 * keeps the keyboard and its place in front. There it takes nobody's preview tab.
 */
export function quietPlace({ window, ViewColumn }: typeof vscode): vscode.TextDocumentShowOptions {
  const isEmpty = window.tabGroups.activeTabGroup.activeTab === undefined;
  const viewColumn = isEmpty ? ViewColumn.Active : ViewColumn.Beside;
  return { viewColumn, preserveFocus: true, preview: false };
}
