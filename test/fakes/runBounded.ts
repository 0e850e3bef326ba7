import { boundedBySystem, setBounded } from '../../src/util/runBounded.ts';

/** Enough for what ends, whatever the machine does meanwhile. */
const SHORT = 40;

/** Ends what never ends after a moment during each test of a `describe`, whatever time the product gives it. */
export function endRunsSoon(): void {
  beforeEach(() => setBounded((run, ms) => boundedBySystem(run, Math.min(ms, SHORT))));
  afterEach(() => setBounded());
}
