import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { findRipgrep } from '../../disk/ripgrep.ts';
import { SharedRun } from '../../util/sharedRun.ts';
import type { FileList } from './fileList.ts';
import type { ListedFile } from './listedFile.ts';
import { listFolders } from './listFolders.ts';

interface Run {
  result: SharedRun<FileList>;
  /** How many changes it has; infinite until it begins. */
  seen: number;
}

/**
 * All files of the workspace folders, without what `.gitignore`, `files.exclude` and `search.exclude` leave out; one for
 * the window. It is made when it is asked for after a change. Secrets are in it: the policy takes them out for each agent.
 */
export class Listing {
  readonly #vscode: typeof vscode;
  readonly #ripgrep: string | undefined;
  #list: FileList | undefined;
  #told: FileList | undefined;
  #run: Run | undefined;
  /** How often something changed, and how many of these changes the list has. */
  #changes = 0;
  #seen = -1;
  #forgotten = 0;
  /** When it was made last, in milliseconds since the epoch. */
  madeAt = 0;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#ripgrep = findRipgrep(code.env.appRoot);
  }

  /**
   * With everything that changed before the call. Whoever asks at the same time waits for the same run of ripgrep, and one
   * runs at a time; it stops when all who wait for it have been cancelled.
   *
   * @throws CancelledError, UserError
   */
  async files(signal?: AbortSignal): Promise<FileList> {
    if (signal) throwIfCancelled(signal);
    if (this.#list && this.#seen === this.#changes) return this.#list;
    if (!this.#run || this.#run.result.isStopped || this.#run.seen < this.#changes)
      this.#run = this.#begin(this.#run);
    return this.#run.result.join(signal);
  }

  /** As it was made last; undefined if it never was. */
  get known(): FileList | undefined {
    return this.#list;
  }

  /** Whether anybody has asked for it. */
  get isUsed(): boolean {
    return this.#list !== undefined || this.#run !== undefined;
  }

  /** Other files may be listed from now on. */
  touch(): void {
    this.#changes++;
  }

  /** Drops the list, since nobody watches what changes. */
  forget(): void {
    this.#forgotten = ++this.#changes;
    this.#list = undefined;
    this.#told = undefined;
    this.#run = undefined;
  }

  /** The list when differences were asked for last, or the first one. */
  get told(): FileList | undefined {
    return this.#told;
  }

  /** Files that came or went since this was called last, or since the first list. */
  differences(): ListedFile[] {
    const before = this.#told;
    this.#told = this.#list;
    return before && this.#list ? this.#list.differencesFrom(before) : [];
  }

  #begin(before: Run | undefined): Run {
    const result = new SharedRun(async (signal) => {
      await before?.result.result.catch(() => {});
      throwIfCancelled(signal);
      run.seen = this.#changes;
      this.madeAt = Date.now();
      return this.#keep(await listFolders(this.#vscode, this.#ripgrep, signal), run.seen);
    });
    const run: Run = { result, seen: Number.POSITIVE_INFINITY };
    result.result.catch(() => {
      if (this.#run === run) this.#run = undefined;
    });
    return run;
  }

  /** The list before stays if nothing differs: each agent keeps what it may see of it. */
  #keep(list: FileList, seen: number): FileList {
    if (seen < this.#forgotten) return list;
    this.#seen = seen;
    if (!this.#list?.isSameAs(list)) this.#list = list;
    this.#told ??= list;
    return this.#list ?? list;
  }
}
