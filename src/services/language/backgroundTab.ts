import type * as vscode from 'vscode';
import { withDeadline } from '../../util/deadline.ts';
import { allTabs } from '../../util/tabs.ts';

/** The tabs that show a document's text. */
export const tabsOf = (code: typeof vscode, uri: vscode.Uri): vscode.Tab[] =>
  allTabs(code).filter(
    ({ input }) => (input as { uri?: vscode.Uri } | undefined)?.uri?.toString() === uri.toString(),
  );

/**
 * Opens a tab behind the one that the person sees, for language servers that look only at what is in a tab; nothing they
 * see or type into changes. It is closed again unless they have taken it up meanwhile.
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
    // In an empty group even a background tab is in front; elsewhere one in front is one that the person chose.
    const ours = tabsOf(code, uri).filter((tab) => !tab.isDirty && (hadNone || !tab.isActive));
    await withDeadline(code.window.tabGroups.close(ours, true), `closing ${uri.path}`).catch(() => {});
  }
}
