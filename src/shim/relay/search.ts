import { clock, within } from '../../util/clock.ts';
import type { Connection } from '../window/connect.ts';
import type { Finder } from '../window/finder.ts';
import type { RelayedSession } from './relayedSession.ts';
import type { Router } from './router.ts';

/** Time limits, in milliseconds. */
export const TIMES = {
  /** First search for a window. Then the agent is greeted without one, because clients give up on a silent server. */
  greeting: 1_500,
  /** Requests wait this long for a closed window. A reload takes 2 to 4 s. */
  return: 30_000,
  /** Only the same window is accepted, or one opened since. */
  sameWindow: 10_000,
  /** For a window to resume the session: it may be frozen. */
  open: 10_000,
  /** For the window to answer requests in flight after stdin has ended. */
  drain: 60_000,
  /** Without progress while the agent is paused because the window does not read. */
  hold: 1_000,
  /** Between two checks of the records: `soon` while requests wait, else `later`. */
  soon: 50,
  later: 1_000,
  /** Between two searches if no record has changed: a stuck window may answer again. */
  retrySoon: 500,
  retryLater: 5_000,
};

export type Times = typeof TIMES;

/** Consecutive failed probes before the agent moves to a twin window: one may only mean busy. */
const SURELY_STUCK = 2;

const NOT_TAKEN =
  'The VS Code window did not accept this session. Run "Workspace MCP: Restart Server" in it, or restart this MCP server in the agent.';

export interface SearchOptions {
  finder: Finder;
  session: RelayedSession;
  router: Router;
  times: Times;
  attach(connection: Connection): Promise<boolean>;
  /** Leaves the current window for another one. @param isStuck retries open requests, as for a closed window */
  move(connection: Connection, isStuck: boolean): Promise<void>;
  goWithout(problem: string): void;
}

/** Searches for the agent's window until there is one, then for one that matches better or is not stuck. */
export class Search {
  /** Whether the session has ended. */
  isOver = false;
  readonly #options: SearchOptions;
  #isLooking = false;
  /** Whether to search although no window has opened or closed. */
  #isWanted = false;
  #wake = () => {};

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  get isSearching(): boolean {
    return this.#isLooking || this.#isWanted;
  }

  again(): void {
    this.#isWanted = true;
    this.#wake();
  }

  end(): void {
    this.isOver = true;
    this.#wake();
  }

  /** Searches until there is a window. @param since at first only the previous window, or one opened since (milliseconds since the epoch) */
  async seek(since?: number): Promise<void> {
    const { finder, router, times } = this.#options;
    const watching = finder.watch(() => this.#wake());
    const started = clock.now();
    let lookedAt = Number.NEGATIVE_INFINITY;
    while (!this.isOver && !router.window) {
      const waited = clock.now() - started;
      const isLate = router.isWaiting && waited >= times.return;
      const [check, retry] = router.isWaiting
        ? [times.soon, times.retrySoon]
        : [times.later, times.retryLater];
      if (isLate || this.#isWanted || finder.hasNews || clock.now() - lookedAt >= retry) {
        const isOnlyThat = waited < times.sameWindow || finder.isSelected;
        if (await this.#look(isOnlyThat ? since : undefined, isLate)) break;
        lookedAt = clock.now();
      }
      if (!this.#isWanted) await this.#pause(check);
    }
    watching.dispose();
  }

  /** @param isLate whether requests have waited too long @returns whether there is a window now */
  async #look(since: number | undefined, isLate: boolean): Promise<boolean> {
    const { finder, router, attach, goWithout } = this.#options;
    this.#isLooking = true;
    while (router.needsRoots) await router.roots.ask();
    this.#isWanted = false;
    // While requests wait, nobody needs the reason.
    const found = await finder.look(since, isLate || !router.isWaiting);
    const isAttached = found.kind === 'window' && (await attach(found.connection));
    this.#isLooking = false;
    // If a newer search was requested, this result is outdated.
    if (isAttached || (!isLate && this.#isWanted)) return isAttached;
    const message = found.kind === 'none' ? found.message : NOT_TAKEN;
    if (isLate) goWithout(message);
    else if (!router.isWaiting) router.goWithout(message);
    return false;
  }

  /**
   * Watches while the agent has this window. Moves to a matching window if this one does not match, and to a twin on the
   * same folders if its workbench has gone.
   */
  async watch(connection: Connection): Promise<void> {
    const { finder, router, times } = this.#options;
    const has = () => !this.isOver && router.window?.connection === connection;
    const every = Math.round(times.retryLater / times.later);
    let stamp: string | undefined;
    let isMakeshift = false;
    let hasTwins = false;
    let silent = 0;
    for (let round = 1; has(); round++) {
      const now = finder.stamp();
      if (now !== stamp || (isMakeshift && round % every === 0)) {
        finder.refresh(connection);
        isMakeshift = finder.isMakeshift(connection);
        hasTwins = finder.twinsOf(connection).length > 0;
        if (isMakeshift) await this.#moveToFitting(has);
      }
      stamp = now;
      if (hasTwins && round % every === 0) {
        silent = (await finder.isStuck(connection)) ? silent + 1 : 0;
        if (silent >= SURELY_STUCK) await this.#moveTo(await finder.lookForTwin(connection), has, true);
      }
      if (has()) await this.#pause(times.later);
    }
  }

  async #moveToFitting(has: () => boolean): Promise<void> {
    const { finder, session, times } = this.#options;
    const fitting = await finder.lookForFitting();
    // Wait for open requests: they must be neither repeated elsewhere nor left unknown.
    while (fitting && has() && session.awaited.length > 0 && !fitting.socket.destroyed)
      await this.#pause(times.soon);
    await this.#moveTo(fitting, has, false);
  }

  async #moveTo(connection: Connection | undefined, has: () => boolean, isStuck: boolean): Promise<void> {
    if (connection && has() && !connection.socket.destroyed) await this.#options.move(connection, isStuck);
    else connection?.socket.destroy();
  }

  #pause(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return within(woken, ms, undefined);
  }
}
