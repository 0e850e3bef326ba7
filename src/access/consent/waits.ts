import { CancelledError, UserError } from '../../core/errors.ts';
import { clock, every } from '../../util/clock.ts';
import { Patience } from './patience.ts';
import type { WaitingCall } from './types.ts';

/** Milliseconds between two progress notifications: many clients time out a call after a minute without one. */
const WAITING_PAUSE = 10_000;

/** The calls that wait for the user. */
export class Waits {
  readonly #settled = new Set<Settled<unknown>>();

  /**
   * Waits for an answer as long as the client does.
   *
   * @param agent name of its client
   * @param settled answers it from elsewhere
   * @throws CancelledError, and as `settled` does
   */
  async for<T>(
    agent: string,
    call: WaitingCall,
    settled: Settled<T>,
    ask: (patience: Patience, ended: AbortSignal) => Promise<T | undefined>,
  ): Promise<Waited<T>> {
    const { signal } = call;
    const patience = new Patience(agent);
    this.#settled.add(settled);
    const stopTelling = this.#tellThatItWaits(call);
    const ended = AbortSignal.any([signal, patience.over, settled.signal]);
    try {
      const answer = await Promise.race([settled.promise, ask(patience, ended)]);
      if (signal.aborted) throw new CancelledError('The request was cancelled.');
      return { answer, waited: patience.waited };
    } finally {
      patience.dispose();
      stopTelling();
      this.#settled.delete(settled);
    }
  }

  /** Ends those that are settled now. */
  recheck(): void {
    for (const { check } of this.#settled) check();
  }

  /** Ends all with an error. */
  refuse(message: string): void {
    const error = new UserError(message);
    for (const { refuse } of this.#settled) refuse(error);
  }

  #tellThatItWaits(call: WaitingCall): () => void {
    const started = clock.now();
    const tell = () => {
      const waited = Math.round((clock.now() - started) / 1000);
      call.progress(waited, undefined, 'Waiting for the user to answer in VS Code');
    };
    tell();
    return every(WAITING_PAUSE, tell);
  }
}

/** An answer, undefined if there is none, and how long it took in milliseconds. */
export interface Waited<T> {
  answer: T | undefined;
  waited: number;
}

export type Settled<T> = ReturnType<typeof settledBy<T>>;

/** Settles and aborts its signal when a check first gives an answer or throws. */
export function settledBy<T>(answerOf: () => T | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  promise.catch(() => {}); // there may be no caller left
  const over = new AbortController();
  const refuse = (error: unknown) => {
    reject(error);
    over.abort();
  };
  const check = () => {
    try {
      const answer = answerOf();
      if (answer === undefined) return;
      resolve(answer);
      over.abort();
    } catch (error) {
      refuse(error);
    }
  };
  return { promise, check, refuse, signal: over.signal };
}
