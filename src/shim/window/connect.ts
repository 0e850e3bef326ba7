import type { Socket } from 'node:net';
import { type Dialled, dial, LATE } from '../../ipc/dial.ts';
import { explained } from '../../ipc/fileErrors.ts';
import type { ShimProof } from '../../ipc/preamble.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { clock } from '../../util/clock.ts';
import type { Tier } from './windowQuery.ts';

/** Time limit for finding and entering a window, over all candidates, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * How long a window may take to answer, in milliseconds. Longer than the limit for its workbench; short enough that another
 * window, which waits for our proof, does not give up.
 */
const HELLO_TIMEOUT = 3_000;

/** An authenticated connection to a window; the socket carries JSON-RPC. */
export interface Connection {
  record: WindowRecord;
  socket: Socket;
  /** Key with which a later connection resumes this session. */
  resume: string;
}

/** Windows that match equally well: none is chosen. */
export interface Several {
  several: readonly WindowRecord[];
}

/** One search for a window, with one time limit. */
export class Attempt {
  readonly #about: Omit<ShimProof, 'proof'>;
  readonly #deadline = clock.now() + CONNECT_TIMEOUT;
  readonly #problems = new Set<string>();
  /** Tokens of windows that did not answer: a frozen window would cost the time limit at each try. */
  readonly #silent = new Set<string>();
  /** Those of them that timed out: they may only be busy. */
  readonly #late = new Set<WindowRecord>();

  constructor(about: Omit<ShimProof, 'proof'>) {
    this.#about = about;
  }

  /** Errors of windows that exist. */
  get problems(): string[] {
    return [...this.#problems];
  }

  /**
   * Enters the window of the first tier in which one answers. Among several, a responsive workbench wins, then a favourite.
   * If several are left, none is entered. All other connections are closed.
   *
   * @param favourites window ids, best first
   */
  async enterFirst(
    tiers: readonly { windows: Tier }[],
    favourites: readonly string[] = [],
  ): Promise<Connection | Several | undefined> {
    for (const { windows: tier } of tiers) {
      // The workbench matters only if there is another window to prefer.
      const isProbed = tier.length > 1;
      const dialled = await Promise.all(
        tier.map((record) => (isProbed ? this.#dialTwice(record) : this.#dial(record, false))),
      );
      const answering = dialled.filter((window) => window !== undefined);
      const [window, ...others] = preferred(answering, favourites);
      const connection = others.length === 0 && window ? await this.#enter(window) : undefined;
      for (const { socket } of answering) if (socket !== connection?.socket) socket.destroy();
      if (connection) return connection;
      if (window && others.length > 0) return { several: [window, ...others].map(({ record }) => record) };
    }
    return undefined;
  }

  /** The records whose windows answer and authenticate. */
  async answering(records: readonly WindowRecord[]): Promise<WindowRecord[]> {
    const open = await Promise.all(records.map((record) => this.#dial(record, false)));
    for (const window of open) window?.socket.destroy();
    return open.filter((window) => window !== undefined).map(({ record }) => record);
  }

  /** Whether a window timed out. */
  wasLate(record: WindowRecord): boolean {
    return this.#late.has(record);
  }

  /** Whether a window or its workbench does not respond. */
  async isStuck(record: WindowRecord): Promise<boolean> {
    const dialled = await this.#dial(record, true);
    dialled?.socket.destroy();
    return dialled?.responsive !== true;
  }

  async #enter({ record, socket, enter }: Dialled): Promise<Connection | undefined> {
    try {
      return { record, socket, resume: await enter(this.#about) };
    } catch (error) {
      this.#note(error);
      return undefined;
    }
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
    if (timeout <= 0 || this.#silent.has(record.token)) return undefined;
    try {
      return await dial(record, { probe, timeout });
    } catch (error) {
      this.#silent.add(record.token);
      if ((error as NodeJS.ErrnoException).code === LATE) this.#late.add(record);
      this.#note(error);
      return undefined;
    }
  }

  #note(error: unknown): void {
    // Nothing listens: a crashed window or another machine's. The user need not know.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED' && code !== 'ENOENT') this.#problems.add(explained(error).message);
  }
}

/** Among windows that answer: those with a responsive workbench, or all if there is none; of these the best favourite, if any. */
export function preferred<T extends { record: WindowRecord; responsive: boolean }>(
  answering: readonly T[],
  favourites: readonly string[],
): readonly T[] {
  const alive = answering.filter(({ responsive }) => responsive);
  const left = alive.length > 0 ? alive : answering;
  const [best] = favourites.flatMap((id) => left.filter(({ record }) => record.id === id));
  return best ? [best] : left;
}
