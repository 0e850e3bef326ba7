import type { Pause } from '../../util/debounce.ts';
import type { FileList } from './fileList.ts';

/** Changes after which more are to be expected, as in a checkout. */
export const MANY = 200;

/** Quiet time until the list is looked at, in milliseconds. */
const CALM: Pause = { quiet: 300, atMost: 3_000 };
const STORMY: Pause = { quiet: 1_000, atMost: 1_500 };
/** Until agents hear of a storm that does not end. */
const LONGEST = 60_000;

/**
 * More changes than VS Code tells of: of 30,000 it does in some twelve seconds, and of those past them not at all. So it is
 * the list that tells when they are over: when it is the same as a while before.
 */
export class Storm {
  #since: number | undefined;
  /** The list when it was last looked at. */
  #seen: FileList | undefined;

  begin(): void {
    this.#since ??= Date.now();
  }

  end(): void {
    this.#since = undefined;
    this.#seen = undefined;
  }

  /** @param isStormy whether one is to be expected */
  pause(isStormy: boolean): Pause {
    return this.#since !== undefined || isStormy ? STORMY : CALM;
  }

  /** Whether agents hear later what came and went: more is expected. @param told the list as they know it */
  goesOn(now: FileList | undefined, told: FileList | undefined): boolean {
    const before = this.#seen ?? told;
    const came = now && before ? now.differencesFrom(before).length : 0;
    if (came >= MANY) this.begin(); // a folder may be all that is told of, as yet
    if (came === 0 || this.#since === undefined || Date.now() - this.#since > LONGEST) return false;
    this.#seen = now;
    return true;
  }
}
