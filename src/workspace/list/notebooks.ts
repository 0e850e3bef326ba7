import type * as vscode from 'vscode';
import { within } from '../../util/clock.ts';

/** How long somebody waits to hear whether there are notebooks, in milliseconds. */
const SEARCH = 1_000;

/** Whether the workspace has notebooks, or had one in this session: one that goes makes no difference. */
export interface Notebooks {
  has(): boolean;
  /** Searches, the first time. Resolves when it is known, or that takes too long. */
  known(): Promise<void>;
  /** Resolves when that is known to somebody who has asked. */
  readonly soonKnown: Promise<void>;
  /** Calls the listener when there may be some now, and when that is known. */
  watch(listener: () => void): vscode.Disposable;
  dispose(): void;
}

export function notebooksIn({ workspace, Disposable }: typeof vscode): Notebooks {
  const watcher = workspace.createFileSystemWatcher('**/*.ipynb', false, true, true);
  let isFound = workspace.notebookDocuments.length > 0;
  const found = () => {
    isFound = true;
  };
  const search = async () => {
    const all = await workspace.findFiles('**/*.ipynb', undefined, 1);
    isFound ||= all.length > 0;
  };
  // Not before somebody asks: the first answers of a window that has just opened need the processor.
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const searched = asked.then(search).catch(found);
  const soonKnown = asked.then(() => within(searched, SEARCH, undefined));
  const listen = (listener: () => void) =>
    Disposable.from(watcher.onDidCreate(listener), workspace.onDidOpenNotebookDocument(listener));
  const listening = Disposable.from(watcher, listen(found));
  return {
    has: () => isFound,
    known() {
      ask();
      return soonKnown;
    },
    soonKnown,
    watch(listener) {
      void searched.then(listener);
      return listen(listener);
    },
    dispose: () => void listening.dispose(),
  };
}
