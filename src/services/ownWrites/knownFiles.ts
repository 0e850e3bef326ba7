import { relative } from 'node:path';
import type * as vscode from 'vscode';
import { isWithin } from '../../core/paths.ts';
import type { Log } from '../../util/log.ts';
import { inSlices } from '../../util/queues.ts';
import { bornAt, contentOf, isSame, NOTHING, stampOf, writtenAt } from '../../workspace/edit/content.ts';
import type { Content } from '../../workspace/edit/journal.ts';
import { committedFiles, openRepositories, type Worktree, worktreeOf } from '../git/worktree.ts';

/** Most files that are copied at the start of a turn, and most bytes of all copies. */
const MOST_FILES = 500;
const MOST_BYTES = 50 * 1024 * 1024;
const NEVER = new AbortController().signal;

interface Window {
  vscode: typeof vscode;
  log: Log;
}

/** What was at a path when it was last looked at. Without a content, only whether it has changed since is known. */
interface Known {
  stamp: string;
  content?: Content;
}

/**
 * What files were before agents changed them. That is only ever a copy, or what the last commit has of a file that is known to have
 * been clean when the first of overlapping turns began; a file is new only if it was made since. All else is not known.
 */
export class KnownFiles {
  readonly #window: Window;
  readonly #files = new Map<string, Known>();
  #size = 0;
  /** By folder, as they were at the beginning. */
  readonly #worktrees = new Map<string, Worktree>();
  #program = '';
  /** In milliseconds since the epoch. */
  #began = 0;

  constructor(window: Window) {
    this.#window = window;
  }

  /**
   * Looks at what is there, but for what was written since. What is noted already stays. Never rejects.
   *
   * @param at when it began, in milliseconds since the epoch
   */
  async begin(at: number): Promise<void> {
    this.#began = at;
    for (const one of await this.#lookAtRepositories()) this.#worktrees.set(one.folder, one);
    const open = this.#window.vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'file');
    const changed = [...this.#worktrees.values()].flatMap((one) => [...one.changed]);
    const paths = new Set([...open.map(({ uri }) => uri.fsPath), ...changed]);
    let copied = 0;
    const visit = (path: string) => {
      if (this.#files.has(path)) return;
      if (writtenAt(path) > at) this.lose(path);
      else if (++copied > MOST_FILES) this.skip(path);
      else this.note(path);
    };
    await inSlices(paths, visit, NEVER);
  }

  clear(): void {
    this.#files.clear();
    this.#worktrees.clear();
    this.#size = 0;
  }

  /** From now on a file was what it is now. The first copies go when there are too many. */
  note(path: string, content = contentOf(path)): void {
    this.#set(path, { stamp: stampOf(path), content });
    for (const [oldest, { stamp }] of this.#files) {
      if (this.#size <= MOST_BYTES || oldest === path) break;
      this.#set(oldest, { stamp });
    }
  }

  /** From now on only whether it changes is known. */
  skip(path: string): void {
    this.#set(path, { stamp: stampOf(path) });
  }

  /** What a file was before is not known. */
  lose(path: string): void {
    this.#set(path, { stamp: 'before it was looked at' });
  }

  /**
   * What files were before. Those of which it is not known are missing.
   *
   * @param areListed Git has them as files that are not ignored
   */
  async before(paths: readonly string[], areListed: boolean): Promise<Map<string, Content>> {
    const found = new Map<string, Content>();
    const asked = new Map<Worktree, Map<string, string>>();
    for (const path of paths) {
      const known = this.#files.get(path);
      const worktree = known ? undefined : this.#worktreeOf(path);
      if (known?.content) found.set(path, known.content);
      if (!worktree) continue;
      const names = asked.get(worktree) ?? new Map();
      asked.set(worktree, names.set(path, nameIn(worktree, path)));
    }
    for (const [worktree, names] of asked) {
      const all = await committedFiles(this.#program, worktree, [...names.values()]).catch(() => undefined);
      for (const [path, name] of names) {
        const isNew = areListed && all?.has(name) === false && bornAt(path) >= this.#began;
        const content = all?.get(name) ?? (isNew ? NOTHING : undefined);
        if (content) found.set(path, content);
      }
    }
    return found;
  }

  /** Paths that have changed since they were looked at, or that Git has as changed now and had not at the beginning. Never rejects. */
  async changed(): Promise<string[]> {
    const paths = new Set(this.#files.keys());
    for (const now of await this.#lookAtRepositories()) {
      const then = this.#worktrees.get(now.folder);
      // What a repository had changed that was not looked at before is not known.
      if (!then) for (const path of now.changed) if (!this.#files.has(path)) this.skip(path);
      // Where another commit is checked out, what was clean then is what that has.
      if (then && then.commit !== now.commit)
        for (const path of await this.#cleanIn(then)) {
          this.#forget(path);
          paths.delete(path);
        }
      if (then?.commit !== now.commit) this.#worktrees.set(now.folder, now);
      for (const path of now.changed) paths.add(path);
    }
    const changed: string[] = [];
    const visit = (path: string) => {
      if (this.#files.get(path)?.stamp !== stampOf(path)) changed.push(path);
    };
    await inSlices(paths, visit, NEVER);
    return changed;
  }

  /** Files that were last what the commit of the worktree has. */
  async #cleanIn(worktree: Worktree): Promise<string[]> {
    const paths = [...this.#files.keys()].filter((path) => this.#worktreeOf(path) === worktree);
    const names = paths.map((path) => nameIn(worktree, path));
    const all = await committedFiles(this.#program, worktree, names).catch(() => undefined);
    return paths.filter((path) => {
      const { content } = this.#files.get(path) ?? {};
      const committed =
        all?.has(nameIn(worktree, path)) === false ? NOTHING : all?.get(nameIn(worktree, path));
      return content && committed && isSame(content, committed);
    });
  }

  /** That of the innermost repository. */
  #worktreeOf(path: string): Worktree | undefined {
    const all = [...this.#worktrees.values()];
    const holding = all.filter(({ folder }) => isWithin(path, folder, process.platform));
    return holding.sort((a, b) => b.folder.length - a.folder.length)[0];
  }

  async #lookAtRepositories(): Promise<Worktree[]> {
    const { vscode, log } = this.#window;
    const { program, places } = (await openRepositories(vscode)) ?? { program: '', places: [] };
    this.#program = program;
    const looks = places.map((place) =>
      worktreeOf(program, place).catch((error: Error) => {
        log.debug(`Git did not tell what has changed: ${error.message.split('\n')[0]}`);
        return [];
      }),
    );
    return (await Promise.all(looks)).flat();
  }

  #set(path: string, known: Known): void {
    this.#forget(path);
    this.#size += sizeOf(known);
    this.#files.set(path, known);
  }

  #forget(path: string): void {
    this.#size -= sizeOf(this.#files.get(path));
    this.#files.delete(path);
  }
}

const nameIn = ({ folder, prefix }: Worktree, path: string): string =>
  prefix + relative(folder, path).replaceAll('\\', '/');

const sizeOf = (known: Known | undefined): number =>
  known?.content instanceof Buffer ? known.content.length : 0;
