import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../core/errors.ts';
import { clock, unlessAborted } from './clock.ts';

/** Runs tasks with the same key one after the other. */
export class KeyedQueue {
  readonly #last = new Map<unknown, Promise<unknown>>();

  /** Runs after all earlier tasks with this key have ended, whether they failed or not. */
  take<T>(key: unknown, run: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(run);
    const ended = turn.catch(() => {});
    this.#last.set(key, ended);
    void ended.then(() => {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    });
    return turn;
  }

  /** Takes a turn for several keys at once. All callers must sort keys in the same way to avoid deadlock. */
  takeAll<T>([first, ...others]: readonly string[], run: () => Promise<T>): Promise<T> {
    return first === undefined ? run() : this.take(first, () => this.takeAll(others, run));
  }

  get size(): number {
    return this.#last.size;
  }
}

type Turn = PromiseWithResolvers<void>;

/** Runs one task at a time. Owners take turns, so that one with many tasks does not keep the others waiting. */
export class FairQueue {
  /** By owner, the one that was served longest ago first; the running turn is the first one of its owner. */
  readonly #queues = new Map<unknown, Set<Turn>>();
  #running: Turn | undefined;

  /** Runs when it is its turn. Once `ended` is aborted, resolves to undefined and the next turn comes, even if the task is still busy. */
  async take<T>(owner: unknown, ended: AbortSignal, run: () => Promise<T>): Promise<T | undefined> {
    const turn = Promise.withResolvers<void>();
    this.#queues.set(owner, (this.#queues.get(owner) ?? new Set()).add(turn));
    this.#next();
    try {
      if (this.#running !== turn) await unlessAborted(turn.promise, ended);
      return ended.aborted ? undefined : await unlessAborted(run(), ended);
    } finally {
      this.#end(owner, turn);
    }
  }

  get size(): number {
    return this.#queues.size;
  }

  #end(owner: unknown, turn: Turn): void {
    const queue = this.#queues.get(owner);
    queue?.delete(turn);
    const wasRunning = this.#running === turn;
    if (wasRunning) this.#running = undefined;
    if (wasRunning || !queue?.size) this.#queues.delete(owner);
    if (queue?.size) this.#queues.set(owner, queue); // a running one's owner is the last now
    this.#next();
  }

  #next(): void {
    if (this.#running) return;
    const [queue] = this.#queues.values();
    const [turn] = queue ?? [];
    this.#running = turn;
    turn?.resolve();
  }
}

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
