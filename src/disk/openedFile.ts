import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { attempt } from '../core/errors.ts';
import { clock } from '../util/clock.ts';
import { type NearDisk, toRead } from '../util/diskPaths.ts';

/** If opening a file took less than this, in milliseconds, its other data is assumed to be in memory. */
const QUICK = 2;

/** Most bytes of such a file that are read synchronously. */
const SMALL = 256 * 1024;

type Maybe<T> = T | Promise<T>;

interface Disk {
  realpath(path: string): Maybe<string>;
  stat(path: string): Maybe<fs.BigIntStats>;
  /** Continues after the last read and writes at the offset in the buffer. Returns the number of bytes read. */
  read(file: number, buffer: Uint8Array, offset: number): Maybe<number>;
  close(file: number): void;
}

/**
 * Using the thread pool costs this thread more time than a system call that finds everything in memory, and takes ten times as
 * long. It pays only if the disk may be slow.
 */
const atOnce: Disk = {
  realpath: (path) => fs.realpathSync.native(path),
  stat: (path) => fs.statSync(path, { bigint: true }),
  read: (file, buffer, offset) => fs.readSync(file, buffer, offset, buffer.length - offset, null),
  close: fs.closeSync,
};

const pool = { open: promisify(fs.open), stat: promisify(fs.stat), read: promisify(fs.read) };

const inThreadPool: Disk = {
  realpath: promisify(fs.realpath.native),
  stat: (path) => pool.stat(path, { bigint: true }),
  read: async (file, buffer, offset) =>
    (await pool.read(file, buffer, offset, buffer.length - offset, null)).bytesRead,
  close: (file) => fs.close(file, () => {}), // nothing was written, so nothing is lost
};

/** A file open for reading, or a folder if the system can open folders. Throws Node's errors. */
export class OpenedFile {
  readonly stats: fs.BigIntStats;
  #isClosed = false;
  readonly #file: number;
  readonly #disk: Disk;

  private constructor(file: number, disk: Disk) {
    this.#file = file;
    this.#disk = disk;
    this.stats = fs.fstatSync(file, { bigint: true });
  }

  static async open(path: string, near: NearDisk): Promise<OpenedFile> {
    const started = clock.now();
    const file = (near.has(path) ? openUnlessLink(path) : undefined) ?? (await pool.open(path, toRead()));
    return new OpenedFile(file, clock.now() - started < QUICK ? atOnce : inThreadPool);
  }

  /**
   * The real path of the opened file. Linux knows it for an open file. Elsewhere the path is resolved again; undefined if it
   * now leads to another file.
   */
  async realpath(path: string): Promise<string | undefined> {
    const known = pathOfOpen(this.#file);
    if (known !== undefined) return known;
    const real = await this.#disk.realpath(path);
    const isSame = isSameFile(await this.#disk.stat(real), this.stats);
    // A link that is swapped repeatedly may have affected only one of the two calls.
    return isSame && (await this.#disk.realpath(path)) === real ? real : undefined;
  }

  /** At most the bytes that the file had when it was opened; it may grow or shrink meanwhile. @param most bytes */
  async read(most = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(Math.min(Number(this.stats.size), most));
    const disk = buffer.length <= SMALL ? this.#disk : inThreadPool;
    let length = 0;
    while (length < buffer.length) {
      const count = await disk.read(this.#file, buffer, length);
      if (count === 0) break;
      length += count;
    }
    return buffer.subarray(0, length);
  }

  /** May be called again: closing a reused file descriptor would close another file. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disk.close(this.#file);
  }
}

/** Undefined for a link, which may lead to a slow disk. */
function openUnlessLink(path: string): number | undefined {
  try {
    return fs.openSync(path, toRead() | fs.constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
}

/** Undefined if the system does not know it, or the file was deleted meanwhile. */
function pathOfOpen(file: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const path = attempt(() => fs.readlinkSync(`/proc/self/fd/${file}`));
  return path?.startsWith('/') && !path.endsWith(' (deleted)') ? path : undefined;
}

type Inode = Pick<fs.BigIntStats, 'ino' | 'dev'>;

/** Compares the lower half of the volume number: on newer Windows a path's stat has all of it, a handle's only this half. */
export const isSameFile = (a: Inode, b: Inode): boolean =>
  a.ino === b.ino && BigInt.asUintN(32, a.dev) === BigInt.asUintN(32, b.dev);
