import type { Socket } from 'node:net';
import { type Dialled, dial, HELLO_TIMEOUT, LATE } from '../../ipc/dial.ts';
import type { ShimProof } from '../../ipc/preamble.ts';
import { explained } from '../../ipc/replaceFile.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { clock } from '../../util/clock.ts';
import type { WindowChoice } from './chooseWindow.ts';
import type { Tier } from './windowQuery.ts';

/** Time limit for finding and entering a window, over all candidates, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/** An authenticated connection to a window; the socket carries JSON-RPC. */
export interface Connection {
  record: WindowRecord;
  socket: Socket;
  /** Key with which a later connection resumes this session. */
  resume: string;
}

/** Chooses a window. @param ask gives the windows of a tier that answer */
type Choose = (ask: (tier: Tier) => Promise<Dialled[]>) => Promise<WindowChoice<Dialled> | undefined>;

/** One search for a window, with one time limit. */
export class WindowAttempt {
  readonly #about: Omit<ShimProof, 'proof'>;
  readonly #deadline = clock.now() + CONNECT_TIMEOUT;
  /** Connections that are not entered yet. */
  readonly #dialled: Dialled[] = [];
  /** Errors by the tokens of windows, which are not dialled again: a frozen one would cost the time limit each time. */
  readonly #failures = new Map<string, NodeJS.ErrnoException>();

  constructor(about: Omit<ShimProof, 'proof'>) {
    this.#about = about;
  }

  /** Problems of windows that exist. */
  get problems(): string[] {
    // Nothing listens: a crashed window or another machine's. The user need not know.
    const isKnown = ({ code }: NodeJS.ErrnoException) => code !== 'ECONNREFUSED' && code !== 'ENOENT';
    const errors = [...this.#failures.values()].filter(isKnown);
    return [...new Set(errors.map((error) => explained(error).message))];
  }

  /**
   * Enters the window that is chosen, or none of several that match equally well. A responsive workbench wins among several. All
   * other connections are closed.
   */
  async enter(choose: Choose): Promise<Connection | { several: readonly WindowRecord[] } | undefined> {
    for (;;) {
      const { windows = [] } = (await choose((tier) => this.#dialTier(tier))) ?? {};
      const [window, ...others] = windows;
      const chosen = others.length === 0 ? window : undefined;
      for (const dialled of this.#dialled.splice(0)) if (dialled !== chosen) dialled.socket.destroy();
      if (!chosen) return window && { several: windows.map(({ record }) => record) };
      try {
        return { record: chosen.record, socket: chosen.socket, resume: await chosen.enter(this.#about) };
      } catch (error) {
        this.#failures.set(chosen.record.token, error as Error);
      }
    }
  }

  /** The records whose windows answer and authenticate. */
  async answering(records: readonly WindowRecord[]): Promise<WindowRecord[]> {
    const open = await Promise.all(records.map((record) => this.#dial(record, false)));
    for (const window of open) window?.socket.destroy();
    return open.filter((window) => window !== undefined).map(({ record }) => record);
  }

  wasLate({ token }: WindowRecord): boolean {
    return this.#failures.get(token)?.code === LATE;
  }

  async #dialTier(tier: Tier): Promise<Dialled[]> {
    // The workbench matters only if there is another window to prefer.
    const dial = (record: WindowRecord) =>
      tier.length > 1 ? this.#dialTwice(record) : this.#dial(record, false);
    const answering = (await Promise.all(tier.map(dial))).filter((window) => window !== undefined);
    this.#dialled.push(...answering);
    return answering;
  }

  /** A workbench that does not respond once may only be busy: then no other window is preferred. */
  async #dialTwice(record: WindowRecord): Promise<Dialled | undefined> {
    const first = await this.#dial(record, true);
    if (!first || first.responsive) return first;
    first.socket.destroy();
    return this.#dial(record, true);
  }

  async #dial(record: WindowRecord, probe: boolean): Promise<Dialled | undefined> {
    const timeout = Math.min(HELLO_TIMEOUT, this.#deadline - clock.now());
    if (timeout <= 0 || this.#failures.has(record.token)) return undefined;
    try {
      return await dial(record, { probe, timeout });
    } catch (error) {
      this.#failures.set(record.token, error as Error);
      return undefined;
    }
  }
}
