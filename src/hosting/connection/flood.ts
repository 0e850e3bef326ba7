import { clock } from '../../util/clock.ts';

/** Most messages that answer nothing, in a window of so many milliseconds: 2,000 a second for 10 s. */
export const MOST_UNASKED = 20_000;
const WINDOW = 10_000;

/** Most bytes of one line before the server is stopped: beyond the message limit they are only thrown away. */
export const LONGEST_LINE = 256 * 1024 * 1024;

export const FLOOD = `It was stopped because it sent more than ${MOST_UNASKED} messages within ${WINDOW / 1000} s that nobody asked for.`;
export const ENDLESS_LINE = `It was stopped because it sent a line longer than ${LONGEST_LINE / 1024 / 1024} MB.`;

/** Judges whether a server floods: it sends far more messages (garbage included) than it receives. */
export class FloodGauge {
  #start = Number.NEGATIVE_INFINITY;
  #unasked = 0;
  readonly #most: number;

  constructor(most = MOST_UNASKED) {
    this.#most = most;
  }

  /** A message to the server: it may answer with one. */
  sent(): void {
    this.#unasked--;
  }

  /** A line from the server. @returns whether it floods */
  received(): boolean {
    const now = clock.now();
    if (now - this.#start > WINDOW) {
      this.#start = now;
      this.#unasked = 0;
    }
    return ++this.#unasked > this.#most;
  }
}
