import type * as vscode from 'vscode';
import { clock } from '../../util/clock.ts';
import { debounce, Emitter } from '../../util/events.ts';
import type { Log } from '../../util/log.ts';
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
export class FileWatcher {
  readonly #code: typeof vscode;
  readonly #listing: Listing;
  readonly #log: Log;
  readonly #lists = new Emitter<readonly ListedFile[] | undefined>();
  readonly #contents = new Emitter<vscode.Uri>();
  readonly #changed = new Map<string, vscode.Uri>();
  #subscriptions: { dispose(): unknown }[] = [];
  /** The folders or the policy changed: agents see another list even if the files are the same. */
  #surelyDiffers = false;
  /** Time of the last comparison. */
  #comparedAt = Number.NEGATIVE_INFINITY;
  /** The list at the last comparison, during a large burst of changes. */
  #filling: FileList | undefined;

  constructor(code: typeof vscode, listing: Listing, log: Log) {
    this.#code = code;
    this.#listing = listing;
    this.#log = log;
  }

  /** @param listener gets the files that came or went; undefined if the folders or the policy changed */
  onList(listener: (differing: readonly ListedFile[] | undefined) => void): vscode.Disposable {
    return this.#listen(this.#lists, listener);
  }

  onContent(listener: (uri: vscode.Uri) => void): vscode.Disposable {
    return this.#listen(this.#contents, listener);
  }

  /** Call before listing: VS Code reports no changes of files that its settings exclude from watching. */
  outdateUnwatched(): void {
    if (!this.#listing.known || clock.now() - this.#listing.madeAt < UNWATCHED_AGE) return;
    const own = this.#code.workspace.getConfiguration('files', null).inspect('watcherExclude');
    if (own?.globalValue || own?.workspaceValue || own?.workspaceFolderValue) this.#outdate();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#subscriptions = [];
    this.#changed.clear();
    this.#filling = undefined;
    this.#listing.forget();
  }

  #listen<T>(emitter: Emitter<T>, listener: (event: T) => void): vscode.Disposable {
    if (!this.#isHeard) {
      this.#listing.forget();
      this.#subscriptions = [...this.#watchFiles(), ...this.#watchEditor()];
    }
    const listening = emitter.listen(listener);
    return new this.#code.Disposable(() => {
      listening.dispose();
      if (!this.#isHeard) this.dispose();
    });
  }

  get #isHeard(): boolean {
    return !this.#lists.isEmpty || !this.#contents.isEmpty;
  }

  #watchFiles(): vscode.Disposable[] {
    const watcher = this.#code.workspace.createFileSystemWatcher('**/*');
    const comesOrGoes = (uri: vscode.Uri) => {
      this.#contentDiffers(uri);
      if (IGNORE_RULES.test(uri.path) || !IN_REPOSITORY.test(uri.path)) this.#outdate();
    };
    return [
      watcher,
      watcher.onDidCreate(comesOrGoes),
      watcher.onDidDelete(comesOrGoes),
      watcher.onDidChange((uri) => {
        this.#contentDiffers(uri);
        if (IGNORE_RULES.test(uri.path)) this.#outdate();
      }),
    ];
  }

  #watchEditor(): vscode.Disposable[] {
    const { workspace } = this.#code;
    return [
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#contentDiffers(document.uri);
      }),
      // Each notebook cell has its own text document.
      workspace.onDidChangeNotebookDocument(({ notebook }) => this.#contentDiffers(notebook.uri)),
      // The watcher may not report a saved file.
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (IGNORE_RULES.test(uri.path) || !this.#listing.known?.has(uri.toString())) this.#outdate();
      }),
      // An agent that moves a folder may list it before the watcher reports.
      workspace.onDidRenameFiles(() => this.#outdate()),
      workspace.onDidChangeWorkspaceFolders(() => this.#outdate(true)),
      workspace.onDidChangeConfiguration((event) => {
        const isSure = event.affectsConfiguration('workspaceMcp.access');
        const excludes = ['files.exclude', 'search.exclude'].some((key) => event.affectsConfiguration(key));
        if (isSure || excludes) this.#outdate(isSure);
      }),
    ];
  }

  #contentDiffers(uri: vscode.Uri): void {
    this.#changed.set(uri.toString(), uri);
    this.#reportSoon();
  }

  readonly #reportSoon = debounce(() => {
    const uris = [...this.#changed.values()];
    this.#changed.clear();
    for (const uri of uris) this.#contents.fire(uri);
  }, CONTENT_QUIET);

  #outdate(isSure = false): void {
    this.#surelyDiffers ||= isSure;
    this.#listing.touch();
    this.#compareSoon();
  }

  readonly #compareSoon = debounce(
    () => void this.#compare(),
    () => ({ quiet: Math.max(LIST_QUIET, this.#comparedAt + LIST_PAUSE - clock.now()), atMost: LIST_PAUSE }),
  );

  async #compare(): Promise<void> {
    this.#comparedAt = clock.now();
    if (this.#filling) this.#listing.touch(); // an agent may have listed since
    try {
      if (this.#listing.isUsed) await this.#listing.files();
    } catch (error) {
      this.#log.warn((error as Error).message);
    }
    if (!this.#isHeard) return; // the last listener was removed meanwhile
    if (this.#surelyDiffers || !this.#isStillFilling()) this.#reportList();
  }

  /**
   * Whether a large burst of changes is running: agents are notified after it ends. The list is rebuilt then even without
   * events, because VS Code drops those after about 30,000.
   */
  #isStillFilling(): boolean {
    const { known, reported } = this.#listing;
    const before = this.#filling ?? reported;
    const count = known && before ? known.differencesFrom(before).length : 0;
    const goesOn = count >= MANY || (this.#filling !== undefined && count > 0);
    this.#filling = goesOn ? known : undefined;
    if (goesOn) this.#outdate();
    return count >= MANY;
  }

  #reportList(): void {
    const isSure = this.#surelyDiffers;
    this.#surelyDiffers = false;
    const differing = this.#listing.differences();
    if (isSure || differing.length > 0) this.#lists.fire(isSure ? undefined : differing);
  }
}
