import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import type { Log } from '../../util/log.ts';
import { debounce, Emitter } from '../../util/turns.ts';
import type { FileList } from './fileList.ts';
import type { ListedFile } from './listedFile.ts';
import type { Listing } from './listing.ts';

/** Quiet time after a change before agents are notified, in milliseconds: of content changes and of list changes. */
const CONTENT_QUIET = 100;
const LIST_QUIET = 300;
/** Time between two comparisons of lists, in milliseconds. */
const LIST_PAUSE = 2_000;
/** Files that come or go between two comparisons if a checkout or similar is running. */
const MANY = 200;
/** Age in milliseconds after which the list is rebuilt if settings exclude files from watching. */
const UNWATCHED_AGE = 30_000;

/** Files whose content decides which other files are listed. */
const IGNORE_RULES = /\/(\.gitignore|\.ignore|\.rgignore|\.git|\.git\/info\/exclude)$/;
const IN_REPOSITORY = /\/\.git\//;

/**
 * Watches all files of the window while there are listeners. A created or deleted file invalidates the list. If a list was
 * ever requested, it is rebuilt after a burst of changes, and listeners are notified if it differs.
 */
export function fileWatcher({ workspace, Disposable }: typeof vscode, listing: Listing, log: Log) {
  const lists = new Emitter<readonly ListedFile[] | undefined>();
  const contents = new Emitter<vscode.Uri>();
  let subscriptions: { dispose(): unknown }[] = [];
  const changed = new Map<string, vscode.Uri>();
  /** The folders or the policy changed: agents see another list even if the files are the same. */
  let surelyDiffers = false;
  /** Time of the last comparison. */
  let comparedAt = Number.NEGATIVE_INFINITY;
  /** The list at the last comparison, during a large burst of changes. */
  let filling: FileList | undefined;
  const compareSoon = debounce(
    () => void compare(),
    () => ({ quiet: Math.max(LIST_QUIET, comparedAt + LIST_PAUSE - clock.now()), atMost: LIST_PAUSE }),
  );
  const tellSoon = debounce(() => {
    const uris = [...changed.values()];
    changed.clear();
    for (const uri of uris) contents.fire(uri);
  }, CONTENT_QUIET);

  const isHeard = (): boolean => !lists.isEmpty || !contents.isEmpty;

  function outdate(isSure = false): void {
    surelyDiffers ||= isSure;
    listing.touch();
    compareSoon();
  }

  function contentDiffers(uri: vscode.Uri): void {
    changed.set(uri.toString(), uri);
    tellSoon();
  }

  async function compare(): Promise<void> {
    comparedAt = clock.now();
    if (filling) listing.touch(); // an agent may have listed since
    try {
      if (listing.isUsed) await listing.files();
    } catch (error) {
      log.warn((error as Error).message);
    }
    if (!isHeard()) return; // the last listener was removed meanwhile
    if (surelyDiffers || !isStillFilling()) tellList();
  }

  /**
   * Whether a large burst of changes is running: agents are notified after it ends. The list is rebuilt then even without
   * events, because VS Code drops those after about 30,000.
   */
  function isStillFilling(): boolean {
    const { known, told } = listing;
    const before = filling ?? told;
    const count = known && before ? known.differencesFrom(before).length : 0;
    const goesOn = count >= MANY || (filling !== undefined && count > 0);
    filling = goesOn ? known : undefined;
    if (goesOn) outdate();
    return count >= MANY;
  }

  function tellList(): void {
    const isSure = surelyDiffers;
    surelyDiffers = false;
    const differing = listing.differences();
    if (isSure || differing.length > 0) lists.fire(isSure ? undefined : differing);
  }

  function watchFiles(): vscode.Disposable[] {
    const watcher = workspace.createFileSystemWatcher('**/*');
    const comesOrGoes = (uri: vscode.Uri) => {
      contentDiffers(uri);
      if (IGNORE_RULES.test(uri.path) || !IN_REPOSITORY.test(uri.path)) outdate();
    };
    return [
      watcher,
      watcher.onDidCreate(comesOrGoes),
      watcher.onDidDelete(comesOrGoes),
      watcher.onDidChange((uri) => {
        contentDiffers(uri);
        if (IGNORE_RULES.test(uri.path)) outdate();
      }),
    ];
  }

  const watchEditor = (): vscode.Disposable[] => [
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) contentDiffers(document.uri);
    }),
    // Each notebook cell has its own text document.
    workspace.onDidChangeNotebookDocument(({ notebook }) => contentDiffers(notebook.uri)),
    // The watcher may not report a saved file.
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (IGNORE_RULES.test(uri.path) || !listing.known?.has(uri.toString())) outdate();
    }),
    workspace.onDidChangeWorkspaceFolders(() => outdate(true)),
    workspace.onDidChangeConfiguration((event) => {
      const isSure = event.affectsConfiguration('workspaceMcp.access');
      const excludes = ['files.exclude', 'search.exclude'].some((key) => event.affectsConfiguration(key));
      if (isSure || excludes) outdate(isSure);
    }),
  ];

  function dispose(): void {
    for (const subscription of subscriptions) subscription.dispose();
    subscriptions = [];
    changed.clear();
    filling = undefined;
    listing.forget();
  }

  function listen<T>(emitter: Emitter<T>, listener: (event: T) => void): vscode.Disposable {
    if (!isHeard()) {
      listing.forget();
      subscriptions = [...watchFiles(), ...watchEditor()];
    }
    const listening = emitter.listen(listener);
    return new Disposable(() => {
      listening.dispose();
      if (!isHeard()) dispose();
    });
  }

  return {
    dispose,
    /** @param listener gets the files that came or went; undefined if the folders or the policy changed */
    onList: (listener: (differing: readonly ListedFile[] | undefined) => void) => listen(lists, listener),
    onContent: (listener: (uri: vscode.Uri) => void) => listen(contents, listener),
    /** Call before listing: VS Code reports no changes of files that its settings exclude from watching. */
    outdateUnwatched(): void {
      if (!listing.known || clock.now() - listing.madeAt < UNWATCHED_AGE) return;
      const own = workspace.getConfiguration('files', null).inspect('watcherExclude');
      if (own?.globalValue || own?.workspaceValue || own?.workspaceFolderValue) outdate();
    },
  };
}
