import type { WindowRecord } from '../../ipc/windowRecord.ts';
import type { Finder } from '../window/finder.ts';
import type { Open, OpenLine } from './inFlight.ts';
import type { Request } from './jsonRpc.ts';
import { Attached, type Shared } from './windowSession.ts';

export interface GuestOptions {
  finder: Finder;
  shared: Shared;
  /** Milliseconds that a window may take to let the agent in. */
  openTime: number;
  /** The agent has selected a window. */
  selected(id: string): void;
  /** The window has gone before it answered this. */
  unanswered(line: OpenLine): void;
}

/** An agent that has no window is let into any, as a guest: that one answers `list_windows` and `select_window`. */
export class Guest {
  readonly #options: GuestOptions;
  #window: Promise<Attached | undefined> | undefined;
  readonly #asked = new Set<OpenLine>();

  constructor(options: GuestOptions) {
    this.#options = options;
  }

  get isIn(): boolean {
    return this.#window !== undefined;
  }

  /** Asks one of these windows. Resolves to false where none lets the agent in. */
  async ask(line: OpenLine, windows: readonly WindowRecord[]): Promise<boolean> {
    this.#window ??= this.#enter(windows);
    this.#asked.add(line);
    const window = await this.#window;
    if (window) window.send(Buffer.concat([line.bytes, Buffer.from('\n')]));
    else this.#asked.delete(line);
    return window !== undefined;
  }

  leave(): void {
    void this.#window?.then((window) => window?.close());
    this.#window = undefined;
  }

  async #enter(windows: readonly WindowRecord[]): Promise<Attached | undefined> {
    const { finder, shared, openTime, selected } = this.#options;
    const connection = await finder.enterAny(windows);
    if (!connection) this.#window = undefined;
    if (!connection) return undefined;
    const window = new Attached(connection, shared, {
      goodbye: () => {},
      selected,
      drained: () => {},
      closed: () => this.#closed(),
    });
    window.isGuest = true;
    await window.open(openTime).catch(() => window.close());
    return window;
  }

  #closed(): void {
    this.#window = undefined;
    for (const line of this.#asked) if (line.open.length > 0) this.#options.unanswered(line);
    this.#asked.clear();
  }
}

/** Whether any window may answer a request. */
export const isForGuest = ({ method, params }: Pick<Open, 'method' | 'params'> | Request): boolean =>
  method === 'tools/call' && (params.name === 'list_windows' || params.name === 'select_window');
