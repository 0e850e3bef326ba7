import type * as vscode from 'vscode';
import { debounce } from '../../util/debounce.ts';
import type { Log } from '../../util/log.ts';
import { Storm } from './burst.ts';
import type { ListedFile } from './listedFile.ts';
import type { Listing } from './listing.ts';
import { MOST_RECENT, RecentFiles } from './recentFiles.ts';

/** Quiet time after a change before agents hear of it, in milliseconds. */
const CONTENT_QUIET = 100;
/** From the first agent's coming until the list is made, unless it is asked for: some only look who is there. */
const BUILD_PAUSE = 200;

/** Age of a list of what VS Code may not watch, in milliseconds, from which on it is made anew behind an answer. */
const UNWATCHED_AGE = 30_000;

/** Files whose content says which others are listed. */
const IGNORE_RULES = /\/(\.gitignore|\.ignore|\.rgignore|\.git|\.git\/HEAD|\.git\/info\/exclude)$/;
const IN_REPOSITORY = /\/\.git\//;

/** @param differing files that came or went; undefined where the folders or the policy did */
type ListListener = (differing: readonly ListedFile[] | undefined) => void;
type ContentListener = (uri: vscode.Uri) => void;

/**
 * Files that come, go and change, watched once for the window while anybody listens. VS Code's watcher tells of every
 * file, ignored ones too: the list is brought up to date after a burst, and agents hear of it only where it is another one.
 */
export class Changes {
  readonly recent = new RecentFiles();
  readonly #vscode: typeof vscode;
  readonly #listing: Listing;
  readonly #log: Log;
  readonly #onList = new Set<ListListener>();
  readonly #onContent = new Set<ContentListener>();
  #subscriptions: { dispose(): unknown }[] = [];
  readonly #changed = new Map<string, vscode.Uri>();
  /** What agents see differs whatever the list says: other folders, another policy. */
  #surelyDiffers = false;
  readonly #storm = new Storm();
  #settleSoon: () => void = () => {};
  #tellSoon: () => void = () => {};

  constructor(code: typeof vscode, listing: Listing, log: Log) {
    this.#vscode = code;
    this.#listing = listing;
    this.#log = log;
  }

  listen(onList: ListListener, onContent: ContentListener): vscode.Disposable {
    if (this.#onList.size === 0) this.#start();
    this.#onList.add(onList);
    this.#onContent.add(onContent);
    return new this.#vscode.Disposable(() => {
      this.#onList.delete(onList);
      this.#onContent.delete(onContent);
      if (this.#onList.size === 0) this.dispose();
    });
  }

  /** Somebody was given the list. Of what settings keep VS Code from watching nobody tells. */
  given(): void {
    if (this.#onList.size === 0 || Date.now() - this.#listing.madeAt < UNWATCHED_AGE) return;
    const { inspect } = this.#vscode.workspace.getConfiguration('files', null);
    const own = inspect('watcherExclude');
    if (!own?.globalValue && !own?.workspaceValue && !own?.workspaceFolderValue) return;
    this.#listing.outdate();
    this.#settleSoon();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#subscriptions = [];
    this.#changed.clear();
    this.#storm.end();
    this.recent.clear();
    this.#listing.restart();
  }

  #start(): void {
    this.#listing.restart();
    const pause = () => this.#storm.pause(this.#listing.isStormy);
    const settleSoon = debounce(() => void this.#settle(), pause);
    const tellSoon = debounce(() => this.#tellContent(), CONTENT_QUIET);
    const build = setTimeout(() => void this.#build(), BUILD_PAUSE);
    this.#settleSoon = settleSoon;
    this.#tellSoon = tellSoon;
    this.#subscriptions = [
      settleSoon,
      tellSoon,
      { dispose: () => clearTimeout(build) },
      ...this.#watchFiles(),
      ...this.#watchEditor(),
    ];
  }

  async #build(): Promise<void> {
    await this.#listing.files().catch((error: Error) => this.#log.warn(error.message));
  }

  #watchFiles(): vscode.Disposable[] {
    const watcher = this.#vscode.workspace.createFileSystemWatcher('**/*');
    const comesOrGoes = (uri: vscode.Uri) => {
      this.#contentDiffers(uri);
      this.#mayComeOrGo(uri);
    };
    return [
      watcher,
      watcher.onDidCreate(comesOrGoes),
      watcher.onDidDelete(comesOrGoes),
      watcher.onDidChange((uri) => {
        this.#contentDiffers(uri);
        if (IGNORE_RULES.test(uri.path)) this.#othersCount(uri);
      }),
    ];
  }

  #watchEditor(): vscode.Disposable[] {
    const { workspace } = this.#vscode;
    return [
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#contentDiffers(document.uri);
      }),
      // The text of a cell is another document's.
      workspace.onDidChangeNotebookDocument(({ notebook }) => this.#contentDiffers(notebook.uri)),
      // Also of what the settings keep VS Code from watching, and what no watcher tells of.
      workspace.onDidSaveTextDocument(({ uri }) => {
        const key = uri.toString();
        const isListed = this.#listing.known?.has(key) === true;
        if (isListed) this.recent.add(key);
        if (!isListed || IGNORE_RULES.test(uri.path)) this.#mayComeOrGo(uri);
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#surelyDiffers = true;
        this.#listing.forget();
        this.#settleSoon();
      }),
      workspace.onDidChangeConfiguration((event) => {
        const access = event.affectsConfiguration('workspaceMcp.access');
        const excludes = ['files.exclude', 'search.exclude'].some((key) => event.affectsConfiguration(key));
        if (access) this.#surelyDiffers = true;
        if (excludes) this.#listing.forget();
        if (access || excludes) this.#settleSoon();
      }),
    ];
  }

  #mayComeOrGo(uri: vscode.Uri): void {
    if (IGNORE_RULES.test(uri.path)) this.#othersCount(uri);
    else if (!IN_REPOSITORY.test(uri.path)) {
      this.#listing.touch(uri);
      this.#settleSoon();
    }
  }

  #othersCount(uri: vscode.Uri): void {
    if (uri.path.endsWith('/HEAD')) this.#storm.begin(); // of a checkout
    this.#listing.outdate();
    this.#settleSoon();
  }

  #contentDiffers(uri: vscode.Uri): void {
    const key = uri.toString();
    if (this.#listing.known?.has(key)) this.recent.add(key);
    this.#changed.set(key, uri);
    this.#tellSoon();
  }

  async #settle(): Promise<void> {
    const { isStormy } = this.#listing;
    try {
      await this.#listing.files(); // the first one may still be made
      await this.#listing.settle();
    } catch (error) {
      this.#log.warn((error as Error).message);
    }
    if (this.#onList.size === 0) return; // they went meanwhile
    if (isStormy) this.#storm.begin();
    if (!this.#surelyDiffers && this.#storm.goesOn(this.#listing.known, this.#listing.told)) {
      this.#listing.outdate();
      this.#settleSoon();
    } else this.#tellList();
  }

  #tellList(): void {
    this.#storm.end();
    const surelyDiffers = this.#surelyDiffers;
    this.#surelyDiffers = false;
    const differing = this.#listing.differences();
    for (const { key } of differing.slice(-MOST_RECENT))
      if (this.#listing.known?.has(key)) this.recent.add(key);
    if (!surelyDiffers && differing.length === 0) return;
    for (const listener of this.#onList) listener(surelyDiffers ? undefined : differing);
  }

  #tellContent(): void {
    const uris = [...this.#changed.values()];
    this.#changed.clear();
    for (const uri of uris) for (const listener of this.#onContent) listener(uri);
  }
}
