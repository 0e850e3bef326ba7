import type { Socket } from 'node:net';
import { PREAMBLE_TIMEOUT, type ShimProof } from '../socket/preamble.ts';
import type { WindowRecord } from '../socket/windowRecord.ts';
import { chooseWindow, type WindowQuery } from './chooseWindow.ts';
import { type Dialled, dial } from './handshake.ts';
import { noWindowMessage } from './noWindow.ts';

/** Longest time for finding and entering a window, in milliseconds, over all candidates. */
const CONNECT_TIMEOUT = 10_000;

/** An open way to a window; the socket carries JSON-RPC from here on. */
export interface Connection {
  record: WindowRecord;
  socket: Socket;
  /** Lets a later connection go on with this one's session. */
  resume: string;
}

/**
 * Connects to the window that {@link chooseWindow} chooses among the records. Throws an Error for the person, with
 * what to do and the windows that are open, when there is none.
 */
export async function connect(
  records: WindowRecord[],
  query: WindowQuery,
  about: Omit<ShimProof, 'proof'>,
): Promise<Connection> {
  const attempt = new Attempt(about);
  const choice = chooseWindow(records, query);
  const connection = choice.kind === 'window' && (await attempt.enterFirst(choice.tiers));
  if (connection) return connection;
  // Records of crashed windows and of other machines must neither be shown nor count as "the only open window".
  const open = await attempt.answering(records);
  const second = chooseWindow(open, query);
  if (second.kind === 'none') throw new Error(noWindowMessage(second.reason, open, attempt.problems));
  const late = await attempt.enterFirst(second.tiers);
  if (late) return late;
  throw new Error(
    noWindowMessage('The VS Code window did not accept the connection.', open, attempt.problems),
  );
}

class Attempt {
  readonly #about: Omit<ShimProof, 'proof'>;
  readonly #deadline = Date.now() + CONNECT_TIMEOUT;
  readonly #problems = new Set<string>();

  constructor(about: Omit<ShimProof, 'proof'>) {
    this.#about = about;
  }

  /** What went wrong with windows that are there. */
  get problems(): string[] {
    return [...this.#problems];
  }

  /** Enters the best window of the first tier that has one; no other connection stays open. */
  async enterFirst(tiers: WindowRecord[][]): Promise<Connection | undefined> {
    for (const tier of tiers) {
      // Whether a workbench is alive matters only where there is another to prefer.
      const dials = tier.map((record) => this.#dial(record, tier.length > 1));
      const connection = await this.#enterBest(dials);
      for (const dial of dials)
        void dial.then((it) => it?.socket === connection?.socket || it?.socket.destroy());
      if (connection) return connection;
    }
    return undefined;
  }

  /** The records whose windows answer and prove themselves. */
  async answering(records: WindowRecord[]): Promise<WindowRecord[]> {
    const open = await Promise.all(records.map((record) => this.#dial(record, false)));
    for (const window of open) window?.socket.destroy();
    return open.filter((window) => window !== undefined).map(({ record }) => record);
  }

  async #enterBest(dials: Promise<Dialled | undefined>[]): Promise<Connection | undefined> {
    const unresponsive: Dialled[] = [];
    for (const dial of dials) {
      const window = await dial;
      const connection = window?.responsive && (await this.#enter(window));
      if (connection) return connection;
      if (window && !window.responsive) unresponsive.push(window);
    }
    for (const window of unresponsive) {
      const connection = await this.#enter(window);
      if (connection) return connection;
    }
    return undefined;
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
    const timeout = Math.min(PREAMBLE_TIMEOUT, this.#deadline - Date.now());
    try {
      return timeout > 0 ? await dial(record, { probe, timeout }) : undefined;
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  #note(error: unknown): void {
    // A record that nothing listens at is a crashed window's or another machine's, and none of the person's business.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED' && code !== 'ENOENT') this.#problems.add(message);
  }
}
