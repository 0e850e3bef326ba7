import { lstatSync } from 'node:fs';
import { realpath, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Magic numbers of file systems with no network behind them (statfs(2)): ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, bcachefs.
 * Only Linux has such numbers; elsewhere no disk counts as near.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
]);

/** How long it is believed that a directory is where it was, in milliseconds, and of how many. */
const BELIEVED = 5_000;
const MOST = 1_000;

/**
 * Knows the directories whose files may be asked about on this thread. A call through the thread pool takes ten times as long
 * as one that finds all in memory; but one for a disk in a network may never return, and everything would stop with it.
 */
export class NearDisk {
  /** Until when each is believed in, by `performance.now()`. */
  readonly #directories = new Map<string, number>();
  readonly #looking = new Set<string>();
  readonly #believed: number;
  readonly #local: ReadonlySet<number>;

  constructor({
    believed = BELIEVED,
    local = LOCAL,
  }: { believed?: number; local?: ReadonlySet<number> } = {}) {
    this.#believed = believed;
    this.#local = local;
  }

  /** Whether calls about this absolute path come back at once: neither it nor a directory above it is a link. */
  has(path: string): boolean {
    const until = this.#directories.get(dirname(path));
    return until !== undefined && performance.now() < until && !isLink(path);
  }

  /** Finds out about the directory of a path, for the next time. Never rejects. */
  async look(path: string): Promise<void> {
    const directory = dirname(path);
    if (process.platform !== 'linux' || this.#looking.has(directory)) return;
    this.#looking.add(directory);
    const found = await this.#isNear(directory).catch(() => false);
    this.#looking.delete(directory);
    if (this.#directories.size >= MOST) this.#directories.clear();
    if (found) this.#directories.set(directory, performance.now() + this.#believed);
  }

  async #isNear(directory: string): Promise<boolean> {
    return (await realpath(directory)) === directory && this.#local.has((await statfs(directory)).type);
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return true; // whoever asks in the thread pool gets the error
  }
}
