import { setTimeout as briefly, setImmediate as turn } from 'node:timers/promises';
import { type Clock, setClock } from '../../src/util/clock.ts';
import { until } from '../until.ts';

/** Turns of the event loop after each step of time: what the product does next may take some. */
const TURNS = 5;

interface Timer {
  ms: number;
  at: number;
  run(): void;
}

/** Time that passes only when a test says so. */
export class HeldClock implements Clock {
  #now = 0;
  readonly #timers = new Set<Timer>();
  /** Waits of so many milliseconds end as they begin: before what they wait for can come. */
  skipped: number | undefined;

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { ms, at: this.#now + ms, run };
    this.#timers.add(timer);
    if (ms === this.skipped) queueMicrotask(() => this.#timers.has(timer) && this.#run(timer));
    return () => this.#timers.delete(timer);
  }

  /** The times that the product waits for now, in milliseconds. */
  get waits(): number[] {
    return [...this.#timers].map(({ ms }) => ms);
  }

  /** Lets so many milliseconds pass: what is due is called, one after the other. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await turns();
    for (let next = this.#next(end); next; next = this.#next(end)) await this.#call(next);
    this.#now = end;
    await turns();
  }

  /** As `pass`, at once: for what needs no turn of the event loop. */
  tick(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) this.#run(next);
    this.#now = end;
  }

  /** Lets the time pass that the product is about to wait: files and processes take their own before it does. */
  async passWait(ms: number): Promise<void> {
    await until(
      () => this.waits.includes(ms),
      `a wait of ${ms} ms; there are ${this.waits.join(', ') || 'none'}`,
    );
    await this.pass(ms);
  }

  /**
   * Lets time pass until something settles, from one wait to the next. For what polls, or waits for several things: a limit on
   * something real (a file, a process) would pass before it could answer, if it is none of the longer waits.
   *
   * @param longest in milliseconds; waits for more go on
   */
  async settle<T>(promise: Promise<T>, longest = Number.POSITIVE_INFINITY): Promise<T> {
    let isSettled = false;
    const settled = () => {
      isSettled = true;
    };
    promise.then(settled, settled);
    for (await turns(); !isSettled; await turns()) {
      const next = this.#next(Number.POSITIVE_INFINITY, longest);
      await (next ? this.#call(next) : briefly());
    }
    return promise;
  }

  async #call(timer: Timer): Promise<void> {
    this.#run(timer);
    await turns();
  }

  #run(timer: Timer): void {
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }

  #next(end: number, longest = Number.POSITIVE_INFINITY): Timer | undefined {
    const due = [...this.#timers].filter(({ at, ms }) => at <= end && ms <= longest);
    return due.sort((one, other) => one.at - other.at)[0];
  }
}

async function turns(): Promise<void> {
  for (let count = 0; count < TURNS; count++) await turn();
}

/** Holds the time of the product during each test of a `describe`. @returns the clock, which goes on from test to test */
export function holdClock(clock = new HeldClock()): HeldClock {
  beforeEach(() => setClock(clock));
  afterEach(() => setClock());
  return clock;
}
