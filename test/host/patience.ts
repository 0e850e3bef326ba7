/**
 * How long is waited, in milliseconds. These limits are for what never comes: how fast it comes says something about the
 * machine, whose cores may be shared with others, and nothing about what is tested.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** For anything that has to come, show up or end. */
export const PATIENCE = 60_000;

/** For what ends by itself once it is told to; then it is ended. */
export const ENDING = 30_000;

/** For the answer of a call, in which a person may be asked. */
export const CALL_PATIENCE = 90_000;

/** For a whole test, or what comes before one: above the others, whose error says what was missing. */
export const TEST_PATIENCE = 2 * 60_000;

/**
 * Does what has to be done again where it came to nothing, because the window was just drawing something else. Each try has
 * more time than the one before: what is slow has not failed.
 *
 * @param what for the error
 */
export async function retry<T>(what: string, attempt: (ms: number) => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE;
  for (let ms = 2_000; ; ms = Math.min(2 * ms, 30_000)) {
    try {
      return await attempt(ms);
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
      await delay(50);
    }
  }
}

/** For a whole case, which takes up to four minutes where nothing else runs. */
export const CASE_PATIENCE = 8 * 60_000;
