import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isResponsive } from '../ipc/dial.ts';
import { isOwnSocket, leftSockets, refusing } from '../ipc/socketPath.ts';
import {
  hostId,
  isOfThisBoot,
  isWindowId,
  readRecord,
  readRecords,
  removeRecord,
  windowsDirectory,
} from '../ipc/windowRecord.ts';
import { readIfThere } from '../util/diskPaths.ts';

/** Time for the holder of a lock to write its record, in milliseconds. After that it is dead. */
const START_TIME = 60_000;

/** Most windows with the same preferred id. */
const MAX_NUMBER = 99;

/**
 * The preferred id of a window. It comes from `context.storageUri`, which survives a reload and differs for a second window
 * on the same folder. Random without a workspace.
 */
export const windowIdFrom = (storageUri: string | undefined): string =>
  storageUri === undefined
    ? randomBytes(6).toString('hex')
    : createHash('sha256').update(storageUri).digest('hex').slice(0, 12);

/**
 * Claims the id, or `<id>-2`, `<id>-3` … if a live window holds it. A window is alive if its socket answers and its
 * workbench responds. After a lost browser or SSH connection an extension host runs on without a workbench, and its
 * successor takes over the id.
 *
 * @param token token of the record that the caller will write within {@link START_TIME}
 * @throws Error if the id is invalid, if {@link MAX_NUMBER} windows hold it, or if locks cannot be written
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

/**
 * Removes record, lock and socket of crashed windows of this machine and boot. Keeps those of other machines and containers
 * that share the home directory: their windows may be alive although the socket refuses here.
 *
 * @param socketPath a socket; the other sockets in its directory are checked
 */
export async function removeStaleWindows(home: string, socketPath: string): Promise<void> {
  const records = readRecords(home).filter(isOfThisBoot);
  const directory = dirname(socketPath);
  for (const record of await refusing(records, (one) => one.socketPath)) {
    new WindowClaim(home, record.id, record.token).release();
    removeRecord(home, record.id, record.token);
    if (isOwnSocket(record.socketPath, directory)) rmSync(record.socketPath, { force: true });
  }
  for (const path of await leftSockets(directory)) rmSync(path, { force: true });
}

/** A claim on a window id: only one window holds an id at a time. */
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

  /** The lock file contains the token of its record. Like the record, only this user can read it. */
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

  /** False once another window has taken over the id, because this workbench did not respond. */
  isHeld(): boolean {
    return read(this.#lock) === this.#token;
  }

  /** Whether the id is still held; creates a missing lock again. @throws Error of the system */
  renew(): boolean {
    mkdirSync(windowsDirectory(this.#home), { recursive: true, mode: 0o700 });
    return this.isHeld() || this.take();
  }

  /** Releases the id; does nothing if it is no longer held. */
  release(): void {
    this.#remove(this.#token);
  }

  async #isAlive(holder: string): Promise<boolean> {
    const record = readRecord(this.#home, this.id);
    // An unreachable window of this machine is dead or stuck. Windows of other machines cannot be probed.
    if (record?.token === holder) return isResponsive(record).catch(() => record.host !== hostId());
    const createdAt = statSync(this.#lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - createdAt < START_TIME;
  }

  /**
   * Removes the lock if this holder has it. Between check and removal another window could take over the id, so a second
   * lock makes them atomic. It exists only during this synchronous function. If a crash leaves it, the id stays taken and
   * the next one is used.
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
    // Windows reports EPERM while another process has the removed file open.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false;
    throw error;
  }
}

/** Undefined if the lock was released meanwhile. */
const read = (path: string): string | undefined => readIfThere(path)?.toString();
