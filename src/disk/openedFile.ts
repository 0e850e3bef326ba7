import {
  type BigIntStats,
  close,
  closeSync,
  constants,
  fstatSync,
  open,
  openSync,
  read,
  readlinkSync,
  readSync,
  realpath,
  realpathSync,
  stat,
  statSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { NearDisk } from './localDirectories.ts';

/** A disk that has opened a file within this time, in milliseconds, has what else is asked about it in memory. */
const QUICK = 2;

/** So many bytes of such a file are read at once. */
const SMALL = 64 * 1024;

type Maybe<T> = T | Promise<T>;

interface Disk {
  realpath(path: string): Maybe<string>;
  stat(path: string): Maybe<BigIntStats>;
  /** How many bytes were read, to the offset in the buffer from where the last reading ended. */
  read(file: number, buffer: Uint8Array, offset: number): Maybe<number>;
  close(file: number): void;
}

/**
 * A trip through the thread pool keeps this thread busy for longer than a system call that finds everything in memory, and
 * then takes ten times as long. Only where the disk may keep us waiting is it worth that.
 */
const atOnce: Disk = {
  realpath: (path) => realpathSync.native(path),
  stat: (path) => statSync(path, { bigint: true }),
  read: (file, buffer, offset) => readSync(file, buffer, offset, buffer.length - offset, null),
  close: closeSync,
};

const pool = { open: promisify(open), stat: promisify(stat), read: promisify(read) };

const inThreadPool: Disk = {
  realpath: promisify(realpath.native),
  stat: (path) => pool.stat(path, { bigint: true }),
  read: async (file, buffer, offset) =>
    (await pool.read(file, buffer, offset, buffer.length - offset, null)).bytesRead,
  close: (file) => close(file, () => {}), // nothing was written, so nothing is lost
};

/** Without O_NONBLOCK the opening of a FIFO would wait for a writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file, or a folder where the system lets one be opened, that is open for reading. Errors are Node's. */
export class OpenedFile {
  readonly stats: BigIntStats;
  #isClosed = false;
  readonly #file: number;
  readonly #disk: Disk;

  private constructor(file: number, disk: Disk) {
    this.#file = file;
    this.#disk = disk;
    this.stats = fstatSync(file, { bigint: true });
  }

  static async open(path: string, near: NearDisk): Promise<OpenedFile> {
    const started = performance.now();
    const file = near.has(path) ? openSync(path, FLAGS) : await pool.open(path, FLAGS);
    return new OpenedFile(file, performance.now() - started < QUICK ? atOnce : inThreadPool);
  }

  /**
   * The real path of what was opened by a path. Linux tells it of what is open; elsewhere the path is resolved again, and
   * has to lead to the same file: undefined where it does not.
   */
  async realpath(path: string): Promise<string | undefined> {
    const known = pathOfOpen(this.#file);
    if (known !== undefined) return known;
    const real = await this.#disk.realpath(path);
    const isSame = isSameFile(await this.#disk.stat(real), this.stats);
    // A link that is swapped all the time may have been in the way of the one and not of the other.
    return isSame && (await this.#disk.realpath(path)) === real ? real : undefined;
  }

  /** As many bytes as there were when it was opened, or the first of them: it may grow or shrink meanwhile. */
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

  /** May be called again: the number of a closed file soon is another one's. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disk.close(this.#file);
  }
}

/** Undefined where the system does not tell, or the file has been removed meanwhile. */
function pathOfOpen(file: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const path = readlinkSync(`/proc/self/fd/${file}`);
    return path.startsWith('/') && !path.endsWith(' (deleted)') ? path : undefined;
  } catch {
    return undefined;
  }
}

type Inode = Pick<BigIntStats, 'ino' | 'dev'>;

/** By the lower half of the volume's number: on newer Windows a path tells all of it, a handle no more than that. */
export const isSameFile = (a: Inode, b: Inode): boolean =>
  a.ino === b.ino && BigInt.asUintN(32, a.dev) === BigInt.asUintN(32, b.dev);
