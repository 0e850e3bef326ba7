import type * as vscode from 'vscode';
import { debounce } from '../../util/debounce.ts';
import { Emitter } from '../../util/emitter.ts';
import type { Log } from '../../util/log.ts';
import type { FileList } from './fileList.ts';
import type { ListedFile } from './listedFile.ts';
import type { Listing } from './listing.ts';

/** Quiet time after a change before agents are told, in milliseconds: of a file's content, and of the list. */
const CONTENT_QUIET = 100;
const LIST_QUIET = 300;
/** From one comparison of lists to the next, in milliseconds. */
const LIST_PAUSE = 2_000;
/** Files that come or go between two comparisons while a checkout or the like is under way. */
const MANY = 200;
/** Age of the list, in milliseconds, from which on it is made again if settings keep VS Code from watching. */
const UNWATCHED_AGE = 30_000;

/** Files whose content decides which others are listed. */
const IGNORE_RULES = /\/(\.gitignore|\.ignore|\.rgignore|\.git|\.git\/info\/exclude)$/;
const IN_REPOSITORY = /\/\.git\//;

/**
 * Watches all files of the window, once and while anybody listens. What comes or goes outdates the list; only if somebody
 * has listed, it is made again after a burst of changes, and agents are told if it differs.
 */
export class FileWatcher {
  readonly #vscode: typeof vscode;
  readonly #listing: Listing;
  readonly #log: Log;
  readonly #lists = new Emitter<readonly ListedFile[] | undefined>();
  readonly #contents = new Emitter<vscode.Uri>();
  #subscriptions: { dispose(): unknown }[] = [];
  readonly #changed = new Map<string, vscode.Uri>();
  /** Other folders or another policy: agents see another list even if the files are the same. */
  #surelyDiffers = false;
  /** When lists were compared last, in milliseconds since the epoch. */
  #comparedAt = 0;
  /** The list at the last comparison, while much comes and goes. */
  #filling: FileList | undefined;
  readonly #compareSoon = debounce(
    () => void this.#compare(),
    () => ({ quiet: Math.max(LIST_QUIET, this.#comparedAt + LIST_PAUSE - Date.now()), atMost: LIST_PAUSE }),
  );
  readonly #tellSoon = debounce(() => this.#tellContent(), CONTENT_QUIET);

  constructor(code: typeof vscode, listing: Listing, log: Log) {
    this.#vscode = code;
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

  /** To be called before the list is: VS Code does not tell of what settings keep it from watching. */
  outdateUnwatched(): void {
    if (!this.#listing.known || Date.now() - this.#listing.madeAt < UNWATCHED_AGE) return;
    const own = this.#vscode.workspace.getConfiguration('files', null).inspect('watcherExclude');
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
    return new this.#vscode.Disposable(() => {
      listening.dispose();
      if (!this.#isHeard) this.dispose();
    });
  }

  get #isHeard(): boolean {
    return !this.#lists.isEmpty || !this.#contents.isEmpty;
  }

  #watchFiles(): vscode.Disposable[] {
    const watcher = this.#vscode.workspace.createFileSystemWatcher('**/*');
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
    const { workspace } = this.#vscode;
    return [
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#contentDiffers(document.uri);
      }),
      // The text of a cell is another document's.
      workspace.onDidChangeNotebookDocument(({ notebook }) => this.#contentDiffers(notebook.uri)),
      // Saved files also count if the watcher does not tell of them.
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (IGNORE_RULES.test(uri.path) || !this.#listing.known?.has(uri.toString())) this.#outdate();
      }),
      workspace.onDidChangeWorkspaceFolders(() => this.#outdate({ surelyDiffers: true })),
      workspace.onDidChangeConfiguration((event) => {
        const surelyDiffers = event.affectsConfiguration('workspaceMcp.access');
        const excludes = ['files.exclude', 'search.exclude'].some((key) => event.affectsConfiguration(key));
        if (surelyDiffers || excludes) this.#outdate({ surelyDiffers });
      }),
    ];
  }

  #outdate({ surelyDiffers = false } = {}): void {
    if (surelyDiffers) this.#surelyDiffers = true;
    this.#listing.touch();
    this.#compareSoon();
  }

  #contentDiffers(uri: vscode.Uri): void {
    this.#changed.set(uri.toString(), uri);
    this.#tellSoon();
  }

  async #compare(): Promise<void> {
    this.#comparedAt = Date.now();
    try {
      if (this.#listing.isUsed) await this.#listing.files();
    } catch (error) {
      this.#log.warn((error as Error).message);
    }
    if (!this.#isHeard) return; // they went meanwhile
    if (this.#surelyDiffers || !this.#isStillFilling()) this.#tellList();
  }

  /**
   * Whether so much came or went that agents are told later, when it has ended. Then the list is made again whatever the
   * watcher tells: of more than some 30,000 changes VS Code drops the rest.
   */
  #isStillFilling(): boolean {
    const { known, told } = this.#listing;
    const before = this.#filling ?? told;
    const count = known && before ? known.differencesFrom(before).length : 0;
    const goesOn = count >= MANY || (this.#filling !== undefined && count > 0);
    this.#filling = goesOn ? known : undefined;
    if (goesOn) this.#outdate();
    return count >= MANY;
  }

  #tellList(): void {
    const surelyDiffers = this.#surelyDiffers;
    this.#surelyDiffers = false;
    const differing = this.#listing.differences();
    if (surelyDiffers || differing.length > 0) this.#lists.fire(surelyDiffers ? undefined : differing);
  }

  #tellContent(): void {
    const uris = [...this.#changed.values()];
    this.#changed.clear();
    for (const uri of uris) this.#contents.fire(uri);
  }
}
