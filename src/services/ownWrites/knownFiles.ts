import { relative } from 'node:path';
import type * as vscode from 'vscode';
import { isWithin } from '../../core/paths.ts';
import type { Log } from '../../util/log.ts';
import { inSlices } from '../../util/queues.ts';
import { type Content, contentOf, NOTHING, writtenAt } from '../../workspace/edit/content.ts';
import { committedFiles, openRepositories, type Worktree, worktreeOf } from '../git/worktree.ts';

/** Most files that are copied at the start of a turn, and most bytes of all copies. */
const MOST_FILES = 500;
const MOST_BYTES = 50 * 1024 * 1024;

interface Window {
  vscode: typeof vscode;
  log: Log;
}

/**
 * What files were before agents changed them: copies of those that Git has as changed when the first of overlapping turns begins,
 * of named and of open ones; the last commit's bytes for the others. What is recorded once is known from then on as it is now.
 */
export class KnownFiles {
  readonly #window: Window;
  readonly #copies = new Map<string, Content>();
  #size = 0;
  #worktrees: Worktree[] = [];
  #git: string | undefined;

  constructor(window: Window) {
    this.#window = window;
  }

  /** Absolute paths. */
  get paths(): string[] {
    return [...this.#copies.keys()];
  }

  /**
   * Looks at what is there, but for what was written since. What is noted already stays. Never rejects.
   *
   * @param at when it began, in milliseconds since the epoch
   */
  async begin(at: number): Promise<void> {
    await this.#lookAtRepositories();
    const open = this.#window.vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file');
    const changed = this.#worktrees.flatMap((one) => [...one.changed]);
    const paths = new Set([...changed, ...open.map(({ uri }) => uri.fsPath)]);
    const visit = (path: string) => {
      if (!this.#copies.has(path) && writtenAt(path) <= at) this.note(path);
    };
    await inSlices([...paths].slice(0, MOST_FILES), visit, new AbortController().signal);
  }

  clear(): void {
    this.#copies.clear();
    this.#worktrees = [];
    this.#size = 0;
  }

  /** From now on a file was what it is now. The first copies go when there are too many. */
  note(path: string, content = contentOf(path)): void {
    this.#forget(path);
    this.#copies.set(path, content);
    this.#size += sizeOf(content);
    for (const [oldest] of this.#copies) {
      if (this.#size <= MOST_BYTES || oldest === path) break;
      this.#forget(oldest);
    }
  }

  /**
   * What files were before. Those of which it is not known are missing.
   *
   * @param areListed Git has them as files that are not ignored: without a copy and outside of the commit, there was none
   */
  async before(paths: readonly string[], areListed: boolean): Promise<Map<string, Content>> {
    const found = new Map<string, Content>();
    const asked = new Map<Worktree, Map<string, string>>();
    for (const path of paths) {
      const copy = this.#copies.get(path);
      const worktree = this.#worktreeOf(path);
      if (copy) found.set(path, copy);
      // A changed file without a copy was one too many.
      else if (worktree && !worktree.changed.has(path)) {
        const names = asked.get(worktree) ?? new Map();
        asked.set(worktree, names.set(path, relative(worktree.root, path).replaceAll('\\', '/')));
      }
    }
    for (const [worktree, names] of asked) {
      const all = await committedFiles(this.#git ?? '', worktree, [...names.values()]).catch(() => undefined);
      for (const [path, name] of names) {
        const content = all?.get(name) ?? (areListed && all?.has(name) === false ? NOTHING : undefined);
        if (content) found.set(path, content);
      }
    }
    return found;
  }

  /** That of the innermost repository. */
  #worktreeOf(path: string): Worktree | undefined {
    const holding = this.#worktrees.filter(({ folder }) => isWithin(path, folder, process.platform));
    return holding.sort((a, b) => b.folder.length - a.folder.length)[0];
  }

  /** Paths that may have changed since the beginning, as Git has them now. Never rejects. */
  async changedNow(): Promise<string[]> {
    const [before, commits] = [
      this.#worktrees,
      new Map(this.#worktrees.map(({ folder, commit }) => [folder, commit])),
    ];
    await this.#lookAtRepositories();
    const now = this.#worktrees;
    // What was clean then is what was committed then, unless another commit is checked out.
    this.#worktrees = now.map((one) => {
      const then = before.find(({ folder }) => folder === one.folder);
      return then && commits.get(one.folder) === one.commit
        ? then
        : { ...one, changed: then?.changed ?? new Set() };
    });
    return [...new Set([...now.flatMap(({ changed }) => [...changed]), ...this.paths])];
  }

  async #lookAtRepositories(): Promise<void> {
    const { vscode, log } = this.#window;
    const git = await openRepositories(vscode);
    this.#git = git?.program;
    const looks = (git?.places ?? []).map((place) =>
      worktreeOf(git?.program ?? '', place).catch((error: Error) => {
        log.debug(`Git did not tell what has changed: ${error.message.split('\n')[0]}`);
        return [];
      }),
    );
    this.#worktrees = (await Promise.all(looks)).flat();
  }

  #forget(path: string): void {
    this.#size -= sizeOf(this.#copies.get(path) ?? NOTHING);
    this.#copies.delete(path);
  }
}

const sizeOf = (content: Content): number => (content instanceof Buffer ? content.length : 0);
