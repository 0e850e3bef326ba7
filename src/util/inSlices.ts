import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../core/errors.ts';
import { clock } from './clock.ts';

/** How long the extension host may be blocked at a time, in milliseconds. */
const SLICE = 8;

/** Visits many items and yields to the event loop in between. @throws CancelledError */
export async function inSlices<T>(
  items: Iterable<T>,
  visit: (item: T) => void,
  signal: AbortSignal,
): Promise<void> {
  let until = clock.now() + SLICE;
  let count = 0;
  for (const item of items) {
    visit(item);
    if (++count % 64 > 0 || clock.now() < until) continue;
    await setImmediate();
    throwIfCancelled(signal);
    until = clock.now() + SLICE;
  }
}
