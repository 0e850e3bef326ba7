import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { findRipgrep } from '../../disk/ripgrep.ts';
import { SharedRun } from '../../util/sharedRun.ts';
import { MANY } from './burst.ts';
import type { FileList } from './fileList.ts';
import type { ListedFile } from './listedFile.ts';
import { type Lister, listFolders, listPlaces } from './listFolders.ts';

/** Files that come or go in one burst, past which all are listed anew. */
const MOST_PLACES = 1000;

/**
 * All files of the workspace folders: without what `.gitignore`, `files.exclude` and `search.exclude` leave out. Made once,
 * then changed as files come and go; one for the window. Secrets are in it: the policy takes them out for each agent.
 */
export class Listing {
  readonly #lister: Lister;
  #list: FileList | undefined;
  #told: FileList | undefined;
  /** Makes the list that there is not yet. */
  #first: SharedRun<FileList> | undefined;
  /** Where something came or went that the list may not have yet. */
  #places = new Map<string, vscode.Uri>();
  #isStale = false;
  /** How often something came or went since the list was last brought up to date. */
  #touches = 0;
  #isMadeAnew = false;
  /** When all was listed last, in milliseconds since the epoch. */
  madeAt = 0;
  #settling: Promise<void> | undefined;

  constructor(code: typeof vscode) {
    this.#lister = { vscode: code, ripgrep: findRipgrep(code.env.appRoot), unsearched: new Set() };
  }

  /**
   * As it is known, with the few files that came or went a moment ago. While all are listed anew, the list before. The
   * first one is waited for; listing stops when all who wait for it have been cancelled.
   *
   * @throws CancelledError, UserError
   */
  async files(signal?: AbortSignal): Promise<FileList> {
    if (!this.#list) return this.#begin(signal);
    const isSoonDone = !this.#isStale && !this.#isMadeAnew;
    if (isSoonDone && (this.#places.size > 0 || this.#settling)) await this.settle().catch(() => {});
    if (signal) throwIfCancelled(signal);
    return this.#list ?? this.#begin(signal);
  }

  /** The list that there is. */
  get known(): FileList | undefined {
    return this.#list;
  }

  /** As it was when differences were last asked for. */
  get told(): FileList | undefined {
    return this.#told;
  }

  /** Whether so much came or went that more is to be expected. */
  get isStormy(): boolean {
    return this.#touches >= MANY;
  }

  /** Something came or went there. */
  touch(uri: vscode.Uri): void {
    this.#touches++;
    if (this.#isStale || (!this.#list && !this.#first)) return; // it will be listed
    this.#places.set(uri.toString(), uri);
    if (this.#places.size > MOST_PLACES) this.outdate();
  }

  /** Other files count now, or too many came or went: all is listed anew when it is next settled. */
  outdate(): void {
    this.#isStale = true;
    this.#places.clear();
  }

  /** No longer right in any part: it is made anew when it is next asked for. */
  forget(): void {
    this.#list = undefined;
    this.#first = undefined;
    this.#isStale = false;
    this.#touches = 0;
    this.#places.clear();
  }

  /** Nobody has watched what changed until now, or will: agents that knew the list are gone. */
  restart(): void {
    this.forget();
    this.#told = undefined;
  }

  /** Brings the list up to date. @throws UserError, where it stays as it was */
  async settle(): Promise<void> {
    while (this.#settling) await this.#settling.catch(() => {});
    if (!this.#list || (!this.#isStale && this.#places.size === 0)) return;
    this.#settling = this.#isStale ? this.#makeAnew() : this.#change(this.#list);
    await this.#settling.finally(() => {
      this.#settling = undefined;
    });
  }

  /** Files that came or went since it was last asked for. */
  differences(): ListedFile[] {
    const before = this.#told;
    this.#told = this.#list ?? before;
    return before && this.#list ? this.#list.differencesFrom(before) : [];
  }

  async #begin(signal: AbortSignal | undefined): Promise<FileList> {
    if (!this.#first || this.#first.isStopped) this.#first = this.#run();
    return this.#first.join(signal);
  }

  #run(): SharedRun<FileList> {
    this.madeAt = Date.now();
    this.#places.clear(); // what comes from now on may have been passed by
    const run = new SharedRun((signal) => listFolders(this.#lister, signal));
    const end = (list?: FileList) => {
      if (this.#first !== run) return; // forgotten meanwhile
      this.#first = undefined;
      this.#list = list;
      this.#told ??= list;
    };
    run.result.then(end, () => end());
    return run;
  }

  async #makeAnew(): Promise<void> {
    const before = this.#list;
    this.madeAt = Date.now();
    this.#isStale = false;
    this.#touches = 0;
    this.#isMadeAnew = true;
    try {
      const list = await listFolders(this.#lister);
      if (this.#list === before) this.#list = list;
    } catch (error) {
      this.outdate();
      throw error;
    } finally {
      this.#isMadeAnew = false;
    }
  }

  async #change(before: FileList): Promise<void> {
    const places = [...this.#places.values()];
    this.#places.clear();
    this.#touches = 0;
    const list = await listPlaces(this.#lister, before, places).catch(() => undefined);
    if (this.#list !== before) return; // forgotten meanwhile
    if (list) this.#list = list;
    else await this.#makeAnew();
  }
}
