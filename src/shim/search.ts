import type { Attached } from './attached.ts';
import type { Connection } from './connect.ts';
import type { Finder, Found } from './finder.ts';
import type { Times } from './times.ts';
import { NOT_TAKEN } from './words.ts';

/** How often the records are read, in milliseconds: while requests wait, and while none do. */
const SOON = 50;
const LATER = 1_000;
/** How often windows are dialled although no record has changed: one that was stuck may answer again. */
const ANYWAY_SOON = 500;
const ANYWAY_LATER = 5_000;

/** Who looks for a window. */
export interface Seeker {
  /** The one that it has. */
  readonly window: Attached | undefined;
  readonly isOver: boolean;
  /** Whether requests wait for one. */
  readonly isWaiting: boolean;
  /** Goes on with a window. Resolves to false where it does not take the session. */
  attach(connection: Connection): Promise<boolean>;
  /** Another window is gone on with. */
  leave(window: Attached): void;
  /** @param isLate whether nothing waits any longer */
  notFound(found: Found & { kind: 'none' }, isLate: boolean): void;
}

/** Looks for the agent's window again and again: until there is one, and for one that fits better than the only one did. */
export class Search {
  readonly #finder: Finder;
  readonly #seeker: Seeker;
  readonly #times: Times;
  /** The windows at the last look. */
  #known = '';
  #wake = () => {};

  constructor(finder: Finder, seeker: Seeker, times: Times) {
    this.#finder = finder;
    this.#seeker = seeker;
    this.#times = times;
  }

  /** Looks at once, though no window has come or gone. */
  again(): void {
    this.#known = '';
    this.#wake();
  }

  /** Looks for a window until there is one. @param since only one that was there before, or opened since then, at first */
  async seek(since?: number): Promise<void> {
    const started = Date.now();
    let lookedAt = 0;
    this.#known = '';
    while (!this.#seeker.isOver && !this.#seeker.window) {
      const { isWaiting } = this.#seeker;
      const waited = Date.now() - started;
      const isLate = isWaiting && waited >= this.#times.return;
      const isOnlyThat = waited < this.#times.sameWindow;
      const signature = `${isOnlyThat}\n${this.#finder.signature()}`;
      const isDue = Date.now() - lookedAt >= (isWaiting ? ANYWAY_SOON : ANYWAY_LATER);
      if (isLate || isDue || signature !== this.#known) {
        this.#known = signature;
        if (await this.#look(isOnlyThat || this.#finder.isSelected ? since : undefined, isLate)) return;
        lookedAt = Date.now();
      }
      await this.#pause(this.#seeker.isWaiting ? SOON : LATER);
    }
  }

  async #look(since: number | undefined, isLate: boolean): Promise<boolean> {
    // Nobody is told why there is none, as long as requests wait.
    const found = await this.#finder.look({ since, tellsWhy: isLate || !this.#seeker.isWaiting });
    if (found.kind === 'window' && (await this.#seeker.attach(found.connection))) return true;
    const none = found.kind === 'none' ? found : ({ kind: 'none', message: NOT_TAKEN, open: [] } as const);
    this.#seeker.notFound(none, isLate);
    return false;
  }

  /** An agent that has got the only window there was moves on as soon as one with its directory opens. */
  async seekFitting(window: Attached): Promise<void> {
    let known = this.#finder.signature();
    // Meanwhile it may have gone, or been selected.
    const isWanted = () =>
      !this.#seeker.isOver && this.#seeker.window === window && this.#finder.isMakeshift(window.connection);
    while (isWanted()) {
      await this.#pause(LATER);
      const signature = this.#finder.signature();
      if (signature === known || !isWanted()) continue;
      known = signature;
      const connection = await this.#finder.lookForFitting(isWanted);
      if (!connection) continue;
      this.#seeker.leave(window);
      if (!(await this.#seeker.attach(connection))) void this.seek();
    }
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
