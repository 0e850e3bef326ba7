import type * as vscode from 'vscode';

/** Settings that decide about servers. */
const SECTIONS = ['workspaceMcp.servers', 'workspaceMcp.hosting', 'chat.mcp'];

/** Calls back when a definition in the workspace or a setting about servers may have changed. */
export function watchSources(
  { workspace, Disposable }: Pick<typeof vscode, 'workspace' | 'Disposable'>,
  onChange: () => void,
): vscode.Disposable {
  const watcher = workspace.createFileSystemWatcher('**/{.mcp.json,.vscode/mcp.json}');
  return Disposable.from(
    watcher,
    watcher.onDidChange(onChange),
    watcher.onDidCreate(onChange),
    watcher.onDidDelete(onChange),
    workspace.onDidChangeConfiguration((event) => {
      if (SECTIONS.some((section) => event.affectsConfiguration(section))) onChange();
    }),
  );
}
