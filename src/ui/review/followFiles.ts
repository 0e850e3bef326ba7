import * as vscode from 'vscode';
import { debounce } from '../../util/events.ts';
import type { ChangedFiles } from './changedFiles.ts';
import { lookAgain } from './present.ts';

/** Milliseconds without a change before files are looked at. */
const PAUSE = 300;

/** Looks again at files that Git, another program or the user has changed: nothing of an agent's changes may be left there. */
export function followFiles(changed: ChangedFiles): vscode.Disposable {
  const due = new Map<string, vscode.Uri>();
  const look = debounce(() => {
    const uris = [...due.values()];
    due.clear();
    for (const uri of uris) lookAgain(changed, { uri }).catch(() => {}); // it has gone
  }, PAUSE);
  const note = (uri: vscode.Uri) => {
    if (!changed.get(uri)) return;
    due.set(uri.toString(), uri);
    look();
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  return vscode.Disposable.from(
    ...[watcher, look, watcher.onDidChange(note), watcher.onDidCreate(note), watcher.onDidDelete(note)],
    // Without changes of the text it is saved or reverted.
    vscode.workspace.onDidChangeTextDocument(({ document }) => note(document.uri)),
  );
}
