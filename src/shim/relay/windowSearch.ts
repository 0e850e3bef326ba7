import { NOT_TAKEN } from '../agentMessages.ts';
import type { Times } from '../timeouts.ts';
import type { Connection } from '../window/connect.ts';
import type { Finder, NotFound } from '../window/finder.ts';
import type { Attached } from './windowSession.ts';

/** How often in turn a workbench has to be silent before the agent goes to its twin: it may just have been busy. */
const SURELY_STUCK = 2;

/** Who looks for a window. */
export interface Seeker {
  /** The one that it has. */
  readonly window: Attached | undefined;
  readonly isOver: boolean;
  /** Whether requests wait for one. */
  readonly isWaiting: boolean;
  /** Whether the window owes no answer. */
  readonly isIdle: boolean;
  /** Goes on with a window. Resolves to false where it does not take the session. */
  attach(connection: Connection): Promise<boolean>;
  /** Goes on with another window than it has. @param isStuck what it owes is asked again, as of a window that has gone */
  move(connection: Connection, isStuck: boolean): Promise<void>;
  /** @param isLate whether nothing waits any longer */
  notFound(found: NotFound, isLate: boolean): void;
}

/** Looks for the agent's window: until there is one, and then for one that fits better, or answers where it does not. */
export class Search {
  readonly #finder: Finder;
  readonly #seeker: Seeker;
  readonly #times: Times;
  /** Whether there is a reason to look though no window has come or gone. */
  #isWanted = false;
  #wake = () => {};

  constructor(finder: Finder, seeker: Seeker, times: Times) {
    this.#finder = finder;
    this.#seeker = seeker;
    this.#times = times;
  }

  /** Looks at once. */
  again(): void {
    this.#isWanted = true;
    this.#wake();
  }

  /** Looks for a window until there is one. @param since only one that was there before, or opened since then, at first */
  async seek(since?: number): Promise<void> {
    const started = Date.now();
    let known: string | undefined;
    let lookedAt = 0;
    while (!this.#seeker.isOver && !this.#seeker.window) {
      const { isWaiting } = this.#seeker;
      const waited = Date.now() - started;
      const isLate = isWaiting && waited >= this.#times.return;
      const isOnlyThat = waited < this.#times.sameWindow;
      const signature = `${isOnlyThat}\n${this.#finder.signature()}`;
      const isDue = Date.now() - lookedAt >= (isWaiting ? this.#times.retrySoon : this.#times.retryLater);
      if (isLate || isDue || this.#isWanted || signature !== known) {
        known = signature;
        this.#isWanted = false;
        if (await this.#look(isOnlyThat || this.#finder.isSelected ? since : undefined, isLate)) return;
        lookedAt = Date.now();
      }
      await this.#pause(this.#seeker.isWaiting ? this.#times.soon : this.#times.later);
    }
  }

  async #look(since: number | undefined, isLate: boolean): Promise<boolean> {
    // Nobody is told why there is none, as long as requests wait.
    const found = await this.#finder.look({ since, tellsWhy: isLate || !this.#seeker.isWaiting });
    if (found.kind === 'window' && (await this.#seeker.attach(found.connection))) return true;
    const none: NotFound = found.kind === 'none' ? found : { kind: 'none', message: NOT_TAKEN };
    // What it was asked for may be another by now.
    if (isLate || !this.#isWanted) this.#seeker.notFound(none, isLate);
    return false;
  }

  /**
   * As long as the agent has this window. One that it got for want of a better, or that has lost the agent's folder, is left
   * for one that fits; one whose workbench has gone, for the one that answers on the same folders.
   */
  async watch({ connection }: Attached): Promise<void> {
    const has = () => !this.#seeker.isOver && this.#seeker.window?.connection === connection;
    let stamp: string | undefined;
    let isMakeshift = false;
    let hasTwins = false;
    let silent = 0;
    const { later, retryLater } = this.#times;
    const every = Math.round(retryLater / later);
    for (let round = 1; has(); round++) {
      const now = this.#finder.stamp();
      if (now !== stamp || (isMakeshift && round % every === 0)) {
        this.#finder.refresh(connection);
        isMakeshift = this.#finder.isMakeshift(connection);
        hasTwins = this.#finder.twinsOf(connection).length > 0;
        if (isMakeshift) await this.#moveToFitting(has);
      }
      stamp = now;
      if (hasTwins && round % every === 0) {
        silent = (await this.#finder.isStuck(connection)) ? silent + 1 : 0;
        if (silent >= SURELY_STUCK) await this.#moveToTwin(connection, has);
      }
      if (has()) await this.#pause(later);
    }
  }

  async #moveToFitting(has: () => boolean): Promise<void> {
    const connection = await this.#finder.lookForFitting();
    if (!connection) return;
    // Nothing that has been asked of a window is asked of another, nor left unknown, where it can be waited for.
    while (has() && !this.#seeker.isIdle && !connection.socket.destroyed) await this.#pause(this.#times.soon);
    if (has() && this.#seeker.isIdle && !connection.socket.destroyed)
      await this.#seeker.move(connection, false);
    else connection.socket.destroy();
  }

  async #moveToTwin(connection: Connection, has: () => boolean): Promise<void> {
    const twin = await this.#finder.lookForTwin(this.#finder.twinsOf(connection));
    if (twin && has()) await this.#seeker.move(twin, true);
    else twin?.socket.destroy();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
