import { tmpdir } from 'node:os';
import { explained } from '../ipc/fileErrors.ts';
import type { GoodbyeReason } from '../ipc/goodbye.ts';
import { installShim } from '../ipc/installedShim.ts';
import { bootId, hostId } from '../ipc/machine.ts';
import { newSocketPath } from '../ipc/socketPath.ts';
import {
  newToken,
  RECORD_VERSION,
  removeRecord,
  type WindowRecord,
  writeRecord,
} from '../ipc/windowRecord.ts';
import { debounce } from '../util/debounce.ts';
import { type Listener, type ListenerOptions, removeSocket, startListener } from './listener.ts';
import { removeStaleWindows } from './staleWindows.ts';
import { prepareStateDirectory } from './stateDirectory.ts';
import { claimWindowId, type WindowClaim } from './windowClaim.ts';

/** What a record tells of the window itself. */
export type WindowDescription = Pick<
  WindowRecord,
  | 'workspaceFolders'
  | 'workspaceFile'
  | 'ideName'
  | 'ideVersion'
  | 'extensionVersion'
  | 'trusted'
  | 'focusedAt'
  | 'toolsOff'
>;

export interface WindowServerOptions
  extends Pick<ListenerOptions, 'openSession' | 'isResponsive' | 'knowsSession' | 'log'> {
  /** The state directory. */
  home: string;
  env: NodeJS.ProcessEnv;
  /** The id that the window would like, of {@link windowIdFrom}. */
  wantedId: string;
  /** Path of the shim that comes with the extension. */
  bundledShim: string;
  describe(): WindowDescription;
  /** Paths of the workspace folders, as far as they are on a disk. */
  folderPaths(): string[];
}

/** What makes a burst of changes one write of the record, in milliseconds. */
const RECORD_DELAY = 100;

/** One run of a {@link WindowServer}, from start to stop: owns what has to be given back. */
export class ServerRun {
  isClosed = false;
  /** What agents find the window by, while it is open. */
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

  /** Resolves when agents can find the window. Rejects where that fails, and when it is closed meanwhile. */
  async open(): Promise<void> {
    this.#refuseWhenClosed();
    const { home, env, wantedId, log } = this.#options;
    prepareStateDirectory(home, this.#options.folderPaths());
    this.#installShim();
    const token = newToken();
    const socketPath = newSocketPath({
      env,
      platform: process.platform,
      tmpdir: tmpdir(),
      home,
      uid: process.getuid?.(),
    });
    this.#claim = this.#own(await claimWindowId(home, wantedId, token), (claim) => claim.release());
    // The socket is there before the listener is: a window that closes in between must not leave it behind.
    this.#givingBack.push(() => removeSocket(socketPath));
    const onConnectionsChange = this.#onConnectionsChange;
    const listening = startListener({ ...this.#options, socketPath, token, onConnectionsChange });
    this.#listener = this.#own(await listening, (listener, goodbye) => listener.close(goodbye));
    this.#publish(this.#claim.id, socketPath, token);
    log.info(`Window ${this.#claim.id} listens at ${socketPath}.`);
    removeStaleWindows(home, socketPath).catch((error: Error) => log.warn(error.message));
  }

  /** Brings the record up to date, soon. */
  update(change: Partial<WindowDescription>): void {
    if (!this.record) return; // what it will tell is asked for when it is made
    this.record = { ...this.record, ...change };
    this.#writeSoon();
  }

  /** Gives back what the run owns, the last first. Does not throw: a window that closes has no one to tell. @param goodbye for shims */
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

  /** Takes charge of something; what arrives after the end is given back at once. */
  #own<T>(thing: T, giveBack: (thing: T, goodbye?: GoodbyeReason) => void): T {
    this.#givingBack.push((goodbye) => giveBack(thing, goodbye));
    if (this.isClosed) this.close();
    this.#refuseWhenClosed();
    return thing;
  }

  #refuseWhenClosed(): void {
    if (this.isClosed) throw new Error('The server was stopped while it was starting.');
  }

  /** An old copy of the shim, or one that somebody else put there, is no reason to have no server. */
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
      // The record of that id is the successor's now.
      else log.warn(`Another window has taken over the id ${this.record.id}: agents find that one.`);
    } catch (error) {
      log.warn(`The record of the window could not be written: ${explained(error, home).message}`);
    }
  }
}
