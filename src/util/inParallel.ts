import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../core/errors.ts';
import { clock } from './clock.ts';

/** Runs over all items, `atOnce` at a time. Results are in the items' order. Rejects with the first failure. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  if (items.length <= atOnce) {
    const all: Promise<R>[] = [];
    for (const item of items) all.push(run(item));
    return Promise.all(all);
  }
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

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
