/**
 * A rejection that nobody handles fails the test that is running. Mocha ignores it, but it would end the shim; and one that comes
 * between two files ends a process of Mocha's with all that was to run in it.
 */
import { setImmediate as turn } from 'node:timers/promises';

const fail = (reason: unknown): never => {
  throw reason; // Mocha takes what is uncaught for the test's failure
};

export const mochaHooks = {
  beforeAll: () => {
    process.on('unhandledRejection', fail);
  },
  /** What the last test has left to reject still belongs to its file. */
  afterAll: async () => {
    await turn();
    process.off('unhandledRejection', fail);
  },
};
