/**
 * Property tests: whatever an agent sends, it gets a valid answer or nothing where nothing is owed, the session lives, and
 * the editor is unharmed. `npm run test:fuzz` runs them, after `npm run build`.
 *
 * The seed is random and printed; `FUZZ_SEED=…` takes another one, to see a failure again. `FUZZ_RUNS=20` runs twenty times as
 * many cases (the default is 1, which is at least 2,000 messages): for a hunt, not for each day.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutMiddle } from '../../src/core/text/cut.ts';

/** Messages that have to be sent in all, if all tests are run and pass. */
const LEAST = 2_000;

/** How long one property may take, in milliseconds, shrinking included. */
const TIME = 120_000;

export const RUNS = Number(process.env.FUZZ_RUNS ?? 1);
export const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** What has gone over the wire: the lines that were generated, and what came for them. */
export const count = { sent: 0, answered: 0 };

/** Checks a property so many times, more or less as FUZZ_RUNS says. A failure names the seed. */
export async function holds<T>(runs: number, property: fc.IAsyncProperty<T>): Promise<void> {
  const numRuns = Math.max(1, Math.round(runs * RUNS));
  const time = TIME * Math.max(1, RUNS);
  try {
    // A wait for what never comes makes shrinking slow: it ends with the smallest case that was found.
    const interruptAfterTimeLimit = time * 0.8;
    // Within the message: Mocha's parallel runs pass no cause on.
    const includeErrorInReport = true;
    await fc.assert(property, { numRuns, seed: SEED, interruptAfterTimeLimit, includeErrorInReport });
  } catch (error) {
    throw new Error(`FUZZ_SEED=${SEED} shows it again. ${cutMiddle((error as Error).message, 5_000)}`);
  }
}

before(() => console.log(`    FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`));

beforeEach(function () {
  this.currentTest?.timeout(TIME * Math.max(1, RUNS));
});

after(function () {
  console.log(`    ${count.sent} messages were sent, ${count.answered} answers came (FUZZ_SEED=${SEED})`);
  const suites = this.test?.parent?.suites ?? [];
  const isWhole = suites.flatMap(({ tests }) => tests).every(({ state }) => state === 'passed');
  if (isWhole) assert.ok(count.sent >= LEAST * Math.min(1, RUNS), `${count.sent} messages are too few`);
});
