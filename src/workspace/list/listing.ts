import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { CancelledError, throwIfCancelled, UserError } from '../../core/errors.ts';
import { findRipgrep, runRipgrep, scopeArguments } from '../../disk/ripgrep.ts';
import { clock, timeout, unlessAborted } from '../../util/clock.ts';
import { slashed } from '../read/location.ts';
import { FileList } from './fileList.ts';
import { type ListedFile, ListedFolder } from './listedFile.ts';
import { Excludes, virtualFiles } from './virtualFiles.ts';

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
  #reported: FileList | undefined;
  #run: Run | undefined;
  /** Number of changes so far, and how many of them the list includes. */
  #changes = 0;
  #seen = -1;
  #forgotten = 0;
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

  touch(): void {
    this.#changes++;
  }

  /** Discards the list, because changes are no longer watched. */
  forget(): void {
    this.#forgotten = ++this.#changes;
    this.#list = undefined;
    this.#reported = undefined;
    this.#run = undefined;
  }

  /** The list at the last call of `differences`, or the first list. */
  get reported(): FileList | undefined {
    return this.#reported;
  }

  /** Files that came or went since the last call, or since the first list. */
  differences(): ListedFile[] {
    const before = this.#reported;
    this.#reported = this.#list;
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
    this.#reported ??= list;
    return this.#list ?? list;
  }
}

/** How long listing with ripgrep may take, in milliseconds. */
const LISTING_TIMEOUT_MS = 60_000;

/**
 * All files of the workspace folders. If folders are nested, a file is listed only in the innermost.
 *
 * @param ripgrep undefined if this build of VS Code has none
 * @throws CancelledError, UserError
 */
async function listFolders(code: typeof vscode, ripgrep: string | undefined, signal: AbortSignal) {
  const all = code.workspace.workspaceFolders ?? [];
  const parts = all.map(async (one) => {
    const { uri } = one;
    const folder = new ListedFolder(code, one, all);
    const excludes = new Excludes(code.workspace, uri);
    const paths = await (ripgrep !== undefined && uri.scheme === 'file'
      ? diskFiles(ripgrep, uri.fsPath, excludes, signal)
      : virtualFiles({ vscode: code, uri, excludes }, signal));
    return { folder, tails: tailsOf(folder, withoutSiblings(excludes, paths)).sort() };
  });
  return new FileList(await Promise.all(parts));
}

/** Paths of all files in a folder on the disk, in no order. @throws CancelledError, UserError */
async function diskFiles(executable: string, cwd: string, { globs }: Excludes, stopped: AbortSignal) {
  const paths: string[] = [];
  if (!existsSync(cwd)) return paths; // one of several folders may have been deleted
  await runRipgrep({
    executable,
    args: ['--files', '--null', '--no-messages', ...scopeArguments(cwd, globs)],
    cwd,
    separator: '\0',
    signal: AbortSignal.any([stopped, timeout(LISTING_TIMEOUT_MS)]),
    onPiece: (path) => void paths.push(slashed(path)),
  }).catch((error) => {
    if (!(error instanceof CancelledError) || stopped.aborted) throw error;
    throw new UserError(
      `Listing the files of ${cwd} took longer than ${LISTING_TIMEOUT_MS / 1000} s. Try again, or ask the user to exclude large folders (setting files.exclude).`,
    );
  });
  return paths;
}

function withoutSiblings(excludes: Excludes, paths: string[]): string[] {
  if (!excludes.hasConditions) return paths;
  const known = new Set(paths);
  return paths.filter((path) => !excludes.bySibling(path, (sibling) => known.has(sibling)));
}

function tailsOf(folder: ListedFolder, paths: readonly string[]): string[] {
  const tails = paths.map((path) => folder.tailOf(path));
  return folder.nested.length === 0 ? tails : tails.filter((tail) => folder.isInnermostOf(tail));
}

/** Work that is done once for all callers. It stops when the last of them is cancelled. */
export class SharedRun<T> {
  /** Result of the work, whether or not callers are waiting. */
  readonly result: Promise<T>;
  readonly #stop = new AbortController();
  #waiting = 0;
  #isOver = false;

  /** @param run called at once; must reject when its signal aborts */
  constructor(run: (signal: AbortSignal) => Promise<T>) {
    this.result = run(this.#stop.signal);
    const over = () => {
      this.#isOver = true;
    };
    this.result.then(over, over);
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /**
   * Waits for the result. Without a signal the caller is never cancelled.
   *
   * @throws CancelledError, or the work's error
   */
  async join(signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    try {
      if (!signal) return await this.result;
      const answer = await unlessAborted(
        this.result.then((value) => ({ value })),
        signal,
      );
      if (!answer) throw new CancelledError('The request was cancelled.');
      return answer.value;
    } finally {
      if (--this.#waiting === 0 && !this.#isOver) this.#stop.abort();
    }
  }
}
