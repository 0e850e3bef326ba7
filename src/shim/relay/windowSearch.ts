import { clock } from '../../util/clock.ts';
import { NOT_TAKEN } from '../agentMessages.ts';
import type { Times } from '../timeouts.ts';
import type { Connection } from '../window/connect.ts';
import type { Finder, NotFound } from '../window/finder.ts';
import type { Attached } from './windowSession.ts';

/** Consecutive failed probes before the agent moves to a twin window: one may only mean busy. */
const SURELY_STUCK = 2;

/** The owner of a search. */
export interface Seeker {
  /** The current window. */
  readonly window: Attached | undefined;
  readonly isOver: boolean;
  /** Whether requests wait for a window. */
  readonly isWaiting: boolean;
  /** Whether the window owes no answer. */
  readonly isIdle: boolean;
  /** Continues with a window. Resolves to false if it does not accept the session. */
  attach(connection: Connection): Promise<boolean>;
  /** Moves to another window. @param isStuck retries open requests, as for a closed window */
  move(connection: Connection, isStuck: boolean): Promise<void>;
  /** @param isLate whether requests have waited too long */
  notFound(found: NotFound, isLate: boolean): void;
}

/** Searches for the agent's window until there is one, then for one that matches better or is not stuck. */
export class Search {
  readonly #finder: Finder;
  readonly #seeker: Seeker;
  readonly #times: Times;
  /** Whether a look is under way, which ends with a window or with `notFound`. */
  isLooking = false;
  /** Whether to search although no window has opened or closed. */
  #isWanted = false;
  #wake = () => {};

  constructor(finder: Finder, seeker: Seeker, times: Times) {
    this.#finder = finder;
    this.#seeker = seeker;
    this.#times = times;
  }

  /** Searches now. */
  again(): void {
    this.#isWanted = true;
    this.#wake();
  }

  /** Searches until there is a window. @param since at first only the previous window, or one opened since */
  async seek(since?: number): Promise<void> {
    const watching = this.#finder.watch(() => this.#wake());
    await this.#seekUntilFound(since).finally(() => watching.close());
  }

  async #seekUntilFound(since: number | undefined): Promise<void> {
    const started = clock.now();
    let known: string | undefined;
    let lookedAt = started;
    while (!this.#seeker.isOver && !this.#seeker.window) {
      const { isWaiting } = this.#seeker;
      const waited = clock.now() - started;
      const isLate = isWaiting && waited >= this.#times.return;
      const isOnlyThat = waited < this.#times.sameWindow;
      const signature = `${isOnlyThat}\n${this.#finder.signature()}`;
      const isDue = clock.now() - lookedAt >= (isWaiting ? this.#times.retrySoon : this.#times.retryLater);
      if (isLate || isDue || this.#isWanted || signature !== known) {
        known = signature;
        this.#isWanted = false;
        if (await this.#look(isOnlyThat || this.#finder.isSelected ? since : undefined, isLate)) return;
        lookedAt = clock.now();
      }
      await this.#pause(this.#seeker.isWaiting ? this.#times.soon : this.#times.later);
    }
  }

  async #look(since: number | undefined, isLate: boolean): Promise<boolean> {
    this.isLooking = true;
    // While requests wait, nobody needs the reason.
    const found = await this.#finder.look({ since, tellsWhy: isLate || !this.#seeker.isWaiting });
    const isAttached = found.kind === 'window' && (await this.#seeker.attach(found.connection));
    this.isLooking = false;
    if (isAttached) return true;
    const none: NotFound = found.kind === 'none' ? found : { kind: 'none', message: NOT_TAKEN };
    // A newer search was requested: this result is outdated.
    if (isLate || !this.#isWanted) this.#seeker.notFound(none, isLate);
    return false;
  }

  /**
   * Watches while the agent has this window. Moves to a matching window if this one does not match, and to a twin on the
   * same folders if its workbench has gone.
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
    // Wait for open requests: they must be neither repeated elsewhere nor left unknown.
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
      const cancel = clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
