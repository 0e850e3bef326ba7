import type { Socket } from 'node:net';
import { type Dialled, dial, LATE } from '../../ipc/dial.ts';
import { explained } from '../../ipc/fileErrors.ts';
import type { ShimProof } from '../../ipc/preamble.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import type { Tier } from './windowQuery.ts';

/** Longest time for finding and entering a window, in milliseconds, over all candidates. */
const CONNECT_TIMEOUT = 10_000;

/**
 * How long a window may take to answer, in milliseconds: longer than its workbench may for a sign of life, and not so long that
 * another one, which has answered and waits for our proof, gives us up meanwhile.
 */
const HELLO_TIMEOUT = 3_000;

/** An open way to a window; the socket carries JSON-RPC from here on. */
export interface Connection {
  record: WindowRecord;
  socket: Socket;
  /** Lets a later connection go on with this one's session. */
  resume: string;
}

/** Windows that fit equally well, of which none is taken. */
export interface Several {
  several: readonly WindowRecord[];
}

/** One look for a window, with a time limit over all of it. */
export class Attempt {
  readonly #about: Omit<ShimProof, 'proof'>;
  readonly #deadline = Date.now() + CONNECT_TIMEOUT;
  readonly #problems = new Set<string>();
  /** Windows that have not answered: asked again, one that is frozen would take its time each time. */
  readonly #silent = new Set<string>();
  /** Of those the ones that may just be busy. */
  readonly #late = new Set<WindowRecord>();

  constructor(about: Omit<ShimProof, 'proof'>) {
    this.#about = about;
  }

  /** What went wrong with windows that are there. */
  get problems(): string[] {
    return [...this.#problems];
  }

  /**
   * Enters the window of the first tier in which one answers. Of several that do, those whose workbench lives go first,
   * and of those the favourites; where that leaves more than one, none is entered. No other connection stays open.
   *
   * @param favourites ids, the best first
   */
  async enterFirst(
    tiers: readonly { windows: Tier }[],
    favourites: readonly string[] = [],
  ): Promise<Connection | Several | undefined> {
    for (const { windows: tier } of tiers) {
      // Whether a workbench is alive matters only where there is another to prefer.
      const dialled = await Promise.all(tier.map((record) => this.#dial(record, tier.length > 1)));
      const answering = dialled.filter((window) => window !== undefined);
      const [window, ...others] = preferred(answering, favourites);
      const connection = others.length === 0 && window ? await this.#enter(window) : undefined;
      for (const { socket } of answering) if (socket !== connection?.socket) socket.destroy();
      if (connection) return connection;
      if (window && others.length > 0) return { several: [window, ...others].map(({ record }) => record) };
    }
    return undefined;
  }

  /** The records whose windows answer and prove themselves. */
  async answering(records: readonly WindowRecord[]): Promise<WindowRecord[]> {
    const open = await Promise.all(records.map((record) => this.#dial(record, false)));
    for (const window of open) window?.socket.destroy();
    return open.filter((window) => window !== undefined).map(({ record }) => record);
  }

  /** Whether a window was too slow to answer. */
  wasLate(record: WindowRecord): boolean {
    return this.#late.has(record);
  }

  /** Whether a window does not answer, or its workbench gives no sign of life. */
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

  async #dial(record: WindowRecord, probe: boolean): Promise<Dialled | undefined> {
    const timeout = Math.min(HELLO_TIMEOUT, this.#deadline - Date.now());
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
    // A record that nothing listens at is a crashed window's or another machine's, and none of the person's business.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED' && code !== 'ENOENT') this.#problems.add(explained(error).message);
  }
}

/** Of windows that fit equally well and answer, those whose workbench lives, or all where none does; of those one favourite. */
export function preferred<T extends { record: WindowRecord; responsive: boolean }>(
  answering: readonly T[],
  favourites: readonly string[],
): readonly T[] {
  const alive = answering.filter(({ responsive }) => responsive);
  const left = alive.length > 0 ? alive : answering;
  const [best] = favourites.flatMap((id) => left.filter(({ record }) => record.id === id));
  return best ? [best] : left;
}
