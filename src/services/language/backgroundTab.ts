import type * as vscode from 'vscode';
import { withDeadline } from '../../util/deadline.ts';
import { allTabs } from '../../util/tabs.ts';
import { isTypeScript, TYPESCRIPT } from './checkers.ts';

/** The tabs that show a document. */
export const tabsOf = (code: typeof vscode, uri: vscode.Uri): vscode.Tab[] =>
  allTabs(code).filter(
    ({ input }) => (input as { uri?: vscode.Uri } | undefined)?.uri?.toString() === uri.toString(),
  );

/**
 * Opens a background tab, for language servers that check only files in tabs. The user's active editor does not change. The tab
 * is closed afterwards, unless the user has started to use it.
 */
export async function withBackgroundTab<T>(
  code: typeof vscode,
  uri: vscode.Uri,
  run: () => Promise<T>,
): Promise<T> {
  const options = { background: true, preserveFocus: true, preview: false };
  const hadNone = code.window.tabGroups.activeTabGroup.activeTab === undefined;
  await withDeadline(code.commands.executeCommand('vscode.open', uri, options), `opening ${uri.path}`);
  try {
    return await run();
  } finally {
    // In an empty group even a background tab becomes active. Otherwise, if it is active, the user selected it.
    const ours = tabsOf(code, uri).filter((tab) => !tab.isDirty && (hadNone || !tab.isActive));
    await withDeadline(code.window.tabGroups.close(ours, true), `closing ${uri.path}`).catch(() => {});
    await takeBackReports(code, uri);
  }
}

/**
 * Takes the problems that VS Code's TypeScript extension has reported of a file that no tab shows out of the user's list. It keeps
 * them, though the text changes, until VS Code unloads the text some minutes later. A text in another language is another one to it.
 */
export async function takeBackReports(code: typeof vscode, uri: vscode.Uri): Promise<void> {
  const { languages, workspace } = code;
  const document = workspace.textDocuments.find((one) => !one.isClosed && `${one.uri}` === `${uri}`);
  const isShown = code.window.visibleTextEditors.some((editor) => editor.document === document); // in a diff
  if (!document || isShown || tabsOf(code, uri).length > 0 || !isTypeScript(document.languageId)) return;
  if (!languages.getDiagnostics(uri).some(({ source }) => source === TYPESCRIPT)) return;
  const { languageId } = document;
  const change = async () => {
    const other = await languages.setTextDocumentLanguage(document, 'plaintext');
    await languages.setTextDocumentLanguage(other, languageId);
  };
  await withDeadline(change(), `updating the problems of ${uri.path}`).catch(() => {});
}
