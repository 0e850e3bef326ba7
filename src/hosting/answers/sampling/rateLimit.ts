import { UserError } from '../../../core/errors.ts';
import { clock } from '../../../util/clock.ts';

const MINUTE = 60_000;

/** Limits requests to a number within any minute. */
export class RateLimit {
  readonly #most: number;
  #times: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws UserError if there were too many */
  take(): void {
    const now = clock.now();
    this.#times = this.#times.filter((time) => time > now - MINUTE);
    const [first] = this.#times;
    if (this.#times.length >= this.#most)
      throw new UserError(
        `This server may ask a language model ${this.#most} times a minute. Try again in ${Math.ceil(((first ?? now) + MINUTE - now) / 1_000)} s.`,
      );
    this.#times.push(now);
  }
}
