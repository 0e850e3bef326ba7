import { opendirSync, statSync } from 'node:fs';
import { realpath, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { attempt } from '../core/errors.ts';
import { clock } from '../util/clock.ts';

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

/** Names of a folder that are checked to find one with a letter. */
const LOOKED_AT = 20;

/**
 * Whether a folder's file system ignores case. On Linux those of Windows do (a USB stick, WSL's `/mnt/c`), and no system call
 * returns the real spelling there. False if it cannot be determined.
 */
export function ignoresCaseIn(folder: string): boolean {
  const name = attempt(() => firstNamesIn(folder))?.find((one) => inOtherCase(one) !== one);
  if (name === undefined) return false;
  const [one, other] = [name, inOtherCase(name)].map((spelled) =>
    attempt(() => statSync(join(folder, spelled))),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

function firstNamesIn(folder: string): string[] {
  const directory = opendirSync(folder);
  try {
    return Array.from({ length: LOOKED_AT }, () => directory.readSync()?.name ?? '');
  } finally {
    directory.closeSync();
  }
}

const inOtherCase = (name: string): string =>
  name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
