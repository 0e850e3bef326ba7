import type * as vscode from 'vscode';
import { debounce } from '../util/debounce.ts';
import type { Log } from '../util/log.ts';
import type { ListedFile, Listing } from './listing.ts';

/** Quiet time after a change before agents hear of it, in milliseconds. */
const LIST_QUIET = 300;
const CONTENT_QUIET = 100;

/** Files whose content says which others are listed. */
const IGNORE_RULES = /\/(\.gitignore|\.ignore|\.rgignore|\.git\/HEAD|\.git\/info\/exclude)$/;

/** @param differing files that came or went; undefined where the folders or the policy did, or no list was known */
type ListListener = (differing: readonly ListedFile[] | undefined) => void;
type ContentListener = (uri: vscode.Uri) => void;

/**
 * Files that come, go and change, watched once for the window while anybody listens. VS Code's watcher tells of every
 * file, ignored ones too: the list is made anew after a burst, and agents hear of it only where it is another one,
 * or where none was known.
 */
export class Changes {
  readonly #vscode: typeof vscode;
  readonly #listing: Listing;
  readonly #log: Log;
  readonly #onList = new Set<ListListener>();
  readonly #onContent = new Set<ContentListener>();
  #subscriptions: vscode.Disposable[] = [];
  readonly #changed = new Map<string, vscode.Uri>();
  /** What agents see differs whatever the list says: other folders, another policy. */
  #surelyDiffers = false;
  /** The list as agents last saw it, while a newer one may differ. */
  #before: Promise<readonly ListedFile[]> | undefined;

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

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#subscriptions = [];
    this.#before = undefined;
    this.#changed.clear();
  }

  #start(): void {
    const { workspace } = this.#vscode;
    this.#listing.forget(); // nobody has watched what changed until now
    const watcher = workspace.createFileSystemWatcher('**/*');
    const compareSoon = debounce(() => void this.#compareLists(), LIST_QUIET);
    const listMayDiffer = () => {
      this.#before ??= this.#listing.known;
      this.#listing.forget();
      compareSoon();
    };
    const tellContent = debounce(() => this.#tellContent(), CONTENT_QUIET);
    const contentDiffers = (uri: vscode.Uri) => {
      this.#changed.set(uri.toString(), uri);
      tellContent();
    };
    const comesOrGoes = (uri: vscode.Uri) => {
      contentDiffers(uri);
      if (!/\/\.git(\/|$)/.test(uri.path)) listMayDiffer();
    };
    this.#subscriptions = [
      watcher,
      { dispose: compareSoon.dispose },
      { dispose: tellContent.dispose },
      watcher.onDidCreate(comesOrGoes),
      watcher.onDidDelete(comesOrGoes),
      watcher.onDidChange((uri) => {
        contentDiffers(uri);
        if (IGNORE_RULES.test(uri.path)) listMayDiffer();
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) contentDiffers(document.uri);
      }),
      workspace.onDidChangeWorkspaceFolders(() => {
        this.#surelyDiffers = true;
        listMayDiffer();
      }),
      workspace.onDidChangeConfiguration((event) => {
        const access = event.affectsConfiguration('workspaceMcp.access');
        if (access) this.#surelyDiffers = true;
        if (access || event.affectsConfiguration('files.exclude')) listMayDiffer();
      }),
    ];
  }

  async #compareLists(): Promise<void> {
    const before = this.#before;
    this.#before = undefined;
    const known = await before?.catch(() => undefined);
    const surelyDiffers = this.#surelyDiffers;
    this.#surelyDiffers = false;
    if (this.#onList.size === 0) return;
    // Where nobody has listed yet, there is nothing to compare with: agents are told, and the next change is compared.
    const now = await this.#listing.files().catch((error: Error) => void this.#log.warn(error.message));
    const differing = known && now && !surelyDiffers ? difference(known, now) : undefined;
    if (differing?.length !== 0) for (const listener of this.#onList) listener(differing);
  }

  #tellContent(): void {
    const uris = [...this.#changed.values()];
    this.#changed.clear();
    for (const uri of uris) for (const listener of this.#onContent) listener(uri);
  }
}

function difference(before: readonly ListedFile[], now: readonly ListedFile[]): ListedFile[] {
  const without = (files: readonly ListedFile[], others: readonly ListedFile[]) => {
    const keys = new Set(others.map(({ key }) => key));
    return files.filter(({ key }) => !keys.has(key));
  };
  return [...without(before, now), ...without(now, before)];
}
