import type { Log } from '../../src/util/log.ts';

const nothing = () => {};

/** A log that nobody reads. */
export const silent: Log = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
