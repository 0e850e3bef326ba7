import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isResponsive } from '../ipc/dial.ts';
import { hostId } from '../ipc/machine.ts';
import { readIfThere } from '../ipc/replaceFile.ts';
import { isWindowId, readRecord, windowsDirectory } from '../ipc/windowRecord.ts';

/** A holder that has written no record by then, in milliseconds, has died on the way. */
const START_TIME = 60_000;

/** How many windows may want the same id. */
const MAX_NUMBER = 99;

/**
 * The id that a window would like: it comes from `context.storageUri`, which stays with a window over a reload and is
 * different for a second window on the same folder. Random where there is no workspace.
 */
export const windowIdFrom = (storageUri: string | undefined): string =>
  storageUri === undefined
    ? randomBytes(6).toString('hex')
    : createHash('sha256').update(storageUri).digest('hex').slice(0, 12);

/**
 * Claims the id, or `<id>-2`, `<id>-3` … while a live window holds it. A window lives when it answers at the socket of
 * its record and its workbench gives a sign of life; after a dropped browser or SSH link the extension host stays
 * behind without one, and its successor takes the id over.
 *
 * @param token the token of the record that the caller will write within {@link START_TIME}
 * @throws Error when the id is none, when {@link MAX_NUMBER} windows hold it, or when locks cannot be written
 */
export async function claimWindowId(home: string, wantedId: string, token: string): Promise<WindowClaim> {
  mkdirSync(windowsDirectory(home), { recursive: true, mode: 0o700 });
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const id = number === 1 ? wantedId : `${wantedId}-${number}`;
    const claim = new WindowClaim(home, id, token);
    if (claim.take() || (await claim.takeOver())) return claim;
  }
  throw new Error(
    `The window ids ${wantedId} to ${wantedId}-${MAX_NUMBER} are all taken. Remove ${windowsDirectory(home)}, then reload the windows.`,
  );
}

/** Removes the lock that a dead window has left on an id, while it is still that window's. */
export const releaseWindowId = (home: string, id: string, token: string): void =>
  new WindowClaim(home, id, token).release();

/** A window id that no other window has while it is held. */
export class WindowClaim {
  readonly id: string;
  readonly #home: string;
  readonly #token: string;
  readonly #lock: string;

  constructor(home: string, id: string, token: string) {
    if (!isWindowId(id)) throw new Error(`"${id}" is not a window id: ids are made of a-z, 0-9 and "-".`);
    this.id = id;
    this.#home = home;
    this.#token = token;
    this.#lock = join(windowsDirectory(home), `${id}.lock`);
  }

  /** The lock holds the token of the record that belongs to it; the file is of this user alone, as the record is. */
  take(): boolean {
    return createExclusively(this.#lock, this.#token);
  }

  async takeOver(): Promise<boolean> {
    const holder = read(this.#lock);
    if (holder === undefined) return this.take();
    if (await this.#isAlive(holder)) return false;
    this.#remove(holder);
    return this.take();
  }

  /** False once another window has taken the id over, because this one's workbench did not answer. */
  isHeld(): boolean {
    return read(this.#lock) === this.#token;
  }

  /** The same, but a lock that has vanished is put there again. @throws Error of the system */
  renew(): boolean {
    mkdirSync(windowsDirectory(this.#home), { recursive: true, mode: 0o700 });
    return this.isHeld() || this.take();
  }

  /** Gives the id back; does nothing when it is no longer held. */
  release(): void {
    this.#remove(this.#token);
  }

  async #isAlive(holder: string): Promise<boolean> {
    const record = readRecord(this.#home, this.id);
    // Whoever cannot be reached on this machine is dead or stuck. Another machine's windows cannot be asked.
    if (record?.token === holder) return isResponsive(record).catch(() => record.host !== hostId());
    const createdAt = statSync(this.#lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - createdAt < START_TIME;
  }

  /**
   * Removes the lock while it is this holder's. Looking and removing are two steps, and between them another window
   * could remove the lock and take the id: a second lock makes them one. It is held for no longer than this function,
   * which nothing interrupts; where a crash has left it, the id stays taken and the next one is used.
   */
  #remove(holder: string): void {
    const guard = `${this.#lock}.remove`;
    if (!createExclusively(guard, '')) return;
    try {
      if (read(this.#lock) === holder) rmSync(this.#lock, { force: true });
    } finally {
      rmSync(guard, { force: true });
    }
  }
}

function createExclusively(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows says EPERM while another process has the removed file open.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

/** Undefined if it was released meanwhile. */
const read = (path: string): string | undefined => readIfThere(path)?.toString();
