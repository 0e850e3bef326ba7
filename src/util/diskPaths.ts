import { constants, existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, statfs } from 'node:fs/promises';
import { dirname, join, parse, posix, resolve, sep, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../core/errors.ts';
import { otherSpelling } from '../core/otherSpelling.ts';
import { percentDecoded } from '../core/paths.ts';
import { clock } from './clock.ts';

/** Paths as the disk has them. */

/** The path with all links resolved; the path itself if it does not exist (yet). */
export const realPathOf = (path: string): string => attempt(() => realpathSync.native(path)) ?? path;

/** What stands before the path in a URI of a file. */
const FILE = /^file:\/\/(?:localhost(?=\/))?/i;
/** VS Code's own client names folders of the remote machine, on which this process runs, by such URIs. */
const REMOTE = /^vscode-remote:/i;

/** The paths that a URI of a file may mean if `#` and `?`, or `%` as well, stand for themselves in it; none for other URIs. */
export function literalPaths(uri: string, platform: NodeJS.Platform = process.platform): string[] {
  if (!FILE.test(uri)) return [];
  const path = uri.replace(FILE, '');
  const isWindows = platform === 'win32';
  // VS Code encodes the colon of a drive; without a drive it would be a path on the drive of this process.
  const literal = isWindows ? path.replace(/^\/([a-z])(?::|%3a)/i, '$1:') : path;
  return [literal, percentDecoded(literal)].filter((one) => (isWindows ? /^[a-z]:[\\/]/i : /^\//).test(one));
}

/**
 * The directory that a client names as a root: by a URI, or as some do by a bare path, or by a URI in which `#`, `?` or `%` stand
 * for themselves. What is there decides. Undefined if it can be no directory of this machine.
 */
export function rootPath(root: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const isBare = platform === 'win32' ? /^([a-z]:)?[\\/]/i.test(root) : root.startsWith('/');
  const literal = isBare ? [root] : literalPaths(root, platform).toReversed();
  const { isAbsolute } = platform === 'win32' ? win32 : posix;
  const found = [...literal, otherSpelling(root, platform) ?? ''].filter(isAbsolute).find(isDirectory);
  if (found !== undefined || REMOTE.test(root)) return found;
  if (isBare) return root;
  // It throws for the file of another machine.
  return attempt(() =>
    fileURLToPath(root.replace(/[#?]/g, encodeURIComponent), { windows: platform === 'win32' }),
  );
}

export const isDirectory = (path: string): boolean => attempt(() => statSync(path).isDirectory()) ?? false;

/** The names in a directory; none if it cannot be read. */
export const entryNamesIn = (directory: string): string[] => attempt(() => readdirSync(directory)) ?? [];

/** The content of a file; undefined if it is missing or cannot be read. */
export const readIfThere = (path: string): Buffer | undefined => attempt(() => readFileSync(path));

/** The top of the repository that a directory is in; undefined if it is in none. @param directory absolute */
export function repositoryOf(directory: string): string | undefined {
  for (const at of upFrom(directory)) if (existsSync(join(at, '.git'))) return at;
  return undefined;
}

/** A path and the directories above it, to the root. */
export function* upFrom(path: string): Generator<string> {
  for (let at = path; ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}

/**
 * Magic numbers of local file systems (statfs(2)): ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, bcachefs. Only Linux has them;
 * elsewhere no disk counts as near.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/** How long directories are cached, in milliseconds, and how many. */
const BELIEVED = 5_000;
const MOST = 1_000;

/**
 * Directories whose files may be accessed synchronously. A call through the thread pool takes ten times as long as one that
 * finds everything in memory. But a synchronous call to a network disk may never return and block everything.
 */
export class NearDisk {
  /** Cache expiry of each, by the clock. */
  readonly #directories = new Map<string, number>();
  readonly #looking = new Set<string>();
  readonly #local: ReadonlySet<number>;

  /** @param local magic numbers of the file systems that count */
  constructor(local: ReadonlySet<number> = LOCAL) {
    this.#local = local;
  }

  /**
   * Whether calls for this absolute path return at once, unless it is a link itself: when `look` was called, no directory above it
   * was one. Some may be now, so it says nothing about where the path leads.
   */
  has(path: string): boolean {
    const until = this.#directories.get(dirname(path));
    return until !== undefined && clock.now() < until;
  }

  /** Checks the directory of a path, for later calls of `has`. Never rejects. */
  async look(path: string): Promise<void> {
    const directory = dirname(path);
    if (process.platform !== 'linux' || this.#looking.has(directory)) return;
    this.#looking.add(directory);
    const found = await this.#isNear(directory).catch(() => false);
    this.#looking.delete(directory);
    if (this.#directories.size >= MOST) this.#directories.clear();
    if (found) this.#directories.set(directory, clock.now() + BELIEVED);
  }

  async #isNear(directory: string): Promise<boolean> {
    return (await realpath(directory)) === directory && this.#local.has((await statfs(directory)).type);
  }
}

export interface Resolved {
  /** All links resolved, as far as the path is reachable. */
  realPath: string;
  /** The system's error if only a part is reachable. */
  error?: NodeJS.ErrnoException;
}

/** Longest chain of links; no system follows more. */
const MOST_LINKS = 40;

/**
 * Resolves all links as far as possible. A link that leads outside is found even if its target is missing or unreachable, so
 * no answer reveals which files exist there.
 */
export async function resolveLinks(near: NearDisk, path: string): Promise<Resolved> {
  try {
    // The folders above may have become links since `near` has looked.
    if (near.has(path) && !lstatSync(path).isSymbolicLink()) return { realPath: realpathSync.native(path) };
    const realPath = await longNamed(await realpath(path));
    if (realPath === path) void near.look(path);
    return { realPath };
  } catch (error) {
    return { realPath: await resolveReachable(path, MOST_LINKS), error: error as NodeJS.ErrnoException };
  }
}

/** Binary search for the first unreachable name: everything after it is unreachable too. @param links left to follow */
async function resolveReachable(path: string, links: number): Promise<string> {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  const upTo = (count: number) => root + names.slice(0, count).join(sep);
  let [reached, unreached, realPath] = [0, names.length, await realpath(root)];
  while (unreached - reached > 1) {
    const middle = (reached + unreached) >>> 1;
    const found = await realpath(upTo(middle)).catch(() => undefined);
    if (found === undefined) unreached = middle;
    else [reached, realPath] = [middle, found];
  }
  const [name = '', ...rest] = names.slice(reached);
  const bare = (await longNamed(realPath).catch(() => realPath)).replace(/[\\/]$/, '');
  // A broken link: its target is the file that would be read.
  const target = links > 0 ? await readlink(bare + sep + name).catch(() => undefined) : undefined;
  if (target === undefined) return [bare, name, ...rest].join(sep);
  return resolveReachable(resolve(bare + sep, target, ...rest), links - 1);
}

/** Windows' other name of a file, as in `ENV~1` for `.env`. */
const SHORT = /~\d/;

/**
 * The path with no short names. Linux finds files by them on disks of Windows (NTFS, FAT, WSL's `/mnt/c`), and no system call returns
 * the real names.
 *
 * @param path absolute, and there
 */
async function longNamed(path: string): Promise<string> {
  if (process.platform !== 'linux' || !SHORT.test(path)) return path;
  let at = '/';
  for (const name of path.split(sep).slice(1))
    at = join(at, SHORT.test(name) ? await longName(at, name) : name);
  return at;
}

/** @throws Error if it is another name of a file that is not found */
async function longName(folder: string, short: string): Promise<string> {
  const names = await readdir(folder);
  if (names.includes(short)) return short;
  const wanted = await lstat(join(folder, short));
  for (const name of names) {
    const { ino, dev } = await lstat(join(folder, name));
    if (ino === wanted.ino && dev === wanted.dev) return name;
  }
  throw new Error('it is a short name of an unknown file');
}

export const isMissing = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOENT' || code === 'ENOTDIR';

/** Flags to open for reading. Without O_NONBLOCK, opening a FIFO would wait for a writer. */
export const toRead = (): number => constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file; undefined if there is none at this path.
 *
 * @param most bytes
 * @throws RangeError for a longer file or something that is not a file, and Node's errors
 */
export async function readSmallFile(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, toRead()).catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > most) throw new RangeError(`not a file of at most ${most} bytes`);
    const buffer = Buffer.alloc(stats.size);
    const { bytesRead } = await file.read(buffer, 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
