import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { isWithin } from '../core/paths.ts';
import { installShim } from '../ipc/installedShim.ts';
import type { GoodbyeReason } from '../ipc/preamble.ts';
import { makePrivateDirectory } from '../ipc/privateDirectory.ts';
import { explained } from '../ipc/replaceFile.ts';
import { newSocketPath } from '../ipc/socketPath.ts';
import {
  bootId,
  HOME_VARIABLE,
  hostId,
  newToken,
  RECORD_VERSION,
  removeRecord,
  type WindowRecord,
  windowsDirectory,
  writeRecord,
} from '../ipc/windowRecord.ts';
import { closeToOthers } from '../ipc/windowsAccess.ts';
import { realPathOf } from '../util/diskPaths.ts';
import { debounce } from '../util/events.ts';
import { type Listener, type ListenerOptions, removeSocket, startListener } from './listener.ts';
import { claimWindowId, removeStaleWindows, type WindowClaim } from './windowClaim.ts';

export type WindowDescription = Omit<
  WindowRecord,
  'version' | 'id' | 'pid' | 'host' | 'bootId' | 'socketPath' | 'token' | 'startedAt'
>;

export interface WindowServerOptions
  extends Pick<ListenerOptions, 'openSession' | 'isResponsive' | 'knowsSession' | 'log'> {
  home: string;
  env: NodeJS.ProcessEnv;
  /** The preferred window id, from {@link windowIdFrom}. */
  wantedId: string;
  bundledShim: string;
  describe(): WindowDescription;
  folderPaths(): string[];
}

/** Debounce of record writes, in milliseconds. */
const RECORD_DELAY = 100;

/** One run of a {@link WindowServer}, from start to stop. Owns what must be released. */
export class ServerRun {
  isClosed = false;
  record: WindowRecord | undefined;
  readonly #options: WindowServerOptions;
  readonly #onConnectionsChange: () => void;
  readonly #writeSoon = debounce(() => this.#rewrite(), RECORD_DELAY);
  #givingBack: ((goodbye?: GoodbyeReason) => void)[] = [];
  #claim: WindowClaim | undefined;
  #listener: Listener | undefined;

  constructor(options: WindowServerOptions, onConnectionsChange: () => void) {
    this.#options = options;
    this.#onConnectionsChange = onConnectionsChange;
  }

  get connections(): number {
    return this.#listener?.connections ?? 0;
  }

  /** Resolves when agents can find the window. Rejects on failure, or if it is closed meanwhile. */
  async open(): Promise<void> {
    this.#refuseWhenClosed();
    const { home, env, wantedId, log } = this.#options;
    prepareStateDirectory(home, this.#options.folderPaths());
    if (process.platform === 'win32') await closeToOthers(home);
    this.#refuseWhenClosed();
    this.#installShim();
    const token = newToken();
    const { platform } = process;
    const socketPath = newSocketPath({ env, platform, tmpdir: tmpdir(), home, uid: process.getuid?.() });
    this.#claim = this.#own(await claimWindowId(home, wantedId, token), (claim) => claim.release());
    // The socket file exists before the listener: a window that closes in between must remove it.
    this.#givingBack.push(() => removeSocket(socketPath));
    const onConnectionsChange = this.#onConnectionsChange;
    const listening = startListener({ ...this.#options, socketPath, token, onConnectionsChange });
    this.#listener = this.#own(await listening, (listener, goodbye) => listener.close(goodbye));
    this.#publish(this.#claim.id, socketPath, token);
    log.info(`Window ${this.#claim.id} listens at ${socketPath}.`);
    removeStaleWindows(home, socketPath).catch((error: Error) => log.warn(error.message));
  }

  /** Updates the record after {@link RECORD_DELAY}. */
  update(change: Partial<WindowDescription>): void {
    if (!this.record) return; // it is built from the current description later
    this.record = { ...this.record, ...change };
    this.#writeSoon();
  }

  /** Releases what the run owns, last first. Logs errors instead of throwing. @param goodbye for shims */
  close(goodbye?: GoodbyeReason): void {
    this.isClosed = true;
    this.#writeSoon.dispose();
    for (const giveBack of this.#givingBack.splice(0).reverse()) {
      try {
        giveBack(goodbye);
      } catch (error) {
        this.#options.log.warn((error as Error).message);
      }
    }
  }

  /** Registers something for release. After the end, releases it at once and throws. */
  #own<T>(thing: T, giveBack: (thing: T, goodbye?: GoodbyeReason) => void): T {
    this.#givingBack.push((goodbye) => giveBack(thing, goodbye));
    if (this.isClosed) this.close();
    this.#refuseWhenClosed();
    return thing;
  }

  #refuseWhenClosed(): void {
    if (this.isClosed) throw new Error('The server was stopped while it was starting.');
  }

  /** Only warns on failure: the server also works with an older installed shim. */
  #installShim(): void {
    const { home, bundledShim, log } = this.#options;
    try {
      installShim(home, bundledShim);
    } catch (error) {
      log.warn(`The shim could not be copied to ${home}: ${explained(error, home).message}`);
    }
  }

  #publish(id: string, socketPath: string, token: string): void {
    const { home, describe } = this.#options;
    this.record = {
      version: RECORD_VERSION,
      id,
      pid: process.pid,
      host: hostId(),
      bootId: bootId(),
      socketPath,
      token,
      startedAt: Date.now(),
      ...describe(),
    };
    this.#givingBack.push(() => removeRecord(home, id, token));
    writeRecord(home, this.record);
  }

  #rewrite(): void {
    const { home, log } = this.#options;
    if (!this.record) return;
    try {
      if (this.#claim?.renew()) writeRecord(home, this.record);
      // The record with that id now belongs to the successor.
      else log.warn(`Another window has taken over the id ${this.record.id}. Agents connect to that window.`);
    } catch (error) {
      log.warn(`The record of the window could not be written: ${explained(error, home).message}`);
    }
  }
}

/**
 * Creates or checks the state directory. It contains the tokens of all windows and the shim, so neither other users nor
 * agents (through a workspace folder) may access it.
 *
 * @param folderPaths paths of the workspace folders
 * @throws Error with the reason and what to do
 */
export function prepareStateDirectory(home: string, folderPaths: string[]): void {
  refuseWithinFolders(home, folderPaths);
  const uid = process.getuid?.();
  makePrivateDirectory(home, uid);
  makePrivateDirectory(windowsDirectory(home), uid);
  // Again with the real path: the directory may be behind a link.
  refuseWithinFolders(realpathSync.native(home), folderPaths);
}

function refuseWithinFolders(home: string, folderPaths: string[]): void {
  const holder = folderPaths.find((folder) =>
    [resolve(folder), realPathOf(folder)].some((path) => isWithin(resolve(home), path, process.platform)),
  );
  if (holder === undefined) return;
  throw new Error(
    `Workspace MCP does not keep its state in ${home}: it is inside the workspace folder ${holder}, so agents could access it. ` +
      `Set ${HOME_VARIABLE} to a directory outside the workspace, for VS Code and for the agents.`,
  );
}
