import { unlessAborted } from '../../util/clock.ts';

/** Most texts that wait for the next prompt of one session; the first ones go. */
const MOST_WAITING = 20;

/** What the user sends to sessions of agents: it wakes one that is idle, if that can be woken, or waits for its next prompt. */
export class Messages {
  /** By session. */
  readonly #waiting = new Map<string, string[]>();
  /** What wakes an idle session. */
  readonly #wakers = new Map<string, (text?: string) => void>();

  /** Resolves to the text that wakes the session; undefined if it goes on by itself, or the signal is aborted. */
  async wait(session: string, signal: AbortSignal): Promise<string | undefined> {
    this.goesOn(session);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#wakers.set(session, resolve);
    await unlessAborted(promise, signal);
    if (this.#wakers.get(session) === resolve) this.#wakers.delete(session);
    resolve(undefined);
    const text = await promise;
    if (text === undefined || !signal.aborted) return text;
    this.send(session, text); // what waited has gone
    return undefined;
  }

  /** The session is not idle any more. */
  goesOn(session: string): void {
    this.#wakers.get(session)?.();
    this.#wakers.delete(session);
  }

  canWake(session: string): boolean {
    return this.#wakers.has(session);
  }

  /** @returns whether it wakes the session now. Otherwise it waits for `take`. */
  send(session: string, text: string): boolean {
    const wake = this.#wakers.get(session);
    this.#wakers.delete(session);
    wake?.(text);
    if (!wake) this.#waiting.set(session, [...(this.#waiting.get(session) ?? []), text].slice(-MOST_WAITING));
    return wake !== undefined;
  }

  /** What waits for the next prompt of a session: from now on it does not any more. */
  take(session: string): readonly string[] {
    const texts = this.#waiting.get(session) ?? [];
    this.#waiting.delete(session);
    return texts;
  }

  /** The agent goes on in another session. */
  pass(session: string, to: string): void {
    this.goesOn(session);
    for (const text of this.take(session)) this.send(to, text);
  }

  forget(session: string): void {
    this.goesOn(session);
    this.#waiting.delete(session);
  }
}
