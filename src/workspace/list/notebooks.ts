import type * as vscode from 'vscode';
import { within } from '../../util/clock.ts';

/** How long somebody waits to hear whether there are notebooks, in milliseconds. */
const SEARCH = 1_000;

/** Whether the workspace has notebooks, or had one in this session: one that goes makes no difference. */
export function notebooksIn({ workspace, Disposable }: typeof vscode) {
  const watcher = workspace.createFileSystemWatcher('**/*.ipynb', false, true, true);
  let isFound = workspace.notebookDocuments.length > 0;
  const found = () => {
    isFound = true;
  };
  const search = async () => {
    const all = await workspace.findFiles('**/*.ipynb', undefined, 1);
    isFound ||= all.length > 0;
  };
  const searched = search().catch(found);
  const listen = (listener: () => void) =>
    Disposable.from(watcher.onDidCreate(listener), workspace.onDidOpenNotebookDocument(listener));
  const listening = Disposable.from(watcher, listen(found));
  return {
    has: () => isFound,
    /** Resolves when that is known, or takes too long. */
    known: within(searched, SEARCH, undefined),
    /** Calls the listener when there may be some now, and when that is known. */
    watch(listener: () => void): vscode.Disposable {
      void searched.then(listener);
      return listen(listener);
    },
    dispose: () => void listening.dispose(),
  };
}
