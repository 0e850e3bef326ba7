import type { NamedAgent } from '../../core/connectedAgent.ts';
import { clock, every } from '../../util/clock.ts';
import { FairQueue } from '../../util/queues.ts';
import type { Wait } from './question.ts';
import type { Asking } from './types.ts';

/** How long a question keeps its turn while others wait, in milliseconds, and the pause between two looks at that. */
const LONGEST_TURN = 280_000;
const LOOKING_PAUSE = 5_000;

/** The open questions: the user sees one at a time, and agents take turns. */
export class QuestionTurns {
  readonly #turns = new FairQueue();
  /** Who asks. */
  readonly #open = new Map<object, Asking['asker']>();
  readonly #changed: () => void;

  /** @param changed called when a question opens or ends */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Who asks the open questions, one for each. */
  askers(): readonly NamedAgent[] {
    return [...this.#open.values()].map((one) => one());
  }

  /**
   * Waits for a turn, and asks then. A question that may wait long gives its turn to others, and is asked again behind them.
   *
   * @param ask with a signal that ends the turn
   */
  async take<T>(
    wait: Pick<Wait<unknown>, 'ended' | 'isLong'>,
    { turn, asker }: Pick<Asking, 'turn' | 'asker'>,
    ask: (ended: AbortSignal) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    this.#open.set(wait, asker);
    this.#changed();
    try {
      for (;;) {
        const over = new AbortController();
        const answer = await this.#turn(wait, turn, over, ask);
        if (answer !== undefined || !over.signal.aborted || wait.ended.aborted) return answer;
      }
    } finally {
      this.#open.delete(wait);
      this.#changed();
    }
  }

  #turn<T>(
    { ended: isOver, isLong }: Pick<Wait<unknown>, 'ended' | 'isLong'>,
    turn: unknown,
    over: AbortController,
    ask: (ended: AbortSignal) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const ended = AbortSignal.any([isOver, over.signal]);
    let stop = () => {};
    const begin = () => {
      const start = clock.now();
      const look = () => {
        if (this.#open.size > 1 && clock.now() - start >= LONGEST_TURN) over.abort();
      };
      if (isLong) stop = every(LOOKING_PAUSE, look);
      return ask(ended);
    };
    return this.#turns.take(turn, ended, begin).finally(() => stop());
  }
}
