import type * as vscode from 'vscode';
import { throwIfCancelled } from '../../core/errors.ts';
import { findRipgrep } from '../../disk/ripgrep.ts';
import { clock } from '../../util/clock.ts';
import { SharedRun } from '../../util/sharedRun.ts';
import type { FileList } from './fileList.ts';
import type { ListedFile } from './listedFile.ts';
import { listFolders } from './listFolders.ts';

interface Run {
  result: SharedRun<FileList>;
  /** Number of changes included; infinite until the run begins. */
  seen: number;
}

/**
 * All files of the workspace folders, except those excluded by `.gitignore`, `files.exclude` and `search.exclude`. One per
 * window, rebuilt on the first request after a change. It contains secret files: the policy filters them for each agent.
 */
export class Listing {
  readonly #vscode: typeof vscode;
  readonly #ripgrep: string | undefined;
  #list: FileList | undefined;
  #told: FileList | undefined;
  #run: Run | undefined;
  /** Number of changes so far, and how many of them the list includes. */
  #changes = 0;
  #seen = -1;
  #forgotten = 0;
  /** Time of the last build. */
  madeAt = 0;

  constructor(code: typeof vscode) {
    this.#vscode = code;
    this.#ripgrep = findRipgrep(code.env.appRoot);
  }

  /**
   * The list with all changes up to the call. Concurrent calls share one run of ripgrep; runs never overlap. A run stops if all
   * its callers are cancelled.
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

  /** The last list; undefined if there is none yet. */
  get known(): FileList | undefined {
    return this.#list;
  }

  /** Whether the list was ever requested. */
  get isUsed(): boolean {
    return this.#list !== undefined || this.#run !== undefined;
  }

  /** Marks the list as outdated. */
  touch(): void {
    this.#changes++;
  }

  /** Discards the list, because changes are no longer watched. */
  forget(): void {
    this.#forgotten = ++this.#changes;
    this.#list = undefined;
    this.#told = undefined;
    this.#run = undefined;
  }

  /** The list at the last call of `differences`, or the first list. */
  get told(): FileList | undefined {
    return this.#told;
  }

  /** Files that came or went since the last call, or since the first list. */
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
      this.madeAt = clock.now();
      return this.#keep(await listFolders(this.#vscode, this.#ripgrep, signal), run.seen);
    });
    const run: Run = { result, seen: Number.POSITIVE_INFINITY };
    result.result.catch(() => {
      if (this.#run === run) this.#run = undefined;
    });
    return run;
  }

  /** Keeps the previous list if nothing differs, because agents cache their view of it. */
  #keep(list: FileList, seen: number): FileList {
    if (seen < this.#forgotten) return list;
    this.#seen = seen;
    if (!this.#list?.isSameAs(list)) this.#list = list;
    this.#told ??= list;
    return this.#list ?? list;
  }
}
