import { lstatSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import { asJudged, folded, isWithin } from '../core/paths.ts';
import { clock } from '../util/clock.ts';
import { type NearDisk, resolveLinks, upFrom } from '../util/diskPaths.ts';
import { OpenedFile } from './openedFile.ts';

/** How long results are cached, in milliseconds, and for how many paths. */
const BELIEVED = 1_000;
const MOST = 10_000;

/** Most bytes read of a `.git` or `commondir` file, which contains one path. */
const MOST_BYTES = 8_192;

interface Found {
  /** The directory itself, if it is a Git directory, and the one named in its `commondir`. */
  own: readonly string[];
  /** The Git directories named in its `.git` file, if it is a worktree or a submodule. */
  named: readonly string[];
}

/**
 * Git directories not called `.git`: bare clones, and those named in `.git` files and `commondir`. Recognized by their content,
 * as in Git (gitrepository-layout).
 */
export class GitDirectories {
  readonly #near: NearDisk;
  /** Cache expiry of each path and the directories above it, by the clock. */
  readonly #until = new Map<string, number>();
  /** Git directories, and directories with a `.git` file. */
  readonly #found = new Map<string, Found>();
  #all: readonly string[] = [];
  /** Unchanged while `holds` gives the same answers. */
  key = '';

  constructor(near: NearDisk) {
    this.#near = near;
  }

  /** Inspects a path and the directories above it for `holds`. Never rejects. @param path absolute, links resolved */
  async look(path: string): Promise<void> {
    const now = clock.now();
    const paths: string[] = [];
    for (const at of upFrom(path)) {
      if ((this.#until.get(at) ?? 0) > now) break;
      paths.push(at);
    }
    if (paths.length === 0) return;
    const suspects = this.#near.has(path) ? suspectsAmong(paths) : paths;
    const found = new Map<string, Found>();
    const find = async (one: string) => {
      const [own, named] = await Promise.all([this.#own(one), this.#named(one)]);
      if (own.length + named.length > 0) found.set(one, { own, named });
    };
    if (suspects.length > 0) await Promise.all(suspects.map(find));
    if (found.size > 0 || this.#found.size > 0) this.#keep(paths, found);
    if (this.#until.size >= MOST) this.#until.clear();
    for (const one of paths) this.#until.set(one, now + BELIEVED);
  }

  /** Call it when an agent has changed files: `look` inspects every path again. */
  forget(): void {
    this.#until.clear();
  }

  /** Whether a path is in a Git directory, but not in a worktree inside it. Uses no disk. */
  holds(path: string): boolean {
    return this.#all.some(
      (directory) =>
        isWithin(path, directory, process.platform) &&
        !this.#worktreesIn(directory).some((worktree) => isWithin(path, worktree, process.platform)),
    );
  }

  #worktreesIn(directory: string): string[] {
    const isInside = (path: string) => path !== directory && isWithin(path, directory, process.platform);
    return [...this.#found].flatMap(([path, { named }]) =>
      named[0] !== undefined && isInside(path) && isInside(named[0]) ? [path] : [],
    );
  }

  async #own(path: string): Promise<string[]> {
    return (await isGitDirectory(path)) ? [path, ...(await this.#commonOf(path))] : [];
  }

  async #named(path: string): Promise<string[]> {
    const file = join(path, '.git');
    if ((await look(file))?.isDirectory() !== false) return [];
    const [name] = await this.#namedBy(file, 'gitdir: ');
    return name === undefined ? [] : [name, ...(await this.#commonOf(name))];
  }

  #commonOf(directory: string): Promise<string[]> {
    return this.#namedBy(join(directory, 'commondir'), '');
  }

  /** The real path named in a file; none if the file does not exist. */
  async #namedBy(file: string, prefix: string): Promise<string[]> {
    const opened = await OpenedFile.open(file, this.#near).catch(() => undefined);
    try {
      if (!opened?.stats.isFile()) return [];
      const text = Buffer.from(await opened.read(MOST_BYTES)).toString();
      const name = text.startsWith(prefix) ? text.slice(prefix.length).replace(/[\r\n]+$/, '') : '';
      if (name === '' || name.includes('\0')) return [];
      return [(await resolveLinks(this.#near, resolve(dirname(file), name))).realPath];
    } catch {
      return [];
    } finally {
      opened?.close();
    }
  }

  #keep(paths: readonly string[], now: ReadonlyMap<string, Found>): void {
    for (const path of paths) this.#found.delete(path);
    for (const [path, one] of now) this.#found.set(path, one);
    this.#all = [...new Set([...this.#found.values()].flatMap(({ own, named }) => [...own, ...named]))];
    this.key = JSON.stringify([...this.#found]);
  }
}

const isGitDirectory = (path: string): Promise<boolean> =>
  hasParts(async (name) => kindOf(await look(join(path, name))));

/** Rejects nearly every path synchronously: using the thread pool for each would be noticeably slow. */
function suspectsAmong(paths: readonly string[]): string[] {
  const suspects: string[] = [];
  for (const path of paths)
    try {
      if (!lstatSync(path).isDirectory()) continue;
      const git = lstatSync(join(path, '.git'), QUIETLY);
      const isSuspect = git?.isDirectory() === false || lstatSync(join(path, 'objects'), QUIETLY);
      if (isSuspect || lstatSync(join(path, 'commondir'), QUIETLY)) suspects.push(path);
    } catch {
      // it was deleted or cannot be read
    }
  return suspects;
}

const QUIETLY = { throwIfNoEntry: false } as const;

const look = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);

/** What is in a directory under a name; a link counts as a file. */
type Kind = 'file' | 'folder' | undefined;

const kindOf = (stats: Stats | undefined): Kind => stats && (stats.isDirectory() ? 'folder' : 'file');

/**
 * Whether a directory is one of Git, whatever its name: a worktree's has HEAD and `commondir`; others have objects, refs and HEAD. A
 * config is dangerous even without HEAD.
 */
async function hasParts(has: (part: string) => Kind | Promise<Kind>): Promise<boolean> {
  if ((await has('commondir')) === 'file' && (await has('HEAD')) === 'file') return true;
  if (!(await has('objects')) || !(await has('refs'))) return false;
  return (await has('HEAD')) === 'file' || (await has('config')) === 'file';
}

const PARTS = new Set(['commondir', 'head', 'objects', 'refs', 'config']);

/** Which part of a Git directory a path may be: some disks ignore case. */
function partAt(path: string): string | undefined {
  const name = folded(basename(asJudged(path, process.platform)));
  return PARTS.has(name) ? name : undefined;
}

/** Files and folders that are to be made: whether each is a folder, by its absolute path with all links resolved. */
export type Made = ReadonlyMap<string, boolean>;

/**
 * A directory that would become one of Git: its configuration can name programs, which Git runs as soon as VS Code looks at
 * the directory.
 */
export async function wouldBecomeGit(made: Made): Promise<string | undefined> {
  /** Two spellings may be one directory. */
  const groups = new Map<string, { directories: Set<string>; parts: Map<string, Kind> }>();
  const add = (path: string, kind: Kind) => {
    const part = partAt(path);
    if (!part) return;
    const key = folded(dirname(path));
    const group = groups.get(key) ?? { directories: new Set(), parts: new Map() };
    groups.set(key, group);
    group.directories.add(dirname(path));
    group.parts.set(part, kind);
  };
  for (const [path, isFolder] of made) {
    add(path, isFolder ? 'folder' : 'file');
    // Missing folders above are made as well.
    for (let at = dirname(path); !made.has(at) && !(await look(at)); at = dirname(at)) add(at, 'folder');
  }
  for (const { directories, parts } of groups.values())
    for (const directory of directories) {
      const has = async (name: string) =>
        parts.get(name.toLowerCase()) ?? kindOf(await look(join(directory, name)));
      if (await hasParts(has)) return directory;
    }
  return undefined;
}

/** @throws UserError if a directory would become one of Git, which is closed to agents */
export async function requireNoGit(made: Made): Promise<void> {
  const directory = await wouldBecomeGit(made);
  if (directory === undefined) return;
  throw new UserError(
    `Nothing was changed: ${directory} would become a Git directory, which can make Git run programs. Ask the user to do it.`,
  );
}
