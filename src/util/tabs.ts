/** Reads tabs; shared by the tools and by the questions to the user, which open tabs. */
import type * as vscode from 'vscode';

/** The URI scheme of both sides of a question's diff; package.json shows the buttons by it. */
export const DIFF_SCHEME = 'workspace-mcp-diff';

/** The URI scheme of texts beside which the user reviews agents' changes. */
export const REVIEW_SCHEME = 'workspace-mcp-review';
/** The URI scheme of both sides of a proposal; package.json shows its buttons by it. */
export const PROPOSAL_SCHEME = 'workspace-mcp-proposal';

const SCHEMES = [DIFF_SCHEME, REVIEW_SCHEME, PROPOSAL_SCHEME];

/** The URI of a tab; of a diff or merge, the editable side; undefined if the tab has none. */
export function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const { uri, modified, result } = (input ?? {}) as { [side in 'uri' | 'modified' | 'result']?: vscode.Uri };
  return modified ?? result ?? uri;
}

export function allTabs({ window }: typeof vscode): vscode.Tab[] {
  const tabs: vscode.Tab[] = [];
  for (const group of window.tabGroups.all) tabs.push(...group.tabs);
  return tabs;
}

/**
 * Call it before texts are changed: VS Code opens a tab for each that no tab shows, if it stays unsaved for a second.
 *
 * @returns closes those that have come and are saved, unless one is in front
 */
export function tabsToCome(code: typeof vscode, uris: readonly vscode.Uri[]): () => Promise<void> {
  const names = new Set(uris.map(String));
  for (const tab of allTabs(code)) names.delete(`${uriOf(tab)}`);
  return async () => {
    const came = allTabs(code).filter((tab) => names.has(`${uriOf(tab)}`) && !tab.isDirty && !tab.isActive);
    if (came.length > 0) await Promise.resolve(code.window.tabGroups.close(came, true)).catch(() => {}); // the user was quicker
  };
}

/** View type of the webview of a question. */
export const QUESTION_TYPE = 'workspaceMcp.question';

/** Whether a tab is the webview of a question; VS Code adds a prefix to the view type. */
export const isQuestion = ({ input }: vscode.Tab): boolean =>
  ((input ?? {}) as { viewType?: string }).viewType?.endsWith(QUESTION_TYPE) === true;

/** Whether a tab is one of ours, such as a question: agents are not told about it, and nothing covers it. */
export const isOurs = (tab: vscode.Tab): boolean =>
  isQuestion(tab) || SCHEMES.includes(uriOf(tab)?.scheme ?? '');

/**
 * Where to show editors that the user did not ask for: beside the active one. So the editor in which they may be typing keeps
 * the focus and stays visible, and no preview tab is replaced.
 */
export function quietPlace({ window, ViewColumn }: typeof vscode): vscode.TextDocumentShowOptions {
  const isEmpty = window.tabGroups.activeTabGroup.activeTab === undefined;
  const viewColumn = isEmpty ? ViewColumn.Active : ViewColumn.Beside;
  return { viewColumn, preserveFocus: true, preview: false };
}

/**
 * Shows a file without taking the focus: where it is visible already, or beside the active editor, behind a tab of ours that is
 * in sight.
 *
 * @param selection to reveal and select
 * @param preview the next file may replace the tab
 */
export async function showQuietly(
  code: typeof vscode,
  uri: vscode.Uri,
  selection?: vscode.Range,
  { preview = false } = {},
): Promise<void> {
  if (isShown(uri, selection, code)) return;
  const background = code.window.tabGroups.all.some(({ activeTab }) => activeTab && isOurs(activeTab));
  const options = { ...quietPlace(code), preview, background, ...(selection && { selection }) };
  await code.commands.executeCommand('vscode.open', uri, options);
}

/** True if the file is already visible; the selection is then revealed. */
function isShown(uri: vscode.Uri, selection: vscode.Range | undefined, code: typeof vscode): boolean {
  const { activeTextEditor, tabGroups, visibleTextEditors } = code.window;
  const wanted = uri.toString();
  // An editor inside a diff has no viewColumn.
  const editor = visibleTextEditors.find(
    ({ document, viewColumn }) => viewColumn !== undefined && document.uri.toString() === wanted,
  );
  if (!editor)
    return tabGroups.all.some(({ activeTab }) => activeTab && uriOf(activeTab)?.toString() === wanted);
  if (!selection) return true;
  // The user may be typing in the active editor: leave its cursor alone.
  if (editor !== activeTextEditor) editor.selection = new code.Selection(selection.start, selection.end);
  editor.revealRange(selection, code.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}
